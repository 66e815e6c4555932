#include "gsan/report/resolved_config.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan::report {
namespace {

ResolvedConfig resolved(const std::vector<std::string>& overrides) {
  return ResolvedConfig(parse_run_settings("task: graph-classification\n", "test", overrides));
}

TEST(ResolvedConfig, SettingAKeyIsReadingTheConfigWithIt) {
  ResolvedConfig config = resolved({"split.folds=10"});
  config.set("seed", "7");
  config.set("split.fold", "4");
  config.set("train.optimizer.learning_rate", "0.25");
  const ResolvedConfig read =
      resolved({"split.folds=10", "seed=7", "split.fold=4", "train.optimizer.learning_rate=0.25"});
  EXPECT_EQ(config.yaml(), read.yaml());
  EXPECT_EQ(config.hash(), read.hash());
}

TEST(ResolvedConfig, AKeyOfAnotherSectionIsNotTaken) {
  ResolvedConfig config(std::string("a:\n  b: 1\nc:\n  d:\n    b: 2\n  e: 3\n"));
  expect_error(Fault::argument, {"no key 'c.b'"}, [&] { config.set("c.b", "9"); });
  expect_error(Fault::argument, {"no key 'b'"}, [&] { config.set("b", "9"); });
  config.set("c.d.b", "9");
  config.set("c.e", "8");
  EXPECT_EQ(config.yaml(), "a:\n  b: 1\nc:\n  d:\n    b: 9\n  e: 8\n");
}

TEST(ResolvedConfig, EveryKeyCountsForARunButModelAndTrainingDoNotForRules) {
  const ResolvedConfig plain = resolved({});
<<<<<<< HEAD
  for (const char* change : {"model.hidden_channels=6", "train.epochs=3", "train.optimizer.beta1=0.8"}) {
=======
  for (const char* change : {"model.hidden_channels=8", "train.epochs=3", "train.optimizer.beta1=0.8"}) {
>>>>>>> 8851af681e47c1231f4a91eb04c6e0c846e8ed2d
    EXPECT_NE(resolved({change}).hash(), plain.hash()) << change;
    EXPECT_EQ(resolved({change}).task_hash(), plain.task_hash()) << change;
  }
  for (const char* change : {"seed=1", "split.test=0.3", "data.name=nci1"}) {
    EXPECT_NE(resolved({change}).hash(), plain.hash()) << change;
    EXPECT_NE(resolved({change}).task_hash(), plain.task_hash()) << change;
  }
}

}  // namespace
}  // namespace gsan::report
