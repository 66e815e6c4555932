#include "gsan/train/run_record.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

TEST(RunRecord, ComesBackFromItsFile) {
  const TemporaryFolder folder;
  RunRecord record;
  record.task = "trajectory";
  record.protocol = "strict";
  record.data = "flow";
  record.model = "gsan";
  record.seed = 18446744073709551615U;
  record.end = "early_stopped";
  record.epochs = 12;
  record.best_epoch = 3;
  record.parameters = 1234;
  record.choosing_metric = "accuracy";
  record.headline_metric = "accuracy";
  record.validation = {{"accuracy", 0.1 + 0.2}, {"loss", std::numeric_limits<double>::quiet_NaN()}};
  record.test = {{"loss", 1e-300}};
  record.rules = {{"logistic regression on |x|", {{"accuracy", 50}}}};
  record.remarks = {"one \"thing\""};
  record.seconds = 1.5;
  record.epoch_seconds = 0.125;
  write_record(folder / "results.json", record);
  const RunRecord read = read_record(folder / "results.json");
  EXPECT_EQ(read.seed, record.seed);
  EXPECT_EQ(read.epoch_seconds, record.epoch_seconds);
  EXPECT_EQ(read.validation[0], record.validation[0]);
  EXPECT_TRUE(std::isnan(read.validation[1].second));
  EXPECT_EQ(read.rules[0].name, record.rules[0].name);
  EXPECT_EQ(read.rules[0].metrics, record.rules[0].metrics);
  EXPECT_NE(record_text(record).find("\"rules\""), std::string::npos);
  EXPECT_EQ(read.remarks, record.remarks);
  write_record(folder / "again.json", read);
  EXPECT_EQ(read_file(folder / "again.json"), read_file(folder / "results.json"));
}

TEST(RunRecord, AnotherFileIsAFormatFault) {
  const TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{\"task\": 3}", "{\"task\": \"x\"}"}) {
    write_file_atomically(folder / "results.json", text);
    expect_error(Fault::format, {"results.json", "no record"}, [&] { read_record(folder / "results.json"); });
  }
}

}  // namespace
}  // namespace gsan
