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
  record.test_details =
      MetricDetails{.order = 1,
                    .metrics = {{"accuracy", 75}, {"auc", 1.0 / 3}},
                    .classes = {{"a", 3, 100, 200.0 / 3, 80}, {"b \"c\"", 1, 50, 100, std::nan("")}},
                    .confusion = ConfusionMatrix{{"a", "b \"c\""}, {2, 1, 0, 1}}};
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
  ASSERT_TRUE(read.test_details && read.test_details->confusion);
  EXPECT_EQ(read.test_details->order, 1);
  EXPECT_EQ(read.test_details->metrics, record.test_details->metrics);
  EXPECT_EQ(read.test_details->confusion->counts, (std::vector<std::int64_t>{2, 1, 0, 1}));
  EXPECT_TRUE(std::isnan(read.test_details->classes[1].f1));
  write_record(folder / "again.json", read);
  EXPECT_EQ(read_file(folder / "again.json"), read_file(folder / "results.json"));
}

TEST(RunRecord, MayBeOfBeforeThereWereDetailsAndIsRefusedWithDamagedOnes) {
  const TemporaryFolder folder;
  RunRecord record;
  record.test = {{"mae", 2}};
  EXPECT_EQ(record_text(record).find("test_details"), std::string::npos);
  EXPECT_FALSE(parse_record(record_text(record), "old").test_details);
  record.test_details = MetricDetails{
      .metrics = {{"mae", 2}}, .classes = {{"a", 1, 1, 1, 1}}, .confusion = ConfusionMatrix{{"a"}, {1}}};
  std::string text = record_text(record);
  const std::string before = "\"confusion\": [";
  text.insert(text.find(before) + before.size(), "[7],");
  expect_error(Fault::format, {"some.json", "1 classes cannot have 2 counts"},
               [&] { parse_record(text, "some.json"); });
}

TEST(RunRecord, AChosenEpochBelowNoneIsRefused) {
  std::string text = record_text(RunRecord());
  const std::string stored = "\"chosen_epoch\": 0";
  ASSERT_NE(text.find(stored), std::string::npos);
  text.replace(text.find(stored), stored.size(), "\"chosen_epoch\": -2147483648");  // less 1: no int
  expect_error(Fault::format, {"some.json", "chosen_epoch is -2147483648"},
               [&] { parse_record(text, "some.json"); });
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
