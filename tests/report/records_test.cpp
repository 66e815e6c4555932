#include "gsan/report/records.h"

#include <limits>

#include <gtest/gtest.h>

#include "report/sample_records.h"
#include "support/expect_error.h"

namespace gsan::report {
namespace {

void expect_same(const Record& a, const Record& b) {
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.resolved, b.resolved);
  EXPECT_EQ(a.resolved_by, b.resolved_by);
  EXPECT_EQ(a.origin.commit, b.origin.commit);
  EXPECT_EQ(a.origin.is_changed_tree, b.origin.is_changed_tree);
  EXPECT_EQ(a.origin.machine, b.origin.machine);
  EXPECT_EQ(a.origin.device, b.origin.device);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.epochs, b.epochs);
  EXPECT_EQ(a.epoch_seconds, b.epoch_seconds);
  EXPECT_EQ(a.validation, b.validation);
  EXPECT_EQ(a.test, b.test);
  EXPECT_EQ(a.last, b.last);
  EXPECT_EQ(a.curve, b.curve);
  ASSERT_EQ(a.rules.size(), b.rules.size());
  for (std::size_t i = 0; i < a.rules.size(); ++i) {
    EXPECT_EQ(a.rules[i].name, b.rules[i].name);
    EXPECT_EQ(a.rules[i].metrics, b.rules[i].metrics);
  }
}

TEST(Records, ALineIsReadBackBitForBit) {
  Record record = sample_record();
  record.key.by_hand = {"train.epochs=3"};
  record.resolved_by = "present config";
  record.origin.is_changed_tree = true;
  record.origin.device = "cuda";
  record.curve = {54.955, 60};
  const std::string line = record_line(record);
  EXPECT_EQ(line.find('\n'), line.npos);
  expect_same(parse_record_line(line), record);
  expect_same(parse_record_line(record_line(sample_rules())), sample_rules());
}

TEST(Records, AValueIsThatOfTheHeadlineOfTheModelOrOfARule) {
  EXPECT_EQ(sample_record().value(""), 100.0 / 3);
  EXPECT_EQ(sample_record().value("majority class"), std::nullopt);
  EXPECT_EQ(sample_rules().value("regression on |x|"), 85.5);
  EXPECT_EQ(sample_rules().value(""), std::nullopt);
  Record broken = sample_record();
  broken.test = {{"accuracy", std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(broken.value(""), std::nullopt);
  EXPECT_EQ(parse_record_line(record_line(broken)).value(""), std::nullopt);
}

TEST(Records, OverridesEndWithTheSeedAndWhatIsSetByHand) {
  RunKey key = sample_record().key;
  key.by_hand = {"split.fold=2"};
  EXPECT_EQ(key.overrides(),
            (std::vector<std::string>{"split.fold=1", "protocol=published", "seed=3", "split.fold=2"}));
}

TEST(Records, WhatIsNotARecordIsRefused) {
  for (const char* line : {"", "[]", "{}", "{\"config\": 3}", "\x01\x02"})
    EXPECT_THROW(parse_record_line(line), Error) << line;
  std::string line = record_line(sample_record());
  EXPECT_THROW(parse_record_line(line.substr(0, line.size() / 2)), Error);
}

TEST(Records, AChangedOrUnknownTreeIsNotRecorded) {
  EXPECT_EQ(refusal_to_record("44771aa"), std::nullopt);
  EXPECT_NE(refusal_to_record("44771aa-dirty")->find("changed tree (44771aa-dirty)"), std::string::npos);
  EXPECT_NE(refusal_to_record("")->find("does not know the commit"), std::string::npos);
  Origin origin;
  set_revision(origin, "44771aa-dirty");
  EXPECT_TRUE(origin.is_changed_tree);
  EXPECT_EQ(origin.commit, "44771aa");
  set_revision(origin, "44771aa");
  EXPECT_FALSE(origin.is_changed_tree);
}

}  // namespace
}  // namespace gsan::report
