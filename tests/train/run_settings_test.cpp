#include "gsan/train/run_settings.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

RunSettings parse(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return parse_run_settings(yaml, "run.yaml", overrides);
}

TEST(RunSettings, EveryTaskProtocolAndModelComesBackFromItsText) {
  for (const auto& [task, task_name] : EnumNames<TaskKind>::names)
    for (const auto& [protocol, protocol_name] : EnumNames<Protocol>::names)
      for (const std::string& model : model_names())
        for (const std::string path : {"", "a folder: # \"x\""}) {
          SCOPED_TRACE(concat(task_name, " ", protocol_name, " ", model, " ", path));
          if (task == TaskKind::simplex_classification && protocol == Protocol::published) continue;  // none
          RunSettings settings =
              starting_settings({.task = task, .protocol = protocol, .model = model, .path = path});
          settings.seed = 7;
          settings.model.hidden_channels = 48;
          settings.train.optimizer.learning_rate = 0.1 + 0.2;
          const std::string yaml = to_yaml(settings);
          ASSERT_EQ(to_yaml(parse(yaml)), yaml);
        }
}

TEST(RunSettings, EveryKeyHasHelp) {
  for (const auto& [task, task_name] : EnumNames<TaskKind>::names) {
    const ConfigSchema schema = run_schema(starting_settings({.task = task}));
    for (const auto& [name, key] : schema.keys()) EXPECT_FALSE(key.help.empty()) << name;
  }
}

TEST(RunSettings, ThreeMistakesAreOneError) {
  const std::string yaml =
      "task: trajectory\nmodel:\n  head: 2\ntrain:\n  epochs: many\n  optimizer: {learning_rate: -1}\n";
  expect_error(Fault::argument,
               {"3 faults", "run.yaml:3: unknown key 'model.head'; did you mean 'model.heads'?",
                "run.yaml:5: 'train.epochs' must be an integer, got 'many'",
                "train.optimizer.learning_rate must be in [0, 1e30], got -1"},
               [&] { parse(yaml); });
}

TEST(RunSettings, RulesOfOptionsAreReportedUnderTheNamesOfTheKeys) {
  expect_error(Fault::argument,
               {"4 faults", "model.heads must lie in 1 ... 4096, got 0", "train.epochs must be >= 1, got 0",
                "model.readout.hidden_channels must be at least 1, got -3",
                "trajectory.batch_size must be at least 1, got 0"},
               [] {
                 parse("task: trajectory", {"model.heads=0", "train.epochs=0", "trajectory.batch_size=0",
                                            "model.readout.hidden_channels=-3"});
               });
}

TEST(RunSettings, AMistakeInAPeekedValueIsReportedWithTheOthers) {
  expect_error(Fault::argument, {"2 faults", "did you mean 'trajectory'", "train.patience must be >= 0"},
               [] { parse("task: trajectori\ntrajectory: {batch_size: 8}\ntrain: {patience: -1}"); });
  expect_error(Fault::argument, {"2 faults", "did you mean 'gsan'", "unknown key 'model.hed'"}, [] {
    parse("task: trajectory", {"model.name=gsaan", "model.hed=1"});
  });
  expect_error(Fault::argument, {"2 faults", "model.length", "one power", "unknown key 'sed'"}, [] {
    parse("task: graph-classification", {"model.name=gat", "model.length=3", "sed=1"});
  });
  expect_error(Fault::argument, {"'task' is missing"}, [] { parse("seed: 1"); });
  expect_error(Fault::format, {"run.yaml:2"}, [] { parse("task: trajectory\nmodel: ["); });
}

TEST(RunSettings, WhatTheyStartWithFollowsTaskModelAndOrder) {
  EXPECT_EQ(parse("task: imputation\nmodel: {name: san}").model.layer.orders, std::vector<int>{1});
  EXPECT_EQ(parse("task: imputation\nmodel: {name: san}", {"imputation.order=3"}).model.layer.orders,
            std::vector<int>{3});
  EXPECT_EQ(parse("task: simplex-prediction\nmodel: {name: scnn}",
                  {"simplex-prediction.order=3", "simplex-prediction.tuple_order=2"})
                .model.layer.orders,
            std::vector<int>{2});
  EXPECT_EQ(parse("task: trajectory", {"model.length=6"}).model.layer.lower.own, 3);
  EXPECT_EQ(parse("task: trajectory", {"model.length=6", "model.lower.own=1"}).model.layer.lower.own, 1);
  EXPECT_EQ(parse("task: graph-classification").task.data.name, "proteins");
  EXPECT_EQ(parse("task: trajectory").model.readout, ReadoutKind::pooled);
  EXPECT_EQ(parse("task: trajectory", {"protocol=published"}).model.readout, ReadoutKind::flattened);
  EXPECT_TRUE(parse("task: trajectory").model.pooled.absolute);
}

TEST(RunSettings, AFolderOfOwnDataIsNoKnownDatasetWhateverItIsCalled) {
  const RunSettings walks = parse("task: trajectory", {"data.path=/tmp/walks/"});
  EXPECT_EQ(walks.task.data.name, "walks");
  EXPECT_EQ(walks.task.split.test, 0.2);
  EXPECT_EQ(walks.model.pooled.pooling, Pooling::sum);
  for (const std::string name : {"citation", "proteins", "flow"})
    for (const std::string task :
         {"trajectory", "imputation", "graph-classification", "simplex-prediction"}) {
      SCOPED_TRACE(task + " " + name);
      RunSettings called = parse("task: " + task, {"data.path=/tmp/" + name, "data.name=" + name});
      const RunSettings own = parse("task: " + task, {"data.path=/tmp/own"});
      EXPECT_EQ(called.task.data.name, name);
      called.task.data = own.task.data;
      EXPECT_EQ(to_yaml(called), to_yaml(own));
    }
}

TEST(RunSettings, KeysOfOtherTasksAreUnknown) {
  expect_error(Fault::argument, {"unknown key 'imputation.missing'"},
               [] { parse("task: trajectory", {"imputation.missing=10"}); });
}

TEST(RunSettings, KeysOfOtherDataAreRefusedByName) {
  expect_error(Fault::argument,
               {"2 faults", "unknown key 'data.points': it belongs to the dataset flow, this run reads ocean",
                "unknown key 'data.max_order'"},
               [] { parse("task: trajectory", {"data.name=ocean", "data.points=9", "data.max_order=3"}); });
  expect_error(Fault::argument, {"2 faults", "did you mean 'ocean'?", "unknown key 'sed'"},
               [] { parse("task: trajectory", {"data.name=oceans", "sed=1"}); });
}

}  // namespace
}  // namespace gsan
