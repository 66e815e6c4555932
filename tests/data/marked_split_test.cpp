#include "gsan/data/marked_split.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

std::size_t size_of(const Split& split) {
  return split.train.size() + split.validation.size() + split.test.size();
}

TEST(SplitByTime, TheLatestAreTheTestAndTheEarliestTrain) {
  const std::vector<double> times{9, 0, 8, 1, 7, 2, 6, 3, 5, 4};
  const Split split = split_by_time(times, 0.2, 0.3);
  EXPECT_EQ(split.test, (Items{0, 2, 4}));         // 9, 8, 7
  EXPECT_EQ(split.validation, (Items{6, 8}));      // 6, 5
  EXPECT_EQ(split.train, (Items{1, 3, 5, 7, 9}));  // 0 ... 4
}

TEST(SplitByTime, ItemsOfOneTimeStayTogether) {
  // Shares of 3 and 3 of 10 would cut through the 1s and the 2s.
  const std::vector<double> times{0, 0, 0, 1, 1, 2, 2, 2, 2, 3};
  const Split split = split_by_time(times, 0.3, 0.3);
  const auto times_of = [&](const Items& part) {
    std::set<double> all;
    for (const std::int64_t i : part) all.insert(times[static_cast<std::size_t>(i)]);
    return all;
  };
  EXPECT_EQ(times_of(split.train), (std::set<double>{0}));
  EXPECT_EQ(times_of(split.validation), (std::set<double>{1}));
  EXPECT_EQ(times_of(split.test), (std::set<double>{2, 3}));
  EXPECT_EQ(size_of(split), times.size());
}

TEST(SplitByTime, SharesWithoutAChangeOfTimeAreRefused) {
  const std::vector<double> two{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, one(10, 4.0);
  EXPECT_EQ(split_by_time(two, 0, 0.5).test, (Items{5, 6, 7, 8, 9}));
  expect_error(Fault::argument, {"no validation part", "2 different times", "split.borders"},
               [&] { split_by_time(two, 0.2, 0.4); });
  expect_error(Fault::argument, {"10 items", "1 different times"}, [&] { split_by_time(one, 0.2, 0.2); });
}

TEST(SplitByTime, BordersBelongToTheEarlierPart) {
  const std::vector<double> times{10, 20, 30, 10.5, 20.5};
  const Split split = split_at_borders(times, 10, 20);
  EXPECT_EQ(split.train, (Items{0}));
  EXPECT_EQ(split.validation, (Items{1, 3}));
  EXPECT_EQ(split.test, (Items{2, 4}));
}

// 30 groups of 1 … 9 items with two classes, and 20 items of none.
struct Sample {
  std::vector<std::int64_t> groups{}, labels{};
};
Sample grouped() {
  Sample sample;
  RandomStream stream(3, "sample");
  for (std::int64_t group = 0; group < 30; ++group)
    for (std::uint64_t i = 0; i < 1 + stream.below(9); ++i) {
      sample.groups.push_back(group * 7);
      sample.labels.push_back(stream.below(4) == 0 ? 1 : 0);
    }
  for (int i = 0; i < 20; ++i) {
    sample.groups.push_back(no_group);
    sample.labels.push_back(i % 2);
  }
  return sample;
}

TEST(SplitByGroup, NoGroupIsCutAndSharesAndClassesAreKept) {
  const Sample sample = grouped();
  const auto count = static_cast<double>(sample.groups.size());
  const auto ones = static_cast<double>(std::count(sample.labels.begin(), sample.labels.end(), 1));
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Split split = split_by_group(sample.labels, sample.groups, 0.2, 0.3, RandomStream(seed, "s"));
    EXPECT_EQ(size_of(split), sample.groups.size());
    std::set<std::int64_t> seen;
    for (const auto& [part, share] :
         {std::pair{&split.train, 0.5}, std::pair{&split.validation, 0.2}, std::pair{&split.test, 0.3}}) {
      EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
      EXPECT_NEAR(static_cast<double>(part->size()) / count, share, 0.04) << seed;
      double positives = 0;
      std::set<std::int64_t> groups;
      for (const std::int64_t i : *part) {
        positives += sample.labels[static_cast<std::size_t>(i)] == 1;
        if (sample.groups[static_cast<std::size_t>(i)] != no_group)
          groups.insert(sample.groups[static_cast<std::size_t>(i)]);
      }
      EXPECT_NEAR(positives / ones, share, 0.08) << seed;
      for (const std::int64_t group : groups) EXPECT_TRUE(seen.insert(group).second) << group;
    }
  }
}

TEST(SplitByGroup, IsAFunctionOfTheSeed) {
  const Sample sample = grouped();
  const auto test_of = [&](std::uint64_t seed) {
    return split_by_group(sample.labels, sample.groups, 0.2, 0.2, RandomStream(seed, "s")).test;
  };
  EXPECT_EQ(test_of(1), test_of(1));
  EXPECT_NE(test_of(1), test_of(2));
}

TEST(SplitByGroup, EveryPartWithAShareGetsAGroup) {
  const std::vector<std::int64_t> groups{5, 5, 5, 5, 5, 5, 5, 5, 6, 7}, labels(10, 0);
  const Split split = split_by_group(labels, groups, 0.1, 0.1, RandomStream(0, "s"));
  EXPECT_EQ(split.train.size(), 8u);
  EXPECT_EQ(split.validation.size(), 1u);
  EXPECT_EQ(split.test.size(), 1u);
  const std::vector<std::int64_t> two{5, 5, 5, 5, 5, 5, 5, 5, 6, 6};
  EXPECT_TRUE(split_by_group(labels, two, 0, 0.1, RandomStream(0, "s")).validation.empty());
  expect_error(Fault::argument, {"3 parts", "have 2"},
               [&] { split_by_group(labels, two, 0.1, 0.1, RandomStream(0, "s")); });
}

TEST(SplitByGroup, FoldsPartitionTheGroups) {
  const Sample sample = grouped();
  std::set<std::int64_t> tested;
  for (int fold = 0; fold < 5; ++fold) {
    const Split split =
        split_of_group_fold(sample.labels, sample.groups, 5, fold, 0.25, RandomStream(1, "s"));
    EXPECT_EQ(size_of(split), sample.groups.size());
    EXPECT_FALSE(split.validation.empty());
    for (const std::int64_t i : split.test) EXPECT_TRUE(tested.insert(i).second);
    std::set<std::int64_t> of_test;
    for (const std::int64_t i : split.test) of_test.insert(sample.groups[static_cast<std::size_t>(i)]);
    of_test.erase(no_group);
    for (const Items* part : {&split.train, &split.validation})
      for (const std::int64_t i : *part)
        EXPECT_FALSE(of_test.contains(sample.groups[static_cast<std::size_t>(i)]));
  }
  EXPECT_EQ(tested.size(), sample.groups.size());
}

TEST(ParseTime, ReadsNumbersAndDates) {
  const auto seconds = [](const char* text) {
    const auto time = parse_time(text);
    return time && time->is_date ? time->value : -1;
  };
  EXPECT_EQ(parse_time("-2.5")->value, -2.5);
  EXPECT_FALSE(parse_time("2024")->is_date);
  EXPECT_EQ(seconds("1970-01-02"), 86400);
  EXPECT_EQ(seconds("2024-02-29"), 1709164800);
  EXPECT_EQ(seconds("2024-02-29T12:30"), 1709164800 + 45000);
  EXPECT_EQ(seconds("2024-02-29 12:30:01.5Z"), 1709164800 + 45001.5);
  EXPECT_EQ(seconds("2024-02-29T12:30:00+01:30"), 1709164800 + 39600);
  EXPECT_EQ(seconds("2024-02-29T12:30:00-0130"), 1709164800 + 50400);
  for (const char* none : {"", "soon", "nan", "inf", "2023-02-29", "2024-13-01", "2024-1-1", "2024-02-29T",
                           "2024-02-29T25:00", "2024-02-29T12:5", "2024-02-29T12:30+", "2024-02-29x12:30"})
    EXPECT_FALSE(parse_time(none)) << none;
}

TEST(ParsePart, KnowsTheUsualWords) {
  EXPECT_EQ(parse_part("train"), Part::train);
  for (const char* word : {"validation", "val", "Valid"}) EXPECT_EQ(parse_part(word), Part::validation);
  EXPECT_EQ(parse_part("TEST"), Part::test);
  EXPECT_EQ(parse_part(""), Part::none);
  EXPECT_FALSE(parse_part("dev"));
}

}  // namespace
}  // namespace gsan
