#include "gsan/data/formats/arrays/drifters.h"

#include "gsan/core/check.h"

#ifdef GSAN_HAVE_HDF5

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <hdf5.h>

#include "gsan/core/isolated.h"

namespace gsan {
namespace {

// Owns one identifier of HDF5, whatever it refers to.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

// HDF5 prints its errors on stderr unless switched off; ours say what is wrong.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path)
      : name_(path.string()),
        size_(std::filesystem::file_size(path)),
        file_(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!file_) fail(Fault::format, name_, ": not an HDF5 file (such as .jld2), or truncated or damaged");
  }

  DrifterFile read() {
    DrifterFile drifters;
    drifters.centres = read_pairs("HexcentersXY");
    limit_ = static_cast<std::int64_t>(drifters.centres.size());
    drifters.edges = read_columns<2>("elist");
    drifters.triangles = read_columns<3>("tlist");
    drifters.paths = read_paths("TrajectoriesNodes");
    return drifters;
  }

 private:
  template <class... Parts>
  [[noreturn]] void fail_in(const std::string& dataset, const Parts&... parts) const {
    fail(Fault::format, name_, ": dataset '", dataset, "': ", parts...);
  }

  Handle open(const std::string& dataset) const {
    Handle handle(H5Dopen2(file_.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!handle)
      fail_in(dataset, "it is missing or damaged; expected elist, tlist, HexcentersXY, TrajectoriesNodes");
    return handle;
  }

  std::vector<hsize_t> shape(const Handle& set, const std::string& dataset) const {
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
    if (rank < 0 || rank > 2) fail_in(dataset, "expected one or two dimensions");
    std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr);
    hsize_t total = 1;
    for (const hsize_t size : sizes) {
      // An honest dataset is not longer than its file.
      if (size != 0 && total > size_ / size) fail_in(dataset, "its sizes are larger than the file");
      total *= size;
    }
    return sizes;
  }

  H5T_class_t type_class(const Handle& set) const {
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    return type ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  }

  void read_into(const Handle& set, hid_t type, void* values, const std::string& dataset) const {
    if (H5Dread(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
      fail_in(dataset, "its values cannot be read; the file is truncated or damaged");
  }

  Vertex node(std::int64_t number, const std::string& dataset) const {
    if (number < 1 || number > limit_)
      fail_in(dataset, "node ", number, "; the nodes are 1 … ", limit_, " (one per entry of HexcentersXY)");
    return static_cast<Vertex>(number - 1);
  }

  std::vector<std::int64_t> integers(const Handle& set, std::size_t count, const std::string& dataset) const {
    if (type_class(set) != H5T_INTEGER) fail_in(dataset, "expected integers");
    std::vector<std::int64_t> values(count);
    if (count > 0) read_into(set, H5T_NATIVE_INT64, values.data(), dataset);
    return values;
  }

  template <std::size_t width>
  std::vector<std::array<Vertex, width>> read_columns(const std::string& dataset) const {
    const Handle set = open(dataset);
    const std::vector<hsize_t> sizes = shape(set, dataset);
    if (sizes.size() != 2 || sizes[0] != width)
      fail_in(dataset, "expected ", width, " rows of integers, one column per simplex");
    const auto count = static_cast<std::size_t>(sizes[1]);
    const std::vector<std::int64_t> numbers = integers(set, width * count, dataset);
    std::vector<std::array<Vertex, width>> simplices(count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < width; ++j) simplices[i][j] = node(numbers[j * count + i], dataset);
    return simplices;
  }

  std::vector<std::array<double, 2>> read_pairs(const std::string& dataset) const {
    const Handle set = open(dataset);
    const std::vector<hsize_t> sizes = shape(set, dataset);
    const Handle stored(H5Dget_type(set.get()), H5Tclose);
    if (sizes.size() != 1 || H5Tget_class(stored.get()) != H5T_COMPOUND || H5Tget_nmembers(stored.get()) != 2)
      fail_in(dataset, "expected one pair of floats per node");
    const Handle pair(H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose);
    for (unsigned i = 0; i < 2; ++i) {
      if (H5Tget_member_class(stored.get(), i) != H5T_FLOAT) fail_in(dataset, "expected pairs of floats");
      char* name = H5Tget_member_name(stored.get(), i);
      if (name == nullptr) fail_in(dataset, "expected pairs of floats");
      H5Tinsert(pair.get(), name, i * sizeof(double), H5T_NATIVE_DOUBLE);
      H5free_memory(name);
    }
    if (sizes[0] > static_cast<hsize_t>(std::numeric_limits<Vertex>::max()))
      fail_in(dataset, "too many nodes");
    std::vector<std::array<double, 2>> pairs(static_cast<std::size_t>(sizes[0]));
    if (!pairs.empty()) read_into(set, pair.get(), pairs.data(), dataset);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (!std::isfinite(pairs[i][0]) || !std::isfinite(pairs[i][1]))
        fail_in(dataset, "entry ", i, " is not finite");
    return pairs;
  }

  std::vector<hobj_ref_t> references(const Handle& set, const std::string& dataset) const {
    const std::vector<hsize_t> sizes = shape(set, dataset);
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    if (sizes.size() != 1 || !type || H5Tequal(type.get(), H5T_STD_REF_OBJ) <= 0)
      fail_in(dataset, "expected a list of object references");
    std::vector<hobj_ref_t> list(static_cast<std::size_t>(sizes[0]));
    if (!list.empty()) read_into(set, H5T_STD_REF_OBJ, list.data(), dataset);
    return list;
  }

  Handle follow(const Handle& set, const hobj_ref_t& reference, const std::string& dataset) const {
    const hid_t id = H5Rdereference2(set.get(), H5P_DEFAULT, H5R_OBJECT, &reference);
    if (id >= 0 && H5Iget_type(id) == H5I_DATASET) return {id, H5Dclose};
    if (id >= 0) H5Oclose(id);
    fail_in(dataset, "a reference does not point to a dataset");
  }

  // A step takes at least a byte of the file, unless paths are referred to again and again.
  void count_steps(std::size_t& total, std::size_t steps, const std::string& dataset) const {
    total += steps;
    if (total > size_)
      fail_in(dataset, "its paths have more than ", size_,
              " steps, the bytes of the file: references repeat");
  }

  std::vector<std::vector<Vertex>> read_paths(const std::string& dataset) const {
    const Handle set = open(dataset);
    std::vector<std::vector<Vertex>> paths;
    std::size_t total = 0;
    for (const hobj_ref_t& reference : references(set, dataset)) {
      const Handle path = follow(set, reference, dataset);
      std::vector<Vertex>& nodes = paths.emplace_back();
      const std::vector<hsize_t> sizes = shape(path, dataset);
      if (sizes.size() != 1) fail_in(dataset, "a path is a list");
      count_steps(total, static_cast<std::size_t>(sizes[0]), dataset);
      if (type_class(path) == H5T_INTEGER) {
        for (const std::int64_t number : integers(path, static_cast<std::size_t>(sizes[0]), dataset))
          nodes.push_back(node(number, dataset));
        continue;
      }
      for (const hobj_ref_t& step : references(path, dataset)) {
        const Handle single = follow(path, step, dataset);
        if (!shape(single, dataset).empty()) fail_in(dataset, "a step of a path is one integer");
        nodes.push_back(node(integers(single, 1, dataset)[0], dataset));
      }
    }
    return paths;
  }

  std::string name_;
  std::uintmax_t size_;
  Handle file_;
  std::int64_t limit_ = 0;  // how many nodes there are
};

// What the child process sends: every list as its size and its bytes.
template <class Item>
void append(std::string& bytes, const std::vector<Item>& items) {
  static_assert(std::is_trivially_copyable_v<Item>);
  const std::size_t size = items.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes.append(reinterpret_cast<const char*>(items.data()), size * sizeof(Item));
}

template <class Item>
std::vector<Item> take(std::string_view& bytes) {
  std::size_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  std::vector<Item> items(size);
  if (size > 0) std::memcpy(items.data(), bytes.data() + sizeof size, size * sizeof(Item));
  bytes.remove_prefix(sizeof size + size * sizeof(Item));
  return items;
}

std::string to_bytes(const DrifterFile& drifters) {
  std::string bytes;
  append(bytes, drifters.edges);
  append(bytes, drifters.triangles);
  append(bytes, drifters.centres);
  const std::size_t paths = drifters.paths.size();
  bytes.append(reinterpret_cast<const char*>(&paths), sizeof paths);
  for (const std::vector<Vertex>& path : drifters.paths) append(bytes, path);
  return bytes;
}

DrifterFile from_bytes(const std::string& all) {
  std::string_view bytes = all;
  DrifterFile drifters;
  drifters.edges = take<std::array<Vertex, 2>>(bytes);
  drifters.triangles = take<std::array<Vertex, 3>>(bytes);
  drifters.centres = take<std::array<double, 2>>(bytes);
  std::size_t paths = 0;
  std::memcpy(&paths, bytes.data(), sizeof paths);
  bytes.remove_prefix(sizeof paths);
  while (paths-- > 0) drifters.paths.push_back(take<Vertex>(bytes));
  return drifters;
}

}  // namespace

bool has_hdf5() { return true; }

DrifterFile read_drifters(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path))
    fail(Fault::io, "cannot read ", path, ": there is no such file");
  static std::mutex one_at_a_time;  // the C library need not be built for threads
  const std::lock_guard lock(one_at_a_time);
  // Damaged files crash the library itself: it reads them in a process of its own.
  constexpr int most_seconds = 120;
  return from_bytes(run_isolated(path.string(), most_seconds, [&] {
    const Silence silence;
    return to_bytes(Reader(path).read());
  }));
}

}  // namespace gsan

#else

namespace gsan {

bool has_hdf5() { return false; }

DrifterFile read_drifters(const std::filesystem::path& path) {
  fail(Fault::argument, "read_drifters: ", path,
       " is an HDF5 file, and this build has no HDF5; install it (Debian: libhdf5-dev) and build again");
}

}  // namespace gsan

#endif
