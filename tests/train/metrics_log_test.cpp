#include "gsan/train/metrics_log.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "train/file_size_limit.h"

namespace gsan {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<EpochMetrics> sample() {
  return {{0, {{"train.loss", 0.1}}},
          {1, {{"train.loss", nan}, {"validation.a,b", 1.0 / 3}}},
          {2, {{"train.loss", 1e-300}}}};
}

void write(const std::filesystem::path& path) {
  MetricsLog log(path);
  for (const EpochMetrics& line : sample()) log.append(line);
}

TEST(MetricsLog, RoundTripWithEveryBit) {
  const TemporaryFolder folder;
  write(folder / "m");
  const auto read = read_metrics(folder / "m");
  ASSERT_EQ(read.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[i].epoch, static_cast<std::int64_t>(i));
    ASSERT_EQ(read[i].values.size(), sample()[i].values.size());
    for (std::size_t j = 0; j < read[i].values.size(); ++j) {
      EXPECT_EQ(read[i].values[j].first, sample()[i].values[j].first);
      const double expected = sample()[i].values[j].second;
      EXPECT_TRUE(read[i].values[j].second == expected || std::isnan(expected));
    }
  }
  EXPECT_EQ(read_file(folder / "m").substr(0, 32), "{\"epoch\":1,\"train.loss\":0.1}\n{\"e");
}

TEST(MetricsLog, CuttingKeepsEarlierEpochsAndDropsABrokenLine) {
  const TemporaryFolder folder;
  write(folder / "m");
  const std::string whole = read_file(folder / "m");
  cut_metrics(folder / "m", 3);
  EXPECT_EQ(read_file(folder / "m"), whole);
  write_file_atomically(folder / "m", whole + "{\"epoch\":4,\"tra");
  EXPECT_EQ(read_metrics(folder / "m").size(), 3U);
  cut_metrics(folder / "m", 9);
  EXPECT_EQ(read_file(folder / "m"), whole);
  cut_metrics(folder / "m", 1);
  EXPECT_EQ(read_file(folder / "m"), "{\"epoch\":1,\"train.loss\":0.1}\n");
  cut_metrics(folder / "m", 0);
  EXPECT_EQ(read_file(folder / "m"), "");
  cut_metrics(folder / "none", 0);
}

TEST(MetricsLog, TheTableHasAColumnForEveryName) {
  const TemporaryFolder folder;
  write_metrics_csv(folder / "m.csv", sample());
  EXPECT_EQ(read_file(folder / "m.csv"),
            "epoch,train.loss,\"validation.a,b\"\n1,0.1,\n2,nan,0.3333333333333333\n3,1e-300,\n");
}

TEST(MetricsLog, ALineThatIsNoneIsAnErrorWithItsNumber) {
  const TemporaryFolder folder;
  for (const char* bad : {"[]", "{\"epoch\":\"x\"}", "{}", "{\"epoch\":2,\"a\":\"b\"}", "{\"epoch\":"}) {
    write_file_atomically(folder / "m", std::string("{\"epoch\":1}\n") + bad + "\n");
    expect_error(Fault::format, {"m:2", "JSON"}, [&] { read_metrics(folder / "m"); });
  }
  for (const char* epoch : {"0", "-9223372036854775808"}) {
    write_file_atomically(folder / "m", concat("{\"epoch\":", epoch, "}\n"));
    expect_error(Fault::format, {"m:1", "count from 1", "older version"},
                 [&] { read_metrics(folder / "m"); });
  }
  write_file_atomically(folder / "m", "{\"epoch\":18446744073709551615}\n");
  expect_error(Fault::format, {"m:1", "epoch", "18446744073709551615"}, [&] { read_metrics(folder / "m"); });
}

TEST(MetricsLog, AFullDiskLeavesWholeLines) {
  const TemporaryFolder folder;
  MetricsLog log(folder / "m");
  log.append(sample()[0]);
  {
    const FileSizeLimit full(40);
    expect_error(Fault::io, {"cannot write"}, [&] { log.append(sample()[1]); });
  }
  EXPECT_EQ(read_file(folder / "m"), "{\"epoch\":1,\"train.loss\":0.1}\n");
  log.append(sample()[1]);
  EXPECT_EQ(read_metrics(folder / "m").size(), 2U);
}

}  // namespace
}  // namespace gsan
