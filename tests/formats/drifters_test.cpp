#include "gsan/data/formats/arrays/drifters.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/temporary_folder.h"

#ifdef GSAN_HAVE_HDF5

#include <hdf5.h>

namespace gsan {
namespace {

// Writes a file like the published one, with one thing left out or made odd.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~Writer() { H5Fclose(file_); }
  Writer(const Writer&) = delete;

  void add(const char* name, hid_t type, const std::vector<hsize_t>& sizes, const void* values) {
    const hid_t space = sizes.empty()
                            ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
    const hid_t set = H5Dcreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
  }
  void add_integers(const char* name, const std::vector<hsize_t>& sizes,
                    const std::vector<std::int64_t>& values) {
    add(name, H5T_NATIVE_INT64, sizes, values.data());
  }
  hobj_ref_t reference(const std::string& name) {
    hobj_ref_t reference{};
    H5Rcreate(&reference, file_, name.c_str(), H5R_OBJECT, -1);
    return reference;
  }
  void add_references(const char* name, const std::vector<std::string>& targets) {
    std::vector<hobj_ref_t> list;
    for (const std::string& target : targets) list.push_back(reference(target));
    add(name, H5T_STD_REF_OBJ, {list.size()}, list.data());
  }
  void add_centres(std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < 2 * count; ++i) values.push_back(0.5 * static_cast<double>(i));
    const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "1", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(pair, "2", 8, H5T_NATIVE_DOUBLE);
    add("HexcentersXY", pair, {count}, values.data());
    H5Tclose(pair);
  }
  // The path 1 2 3 as references to single integers, and 3 1 as integers.
  void add_paths() {
    for (const std::int64_t node : {1, 2, 3}) add_integers(("n" + std::to_string(node)).c_str(), {}, {node});
    add_references("path", {"n1", "n2", "n3"});
    add_integers("plain", {2}, {3, 1});
    add_references("TrajectoriesNodes", {"path", "plain"});
  }

 private:
  hid_t file_;
};

TEST(Drifters, ReadsWhatIsStoredCountedFromZero) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.jld2");
    writer.add_integers("elist", {2, 3}, {1, 1, 2, 2, 3, 3});
    writer.add_integers("tlist", {3, 1}, {1, 2, 3});
    writer.add_centres(4);
    writer.add_paths();
  }
  const DrifterFile drifters = read_drifters(folder / "a.jld2");
  EXPECT_EQ(drifters.edges, (std::vector<std::array<Vertex, 2>>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(drifters.triangles, (std::vector<std::array<Vertex, 3>>{{0, 1, 2}}));
  ASSERT_EQ(drifters.centres.size(), 4u);
  EXPECT_EQ(drifters.centres[3], (std::array<double, 2>{3.0, 3.5}));
  EXPECT_EQ(drifters.paths, (std::vector<std::vector<Vertex>>{{0, 1, 2}, {2, 0}}));
}

TEST(Drifters, ErrorsNameTheDatasetAndNothingIsPrinted) {
  const TemporaryFolder folder;
  int number = 0;
  const auto fails = [&](std::initializer_list<std::string> words, auto&& write) {
    const std::filesystem::path path = folder / (std::to_string(++number) + ".jld2");
    {
      Writer writer(path);
      write(writer);
    }
    testing::internal::CaptureStderr();
    expect_error(Fault::format, words, [&] { read_drifters(path); });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  };
  fails({"1.jld2", "HexcentersXY", "missing"}, [](Writer&) {});
  fails({"elist", "missing"}, [](Writer& writer) { writer.add_centres(3); });
  fails({"HexcentersXY", "pair"}, [](Writer& writer) {
    writer.add_integers("HexcentersXY", {3}, {1, 2, 3});
  });
  fails({"elist", "2 rows"}, [](Writer& writer) {
    writer.add_centres(3);
    writer.add_integers("elist", {3, 1}, {1, 2, 3});
  });
  fails({"elist", "node 4", "1 … 3"}, [](Writer& writer) {
    writer.add_centres(3);
    writer.add_integers("elist", {2, 1}, {1, 4});
  });
  fails({"elist", "integers"}, [](Writer& writer) {
    writer.add_centres(3);
    const double values[] = {1, 2};
    writer.add("elist", H5T_NATIVE_DOUBLE, {2, 1}, values);
  });
  const auto start = [](Writer& writer) {
    writer.add_centres(3);
    writer.add_integers("elist", {2, 1}, {1, 2});
    writer.add_integers("tlist", {3, 0}, {});
  };
  fails({"TrajectoriesNodes", "references"}, [&](Writer& writer) {
    start(writer);
    writer.add_integers("TrajectoriesNodes", {2}, {1, 2});
  });
  fails({"TrajectoriesNodes", "does not point to a dataset"}, [&](Writer& writer) {
    start(writer);
    writer.add_references("TrajectoriesNodes", {"/"});
  });
  fails({"TrajectoriesNodes", "one integer"}, [&](Writer& writer) {
    start(writer);
    writer.add_integers("pair", {2}, {1, 2});
    writer.add_references("path", {"pair"});
    writer.add_references("TrajectoriesNodes", {"path"});
  });
  fails({"TrajectoriesNodes", "node 0"}, [&](Writer& writer) {
    start(writer);
    writer.add_integers("plain", {2}, {1, 0});
    writer.add_references("TrajectoriesNodes", {"plain"});
  });
}

TEST(Drifters, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  expect_error(Fault::io, {"none.jld2"}, [&] { read_drifters(folder / "none.jld2"); });
  std::ofstream(folder / "text.jld2") << "no HDF5 at all";
  testing::internal::CaptureStderr();
  expect_error(Fault::format, {"text.jld2", "HDF5"}, [&] { read_drifters(folder / "text.jld2"); });
  {
    Writer writer(folder / "good.jld2");
    writer.add_integers("elist", {2, 1}, {1, 2});
    writer.add_integers("tlist", {3, 0}, {});
    writer.add_centres(3);
    writer.add_paths();
  }
  const auto size = std::filesystem::file_size(folder / "good.jld2");
  for (std::uintmax_t cut = 0; cut < size; cut += 97) {
    std::filesystem::copy_file(folder / "good.jld2", folder / "cut.jld2",
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(folder / "cut.jld2", cut);
    EXPECT_THROW(read_drifters(folder / "cut.jld2"), Error) << cut;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Drifters, DamageThatCrashesTheLibraryIsAnError) {
  for (const char* name : {"crash_in_library_1", "crash_in_library_2"}) {
    testing::internal::CaptureStderr();
    const std::string path = std::string(GSAN_SOURCE_DIR "/tests/fuzz/regressions/drifters/") + name;
    expect_error(Fault::format, {name}, [&] { read_drifters(path); });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
}

TEST(Drifters, ReferencesThatRepeatDoNotMultiplyAFile) {
  const TemporaryFolder folder;
  {
    Writer writer(folder / "a.jld2");
    writer.add_integers("elist", {2, 1}, {1, 2});
    writer.add_integers("tlist", {3, 0}, {});
    writer.add_centres(3);
    const std::vector<std::int8_t> path(20'000, 1);
    writer.add("path", H5T_NATIVE_INT8, {path.size()}, path.data());
    writer.add_references("TrajectoriesNodes", std::vector<std::string>(10'000, "path"));
  }
  expect_error(Fault::format, {"a.jld2", "TrajectoriesNodes", "references repeat"},
               [&] { read_drifters(folder / "a.jld2"); });
}

}  // namespace
}  // namespace gsan

#else

namespace gsan {
namespace {

TEST(Drifters, WithoutHdf5TheErrorSaysWhatToInstall) {
  EXPECT_FALSE(has_hdf5());
  expect_error(Fault::argument, {"libhdf5-dev"}, [] { read_drifters("a.jld2"); });
}

}  // namespace
}  // namespace gsan

#endif
