#include "gsan/train/run_settings.h"

#include <gtest/gtest.h>

#include "gsan/models/backbones/layers.h"
#include "gsan/models/model_kinds.h"
#include "gsan/nn/pooled_readout.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/tasks/trajectory/options.h"
#include "gsan/train/recipes.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

RunSettings parse(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return parse_run_settings(yaml, "run.yaml", overrides);
}

const LayersOptions& layers_of(const RunSettings& settings) {
  return settings.model.backbone.as<LayersOptions>();
}

std::vector<Protocol> protocols_of(const TaskKind& task) {
  if (task.has_published) return {Protocol::strict, Protocol::published};
  return {Protocol::strict};
}

TEST(RunSettings, EveryTaskProtocolAndModelHasARecipeThatComesBackFromItsText) {
  for (const TaskKind* task : task_kinds())
    for (const Protocol protocol : protocols_of(*task))
      for (const std::string& model : model_names())
        for (const std::string path : {"", "a folder: # \"x\""}) {
          SCOPED_TRACE(concat(task->name, " ", name_of(protocol), " ", model, " ", path));
          const std::vector<std::string> chosen{"model.name=" + model,
                                                "data.path=" + to_text(ConfigValue(path))};
          RunSettings settings;
          ASSERT_NO_THROW(settings = recipe_settings(std::string(task->name), protocol, chosen));
          EXPECT_EQ(settings.task.name, task->name);
          EXPECT_EQ(settings.task.protocol, protocol);
          EXPECT_EQ(settings.model.name, model);
          settings.seed = 7;
          settings.model.backbone.set({{"hidden_channels", "48"}}, model);
          settings.train.optimizer.learning_rate = 0.1 + 0.2;
          const std::string yaml = to_yaml(settings);
          ASSERT_EQ(to_yaml(parse(yaml)), yaml);
        }
}

TEST(RunSettings, EveryKeyHasHelp) {
  for (const TaskKind* task : task_kinds())
    for (const Protocol protocol : protocols_of(*task)) {
      const ConfigSchema schema = run_schema(recipe_settings(std::string(task->name), protocol));
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

TEST(RunSettings, AMistakeInWhatTheKeysDependOnIsReportedWithTheOthers) {
  expect_error(Fault::argument, {"2 faults", "did you mean 'trajectory'", "train.patience must be >= 0"},
               [] { parse("task: trajectori\ntrajectory: {batch_size: 8}\ntrain: {patience: -1}"); });
  expect_error(Fault::argument, {"2 faults", "did you mean 'gsan'", "unknown key 'model.hed'"}, [] {
    parse("task: trajectory", {"model.name=gsaan", "model.hed=1"});
  });
  expect_error(Fault::argument, {"2 faults", "model.length", "one power", "unknown key 'sed'"}, [] {
    parse("task: graph-classification", {"model.name=gat", "model.length=3", "sed=1"});
  });
  expect_error(Fault::argument, {"2 faults", "did you mean 'ocean'?", "unknown key 'sed'"}, [] {
    parse("task: trajectory", {"data.name=oceans", "sed=1"});
  });
  expect_error(Fault::argument, {"'task' is missing", "trajectory, imputation"}, [] { parse("seed: 1"); });
  expect_error(Fault::argument, {"no published protocol"},
               [] { parse("task: simplex-classification\nprotocol: published\ndata: {path: /tmp/x}"); });
  expect_error(Fault::format, {"run.yaml:2"}, [] { parse("task: trajectory\nmodel: ["); });
}

TEST(RunSettings, WhatTheyStartWithFollowsTaskModelAndOrder) {
  EXPECT_EQ(layers_of(parse("task: imputation\nmodel: {name: san}")).layer.orders, std::vector<int>{1});
  EXPECT_EQ(layers_of(parse("task: imputation\nmodel: {name: san}", {"imputation.order=3"})).layer.orders,
            std::vector<int>{3});
  EXPECT_EQ(layers_of(parse("task: simplex-prediction\nmodel: {name: scnn}",
                            {"simplex-prediction.order=3", "simplex-prediction.tuple_order=2"}))
                .layer.orders,
            std::vector<int>{2});
  EXPECT_EQ(layers_of(parse("task: trajectory", {"model.length=6"})).layer.lower.own, 3);
  EXPECT_EQ(layers_of(parse("task: trajectory", {"model.length=6", "model.lower.own=1"})).layer.lower.own, 1);
  EXPECT_EQ(parse("task: graph-classification").task.data.name, "proteins");
  EXPECT_EQ(parse("task: trajectory").model.readout, "pooled");
  EXPECT_EQ(parse("task: trajectory", {"protocol=published"}).model.readout, "flattened");
  EXPECT_TRUE(parse("task: trajectory").model.readout_options.as<PooledReadoutOptions>().absolute);
}

TEST(RunSettings, AFolderOfOwnDataIsNoKnownDatasetWhateverItIsCalled) {
  const RunSettings walks = parse("task: trajectory", {"data.path=/tmp/walks/"});
  EXPECT_EQ(walks.task.data.name, "walks");
  EXPECT_EQ(walks.task.split.test, 0.2);
  EXPECT_EQ(walks.model.readout_options.as<PooledReadoutOptions>().pooling, Pooling::sum);
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

TEST(RunSettings, AFolderIsCalledLikeItselfUnlessTheUserNamesIt) {
  const auto name = [](const std::string& yaml, const std::vector<std::string>& overrides = {}) {
    return parse(yaml, overrides).task.data.name;
  };
  EXPECT_EQ(name("task: imputation\ndata: {path: /tmp/rivers}"), "rivers");
  EXPECT_EQ(name("task: imputation\ndata: {path: /tmp/rivers, name: danube}"), "danube");
  EXPECT_EQ(name("task: imputation\ndata: {path: /tmp/rivers}", {"data.name=danube"}), "danube");
  EXPECT_EQ(name("extends: imputation\ndata: {path: ./a/b/../rivers/}"), "rivers");
  EXPECT_EQ(name("task: imputation"), "citation");
}

// --- keys that would not be used

TEST(RunSettings, KeysOfOtherTasksAreUnknown) {
  expect_error(Fault::argument, {"unknown key 'imputation.missing'"},
               [] { parse("task: trajectory", {"imputation.missing=10"}); });
  expect_error(Fault::argument, {"unknown key 'split.test'"},
               [] { parse("task: imputation", {"split.test=0.1"}); });
}

TEST(RunSettings, EveryTaskTakesASplitOfOnesOwnAndKeepsItsShares) {
  for (const std::string task :
       {"trajectory", "graph-classification", "imputation", "simplex-classification", "simplex-prediction"}) {
    SCOPED_TRACE(task);
    const std::vector<std::string> own{"data.path=/tmp/own"};
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.end(), own.begin(), own.end());
      return parse("task: " + task, more);
    };
    EXPECT_EQ(with({}).task.split.by, SplitBy::automatic);
    const RunSettings dates = with({"split.by=time", "split.borders=[2020-01-01, 2020-06-30]"});
    EXPECT_EQ(dates.task.split.borders, (std::vector<std::string>{"2020-01-01", "2020-06-30"}));
    EXPECT_EQ(to_yaml(parse_run_settings(to_yaml(dates), "again")), to_yaml(dates));
    EXPECT_EQ(with({"split.by=time", "split.borders=[10, 20.5]"}).task.split.borders,
              (std::vector<std::string>{"10", "20.5"}));
    expect_error(Fault::argument, {"split.borders", "split.by=time"},
                 [&] { with({"split.borders=[1, 2]"}); });
    expect_error(Fault::argument, {"split.by", "one of automatic, random, part, time, group"},
                 [&] { with({"split.by=date"}); });
    if (find_task(task).divides_items) continue;
    expect_error(Fault::argument, {"unknown key 'split.test'", "its section " + task},
                 [&] { with({"split.test=0.1"}); });
  }
}

TEST(RunSettings, KeysOfOtherDataAreRefusedByName) {
  expect_error(Fault::argument,
               {"2 faults", "unknown key 'data.points': it belongs to the dataset flow, this run reads ocean",
                "unknown key 'data.max_order'"},
               [] {
                 parse("task: trajectory", {"data.name=ocean", "data.points=9", "data.max_order=3"});
               });
  expect_error(Fault::argument, {"unknown key 'data.points'", "the folder /tmp/walks"}, [] {
    parse("task: trajectory", {"data.path=/tmp/walks", "data.points=9"});
  });
}

TEST(RunSettings, KeysOfTheOtherProtocolAreRefusedByName) {
  struct Refused {
    const char *task, *protocol, *key, *value;
  };
  for (const Refused& one : {Refused{"imputation", "strict", "imputation.loss", "known"},
                             Refused{"imputation", "published", "imputation.hidden", "0.3"},
                             Refused{"imputation", "published", "imputation.choose_by", "loss"},
                             Refused{"trajectory", "published", "split.validation", "0.1"},
                             Refused{"graph-classification", "published", "split.validation", "0.1"},
                             Refused{"simplex-prediction", "published", "simplex-prediction.split", "random"},
                             Refused{"simplex-prediction", "published", "simplex-prediction.message", "1"}}) {
    const std::string other = one.protocol == std::string("strict") ? "published" : "strict";
    const std::string task = concat("task: ", one.task), set = concat(one.key, "=", one.value);
    expect_error(Fault::argument,
                 {concat("unknown key '", one.key, "': the ", one.protocol, " protocol does not use it")},
                 [&] {
                   parse(task, {concat("protocol=", one.protocol), set});
                 });
    EXPECT_NO_THROW(parse(task, {"protocol=" + other, set})) << one.key;
  }
}

TEST(RunSettings, KeysOfOtherModelsAndReadoutsAreRefusedByName) {
  expect_error(Fault::argument, {"override 'model.heads=2'", "unknown key 'model.heads'"}, [] {
    parse("task: trajectory", {"model.name=mlp", "model.heads=2"});
  });
  EXPECT_NO_THROW(parse("task: trajectory", {"model.heads=2"}));
  expect_error(
      Fault::argument,
      {"3 faults", "unknown key 'model.in_channels': the task determines it",
       "unknown key 'model.order': the task determines it",
       "unknown key 'model.readout.out_channels': the task determines it"},
      [] {
        parse("task: trajectory", {"model.in_channels=3", "model.order=2", "model.readout.out_channels=5"});
      });
  expect_error(Fault::argument, {"unknown key 'model.in_channels': the task determines it"}, [] {
    parse("task: trajectory", {"model.name=mlp", "model.in_channels=[1]"});
  });
  // The flattened readout has nothing to choose.
  expect_error(Fault::argument, {"unknown key 'model.readout.absolute'"}, [] {
    parse("task: trajectory", {"protocol=published", "model.readout.absolute=true"});
  });
}

}  // namespace
}  // namespace gsan
