#include "gsan/data/split.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

std::vector<std::int64_t> labels(std::int64_t zeros, std::int64_t ones) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(zeros), 0);
  all.insert(all.end(), static_cast<std::size_t>(ones), 1);
  return all;
}

std::int64_t ones_in(const Items& items, const std::vector<std::int64_t>& of) {
  return std::count_if(items.begin(), items.end(), [&](std::int64_t i) { return of[i] == 1; });
}

void expect_partition(const Split& split, std::size_t count) {
  std::set<std::int64_t> all;
  for (const Items* part : {&split.train, &split.validation, &split.test}) {
    EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
    all.insert(part->begin(), part->end());
  }
  EXPECT_EQ(all.size(), count);
  EXPECT_EQ(split.train.size() + split.validation.size() + split.test.size(), count);
}

TEST(StratifiedSplit, SharesEveryClassAndLosesNothing) {
  const auto of = labels(60, 40);
  const Split split = stratified_split(of, 0.2, 0.2, RandomStream(1, "split"));
  expect_partition(split, 100);
  EXPECT_EQ(split.test.size(), 20U);
  EXPECT_EQ(split.validation.size(), 20U);
  EXPECT_EQ(ones_in(split.test, of), 8);
  EXPECT_EQ(ones_in(split.validation, of), 8);
}

TEST(StratifiedSplit, IsAFunctionOfTheSeed) {
  const auto of = labels(30, 30);
  const auto test_of = [&](std::uint64_t seed) {
    return stratified_split(of, 0.1, 0.2, RandomStream(seed, "s")).test;
  };
  EXPECT_EQ(test_of(1), test_of(1));
  EXPECT_NE(test_of(1), test_of(2));
}

TEST(StratifiedSplit, SmallClassesStillAddUpToTheShare) {
  std::vector<std::int64_t> of;
  for (std::int64_t label = 0; label < 20; ++label) of.insert(of.end(), 3, label);
  const Split split = stratified_split(of, 0, 0.1, RandomStream(3, "s"));
  expect_partition(split, 60);
  EXPECT_EQ(split.test.size(), 6U);
}

TEST(StratifiedFolds, DifferByOneItemAtMostInSizeAndClass) {
  const auto of = labels(663, 450);
  const std::vector<int> folds = stratified_folds(of, 10, RandomStream(0, "folds"));
  for (int f = 0; f < 10; ++f) {
    std::int64_t all = 0, ones = 0;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      all += folds[i] == f;
      ones += folds[i] == f && of[i] == 1;
    }
    EXPECT_NEAR(static_cast<double>(all), 111.3, 1);
    EXPECT_NEAR(static_cast<double>(ones), 45, 1);
    expect_partition(split_of_fold(of, folds, f, 0.1, RandomStream(0, "inner")), of.size());
  }
}

TEST(StratifiedFolds, RefuseWhatCannotBe) {
  const auto of = labels(2, 1);
  expect_error(Fault::argument, {"4 folds", "got 3"}, [&] { stratified_folds(of, 4, RandomStream(0, "f")); });
  expect_error(Fault::argument, {"0.7", "0.5"},
               [&] { stratified_split(of, 0.7, 0.5, RandomStream(0, "f")); });
}

TEST(SplitFile, ReadsBackAndRefusesLeaks) {
  const TemporaryFolder folder;
  const Split split = stratified_split(labels(9, 7), 0.25, 0.25, RandomStream(5, "s"));
  write_split(folder / "split.json", split);
  const Split again = read_split(folder / "split.json", 16);
  EXPECT_EQ(again.train, split.train);
  EXPECT_EQ(again.test, split.test);
  const auto refused = [&](const char* text, std::initializer_list<std::string> words) {
    write_file_atomically(folder / "bad.json", text);
    expect_error(Fault::format, words, [&] { read_split(folder / "bad.json", 4); });
  };
  refused(R"({"train": [0, 1], "validation": [2], "test": [1]})", {"test", "one part only", "got 1"});
  refused(R"({"train": [0, 4], "validation": [], "test": []})", {"train", "got 4"});
  refused(R"({"train": [1, 0], "validation": [], "test": []})", {"increase"});
  refused(R"({"train": [0]})", {"no split file"});
  refused("[", {"no split file"});
}

}  // namespace
}  // namespace gsan
