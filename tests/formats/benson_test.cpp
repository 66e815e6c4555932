#include "gsan/data/formats/text/benson.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/data/formats/read_complex.h"

#include "support/expect_error.h"
#include "support/gzip_sample.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

class Benson : public testing::Test {
 protected:
  void write(const std::string& counts, const std::string& simplices, const std::string& times = "") {
    write_file_atomically(folder_ / "talks-nverts.txt", counts);
    write_file_atomically(folder_ / "talks-simplices.txt", simplices);
    if (!times.empty()) write_file_atomically(folder_ / "talks-times.txt", times);
  }
  TemporaryFolder folder_;
};

TEST_F(Benson, ByEachOfItsFilesAndByItsFolder) {
  write("3\n2\n1\n", "7\n5\n9\n5\n7\n11\n", "10\n20\n30\n");
  for (const char* name : {"talks-nverts.txt", "talks-simplices.txt", "talks-times.txt", ""}) {
    const ComplexFile file = read_complex(folder_ / name);
    EXPECT_EQ(file.listed.complex.count(0), 4) << name;
    EXPECT_EQ(file.listed.complex.count(1), 3) << name;
    EXPECT_EQ(file.listed.complex.count(2), 1) << name;
    EXPECT_EQ(file.listed.labels.find("11"), 3) << name;
    EXPECT_FALSE(file.has_points) << name;
  }
  EXPECT_EQ(read_complex(folder_.path(), "benson").listed.complex.count(2), 1);
}

TEST_F(Benson, ASimplexIsListedOnceWithItsCountAndFirstTime) {
  write("2\n3\n2\n2\n", "2\n1\n1\n2\n3\n1\n2\n3\n2\n", "50\n10\n40\n60\n");
  const ComplexFile file = read_complex(folder_ / "talks-nverts.txt");
  const ListedSimplices& edges = file.listed.list(1);
  EXPECT_EQ(edges.vertices, (std::vector<Vertex>{1, 0, 2, 1}));  // as they come first
  EXPECT_EQ(edges.signs, (std::vector<std::int8_t>{-1, -1}));
  EXPECT_EQ(file.values[1].names, (std::vector<std::string>{"count", "time"}));
  EXPECT_EQ(file.values[1].values, (std::vector<double>{2, 40, 1, 60}));
  EXPECT_EQ(file.values[2].values, (std::vector<double>{1, 10}));
  EXPECT_EQ(file.values[0].columns, 0u);

  std::filesystem::remove(folder_ / "talks-times.txt");
  const ComplexFile timeless = read_complex(folder_ / "talks-nverts.txt");
  EXPECT_EQ(timeless.values[1].names, (std::vector<std::string>{"count"}));
  EXPECT_EQ(timeless.values[1].values, (std::vector<double>{2, 1}));
}

TEST_F(Benson, GzippedFilesMixWithPlainOnes) {
  write("2\n", "1\n2\n");
  std::filesystem::remove(folder_ / "talks-simplices.txt");
  write_file_atomically(folder_ / "talks-simplices.txt.gz", gzipped("1\n2\n"));
  try {
    EXPECT_EQ(read_complex(folder_ / "talks-simplices.txt.gz").listed.complex.count(1), 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::io);  // without zlib
  }
  write_file_atomically(folder_ / "talks-simplices.txt", "1\n2\n");
  expect_error(Fault::format, {"talks-simplices.txt", ".gz", "take one"},
               [&] { read_complex(folder_ / "talks-nverts.txt"); });
}

TEST_F(Benson, LargeSimplicesNeedAMaxOrder) {
  std::string vertices;
  for (int v = 0; v < 40; ++v) vertices += std::to_string(v) + "\n";
  write("40\n", vertices);
  expect_error(Fault::resource, {"talks-nverts.txt:1", "40 vertices", "--max-order"},
               [&] { read_complex(folder_.path()); });
  ReadOptions options;
  options.max_order = 2;
  const ComplexFile file = read_complex(folder_.path(), "", options);
  EXPECT_EQ(file.listed.complex.order(), 2);
  EXPECT_EQ(file.listed.complex.count(1), 40 * 39 / 2);
  EXPECT_EQ(file.listed.complex.count(2), 40 * 39 * 38 / 6);
  EXPECT_EQ(file.listed.list(2).size(), 0);  // none of them was listed
  options.limits.max_simplices = 9000;
  expect_error(Fault::resource, {"9880", "40 vertices"}, [&] { read_complex(folder_.path(), "", options); });
}

TEST_F(Benson, FilesThatDisagreeAreErrorsAtTheirLine) {
  const auto refused = [&](const std::string& counts, const std::string& simplices, const std::string& times,
                           std::initializer_list<std::string> words) {
    write(counts, simplices, times);
    expect_error(Fault::format, words, [&] { read_complex(folder_ / "talks-nverts.txt"); });
  };
  refused("2\n2\n", "1\n2\n3\n", "", {"talks-nverts.txt:2", "2 vertices", "ends after 1"});
  refused("2\n", "1\n2\n3\n", "", {"talks-simplices.txt:3", "more vertices"});
  refused("2\n", "1\nx\n", "", {"talks-simplices.txt:2", "integer", "'x'"});
  refused("0\n", "", "", {"talks-nverts.txt:1", "at least one"});
  refused("999999999999999999\n", "1\n", "", {"talks-nverts.txt:1", "ends after 1"});
  refused("2\n", "4\n4\n", "", {"talks-nverts.txt:1", "must differ", "(4 4)"});
  refused("2\n1\n", "1\n2\n3\n", "5\n", {"talks-nverts.txt:2", "talks-times.txt ends"});
  refused("1\n", "1\n", "5\n6\n", {"talks-times.txt:2", "more times"});
  refused("1\n", "1\n", "soon\n", {"talks-times.txt:1", "'soon'"});
  ReadOptions options;
  options.skip_degenerate = true;
  write("2\n2\n", "4\n4\n4\n5\n", "1\n2\n");
  EXPECT_EQ(read_complex(folder_.path(), "", options).values[1].values, (std::vector<double>{1, 2}));
}

TEST_F(Benson, MissingFilesAndSeveralDatasetsAreNamed) {
  write("2\n", "1\n2\n");
  std::filesystem::remove(folder_ / "talks-simplices.txt");
  expect_error(Fault::io, {"talks-simplices.txt", "-nverts.txt"}, [&] { read_complex(folder_.path()); });
  write_file_atomically(folder_ / "walks-nverts.txt", "");
  expect_error(Fault::format, {"talks", "walks", "several datasets"}, [&] { read_complex(folder_.path()); });
  write_file_atomically(folder_ / "my-simplices.txt", "1 2 3\n");  // no -nverts.txt beside it
  EXPECT_EQ(read_complex(folder_ / "my-simplices.txt").listed.complex.count(2), 1);
  expect_error(Fault::argument, {"other.txt", "PREFIX-nverts.txt"},
               [&] { read_complex(folder_ / "other.txt", "benson"); });
}

}  // namespace
}  // namespace gsan
