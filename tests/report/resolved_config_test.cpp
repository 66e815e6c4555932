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

TEST(ResolvedConfig, KeysThatCameAfterTheRecordsCountOnlyWhereTheyChangeSomething) {
  const auto of = [](const std::string& split, const std::string& task) {
    return ResolvedConfig(concat("seed: 1\n", split, "task: \"", task, "\"\ntrain:\n  epochs: 3\n"));
  };
  const std::string later = "split:\n  borders: []\n  by: \"automatic\"\n";
  EXPECT_EQ(of(later + "  file: \"\"\n", "imputation").hash(), of("", "imputation").hash());
  EXPECT_EQ(of(later + "  file: \"\"\n", "imputation").task_hash(), of("", "imputation").task_hash());
  EXPECT_EQ(of(later + "  file: \"\"\n", "trajectory").hash(),
            of("split:\n  file: \"\"\n", "trajectory").hash());
  EXPECT_NE(of(later + "  file: \"\"\n", "trajectory").hash(), of("", "trajectory").hash());
  EXPECT_NE(of("split:\n  by: \"time\"\n", "imputation").hash(), of("", "imputation").hash());
  EXPECT_NE(of("split:\n  file: \"a.csv\"\n", "imputation").hash(), of("", "imputation").hash());
}

TEST(ResolvedConfig, EveryKeyCountsForARunButModelAndTrainingDoNotForRules) {
  const ResolvedConfig plain = resolved({});
  for (const char* change : {"model.hidden_channels=6", "train.epochs=3", "train.optimizer.beta1=0.8"}) {
    EXPECT_NE(resolved({change}).hash(), plain.hash()) << change;
    EXPECT_EQ(resolved({change}).task_hash(), plain.task_hash()) << change;
  }
  for (const char* change : {"seed=1", "split.test=0.3", "data.name=nci1"}) {
    EXPECT_NE(resolved({change}).hash(), plain.hash()) << change;
    EXPECT_NE(resolved({change}).task_hash(), plain.task_hash()) << change;
  }
}

TEST(ResolvedConfig, KeysThatCameLaterCountOnlyWhereTheyChangeSomething) {
  const ResolvedConfig before(std::string("task: a\ntrain:\n  epochs: 3\n")),
      same(std::string("task: a\ntrain:\n  epochs: 3\n  least_steps: 0\n")),
      other(std::string("task: a\ntrain:\n  epochs: 3\n  least_steps: 9\n"));
  EXPECT_EQ(same.hash(), before.hash());
  EXPECT_NE(other.hash(), before.hash());
  // A section of such keys alone is not there either; the same name in another section is another key.
  EXPECT_EQ(ResolvedConfig(std::string("a: 1\nmodel:\n  readout:\n    inputs: false\nb: 2\n")).task_hash(),
            ResolvedConfig(std::string("a: 1\nb: 2\n")).task_hash());
  EXPECT_NE(ResolvedConfig(std::string("a: 1\nleast_steps: 0\n")).hash(),
            ResolvedConfig(std::string("a: 1\n")).hash());
}

TEST(ResolvedConfig, ADefaultThatCameLaterCountsAsTheOneBefore) {
  const auto of = [](const std::string& value) {
    return ResolvedConfig(concat("data:\n  name: \"a\"\n  reorder: \"", value, "\"\ntask: \"trajectory\"\n"));
  };
  EXPECT_EQ(of("automatic").hash(), of("none").hash());
  EXPECT_EQ(of("automatic").task_hash(), of("none").task_hash());
  EXPECT_NE(of("cuthill-mckee").hash(), of("none").hash());
  EXPECT_EQ(resolved({}).hash(), resolved({"data.reorder=none"}).hash());
}

}  // namespace
}  // namespace gsan::report
