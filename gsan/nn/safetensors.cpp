#include "gsan/nn/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>
#include <set>
#include <system_error>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/nn/detail/safetensors_header.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little endian");

constexpr std::uint64_t largest_header = 100'000'000;  // bytes, a limit of the format

constexpr std::pair<torch::ScalarType, std::string_view> types[] = {
    {torch::kFloat64, "F64"}, {torch::kInt64, "I64"},     {torch::kFloat32, "F32"}, {torch::kInt32, "I32"},
    {torch::kFloat16, "F16"}, {torch::kBFloat16, "BF16"}, {torch::kInt16, "I16"},   {torch::kInt8, "I8"},
    {torch::kUInt8, "U8"},    {torch::kBool, "BOOL"}};

torch::ScalarType scalar_type(std::string_view name) {
  for (const auto& [type, known] : types)
    if (known == name) return type;
  fail(Fault::format, "safetensors: unknown type '", name, "'");
}

// An open file whose header was read and checked.
struct OpenFile {
  std::ifstream stream;
  std::string source;
  SafetensorsHeader header;
  std::uint64_t data_begin = 0;

  void read(std::uint64_t at, void* bytes, std::uint64_t count) {
    stream.seekg(static_cast<std::streamoff>(at));
    stream.read(static_cast<char*>(bytes), static_cast<std::streamsize>(count));
    if (!stream || static_cast<std::uint64_t>(stream.gcount()) != count)
      fail(Fault::io, "cannot read ", source, ": ", count, " bytes at byte ", at, " are not there any more");
  }
};

OpenFile open_file(const fs::path& path) {
  OpenFile file;
  file.source = path.string();
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    fail(Fault::io, "cannot read ", path, ": it is no regular file");
  errno = 0;
  file.stream.open(path, std::ios::binary);
  if (!file.stream) fail(Fault::io, "cannot read ", path, ": ", std::generic_category().message(errno));
  const std::uint64_t size = fs::file_size(path, error);
  if (error) fail(Fault::io, "cannot read ", path, ": ", error.message());

  std::uint64_t length = 0;
  if (size < sizeof length)
    fail(Fault::format, file.source, ": no valid safetensors file: it has ", size,
         " bytes, but the length of the header takes 8");
  file.read(0, &length, sizeof length);
  if (length > size - sizeof length)
    fail(Fault::format, file.source, ": no valid safetensors file: the header should take ", length,
         " bytes, but only ", size - sizeof length, " follow");
  if (length > largest_header)
    fail(Fault::format, file.source, ": no valid safetensors file: the header takes ", length,
         " bytes, the format allows ", largest_header);
  std::string text(length, '\0');
  file.read(sizeof length, text.data(), length);
  file.data_begin = sizeof length + length;
  file.header = parse_safetensors_header(text, size - file.data_begin, file.source);
  return file;
}

// Strided memory on the CPU with rows one after the other.
Tensor as_bytes_lie(const std::string& name, const Tensor& tensor) {
  GSAN_CHECK(tensor.defined(), "write_safetensors: tensor '", name, "' is undefined");
  GSAN_CHECK(tensor.layout() == torch::kStrided && !safetensors_type(tensor.scalar_type()).empty(),
             "write_safetensors: tensor '", name, "' is ", tensor.scalar_type(), " ", tensor.layout(),
             "; dense tensors of these types can be written: ", safetensors_types());
  return tensor.detach().cpu().contiguous();
}

}  // namespace

std::string_view safetensors_type(torch::ScalarType type) {
  for (const auto& [known, name] : types)
    if (known == type) return name;
  return {};
}

const Tensor* SafetensorsFile::find(std::string_view name) const {
  for (const auto& [known, tensor] : tensors)
    if (known == name) return &tensor;
  return nullptr;
}

void write_safetensors(const fs::path& path, const NamedTensors& tensors, const OptionMap& metadata) {
  std::vector<Tensor> values;
  SafetensorsHeader header{{}, metadata};
  std::set<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    GSAN_CHECK(name != "__metadata__", "write_safetensors: no tensor can be called '__metadata__'");
    GSAN_CHECK(names.insert(name).second, "write_safetensors: two tensors are called '", name, "'");
    values.push_back(as_bytes_lie(name, tensor));
    header.entries.push_back(
        {name, std::string(safetensors_type(tensor.scalar_type())), tensor.sizes().vec(), 0, 0});
  }
  std::vector<std::size_t> places(tensors.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return values[a].element_size() > values[b].element_size();
  });
  std::uint64_t at = 0;
  for (const std::size_t i : places) {
    header.entries[i].begin = at;
    header.entries[i].end = at += values[i].nbytes();
  }
  const std::string text = print_safetensors_header(header);
  const std::uint64_t length = text.size();

  AtomicFile file(path);
  file.stream().write(reinterpret_cast<const char*>(&length), sizeof length);
  file.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  for (const std::size_t i : places) {
    file.stream().write(static_cast<const char*>(values[i].const_data_ptr()),
                        static_cast<std::streamsize>(values[i].nbytes()));
  }
  file.commit();
}

SafetensorsFile read_safetensors(const fs::path& path) {
  OpenFile file = open_file(path);
  SafetensorsFile result;
  for (const SafetensorsEntry& entry : file.header.entries) {
    const Tensor tensor = torch::empty(entry.shape, scalar_type(entry.dtype));
    if (entry.begin < entry.end)
      file.read(file.data_begin + entry.begin, tensor.mutable_data_ptr(), entry.end - entry.begin);
    // A bool of another byte than 0 and 1 is no value of its type.
    if (tensor.scalar_type() == torch::kBool) {
      const auto* bytes = static_cast<const unsigned char*>(tensor.const_data_ptr());
      if (std::any_of(bytes, bytes + tensor.numel(), [](unsigned char byte) { return byte > 1; }))
        fail(Fault::format, file.source, ": no valid safetensors file: tensor '", entry.name,
             "' is BOOL, but holds bytes other than 0 and 1");
    }
    result.tensors.emplace_back(entry.name, tensor);
  }
  result.metadata = std::move(file.header.metadata);
  return result;
}

OptionMap read_safetensors_metadata(const fs::path& path) {
  return std::move(open_file(path).header.metadata);
}

}  // namespace gsan
