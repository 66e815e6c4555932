#include "gsan/train/events.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/temporary_folder.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

void write_sample(const fs::path& path) {
  EventWriter writer(path);
  writer.add(0, 1000.5, {{"train.loss", 0.5}, {"validation.accuracy", 0.25}});
  writer.add(1, 1001.5, {{"train.loss", -1.5}});
  writer.add(300, 1002.5, {{"train.loss", 3}, {"plain", 1e-3}});
}

// RFC 3720, B.4, and the check value of the CRC catalogue.
TEST(Events, Crc32cOfKnownTexts) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Events, CuttingKeepsEarlierStepsAndDropsABrokenEnd) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.tfevents";
  write_sample(path);
  const std::string whole = read_file(path);
  cut_events(path, 301);
  EXPECT_EQ(read_file(path), whole);
  cut_events(path, 300);
  const std::string two = read_file(path);
  EXPECT_EQ(two, whole.substr(0, two.size()));
  EXPECT_LT(two.size(), whole.size());
  for (std::size_t length = two.size(); length < whole.size(); ++length) {
    write_file_atomically(path, whole.substr(0, length));
    cut_events(path, 1000);
    EXPECT_EQ(read_file(path), two) << length;
  }
  { EventWriter(path).add(300, 1002.5, {{"train.loss", 3}, {"plain", 1e-3}}); }
  EXPECT_EQ(read_file(path), whole);
  cut_events(path, 0);  // the record with the version stays
  EXPECT_GT(read_file(path).size(), 16U);
  cut_events(folder / "none", 0);
}

// Read by events_test.py.
TEST(Events, WritesWhatOtherReadersCheck) {
  const char* path = std::getenv("GSAN_EVENTS_OUT");
  if (path == nullptr) GTEST_SKIP() << "run by events_test.py";
  write_sample(path);
}

}  // namespace
}  // namespace gsan
