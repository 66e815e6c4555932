#include "gsan/data/formats/gzip.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/data/formats/read_complex.h"

#include "samples.h"
#include "support/expect_error.h"
#include "support/gzip_sample.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

class Gzip : public testing::Test {
 protected:
  void SetUp() override {
    try {
      unpacked(gzipped("x"), "x.gz");
    } catch (const Error& error) {
      if (error.fault() == Fault::io) GTEST_SKIP() << "this build is without zlib";
    }
  }
  TemporaryFolder folder_;
};

TEST_F(Gzip, MembersAreJoinedAndPlainBytesStay) {
  const std::string large(200'000, 'y');
  EXPECT_EQ(unpacked(gzipped(large), "a.gz"), large);
  EXPECT_EQ(unpacked(gzipped("one ") + gzipped("") + gzipped("two") + std::string(7, '\0'), "a.gz"),
            "one two");
  EXPECT_EQ(unpacked("1 2\n", "a"), "1 2\n");
  EXPECT_EQ(unpacked("", "a"), "");
  EXPECT_EQ(without_gz("a.csv.gz"), "a.csv");
  EXPECT_EQ(without_gz("a.csv"), "a.csv");
}

TEST_F(Gzip, ABombStopsAtTheLimit) {
  const std::string packed = gzipped(std::string(100'000, 'z'));
  EXPECT_EQ(unpacked(packed, "bomb.gz", 100'000).size(), 100'000u);
  expect_error(Fault::resource, {"bomb.gz", "max_unpacked_bytes = 99999"},
               [&] { unpacked(packed, "bomb.gz", 99'999); });
  expect_error(Fault::resource, {"bomb.gz"}, [&] { unpacked(packed + packed, "bomb.gz", 150'000); });
}

TEST_F(Gzip, EveryTruncationAndChangeIsAnErrorOrGood) {
  const std::string packed = gzipped("1 2 3\n4 5\n");
  for (std::size_t size = 2; size < packed.size(); ++size)
    expect_error(Fault::format, {"a.gz"}, [&] { unpacked(packed.substr(0, size), "a.gz"); });
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string changed = packed;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    try {
      unpacked(changed, "a.gz");
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::format) << error.what();
    }
  }
  expect_error(Fault::format, {"a.gz", "other bytes"}, [&] { unpacked(packed + "more", "a.gz"); });
}

TEST_F(Gzip, EveryFormatOfComplexesAndSignals) {
  for (const Sample& sample : samples()) {
    if (sample.format == "signal") {
      write_file_atomically(folder_ / "s.csv.gz", gzipped(sample.bytes));
      EXPECT_EQ(read_signal(folder_ / "s.csv.gz").values, parse_signal(sample.bytes, "s").values);
      continue;
    }
    const std::string extension(complex_format(sample.format).extensions.front());
    const std::string path = folder_ / ("c" + extension + ".gz");
    write_file_atomically(path, gzipped(sample.bytes));
    EXPECT_EQ(read_complex(path).listed.complex,
              complex_format(sample.format).parse(sample.bytes, "c", {}).listed.complex)
        << path;
  }
  write_file_atomically(folder_ / "c.csv.gz", gzipped("source,target\n1,2\n"));
  EXPECT_EQ(read_complex(folder_ / "c.csv.gz").listed.complex.count(1), 1);
}

}  // namespace
}  // namespace gsan
