// The settings that come with gsan, and configs that extend them.

#include "gsan/train/recipes.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/data/sources/flow.h"
#include "gsan/models/backbones/layers.h"
#include "gsan/tasks/imputation/options.h"
#include "gsan/tasks/simplex_prediction/options.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/tasks/trajectory/options.h"
#include "gsan/topology/delaunay.h"
#include "gsan/train/run_settings.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

TEST(Recipes, EveryTaskHasOnePerProtocolAndEveryFileIsInTheLibrary) {
  for (const TaskKind* task : task_kinds()) {
    EXPECT_NO_THROW(find_recipe(recipe_name(task->name, Protocol::strict)));
    if (task->has_published) {
      EXPECT_NO_THROW(find_recipe(recipe_name(task->name, Protocol::published)));
    }
  }
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GSAN_SOURCE_DIR) / "recipes")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    EXPECT_EQ(find_recipe(entry.path().stem().string()).text, read_file(entry.path())) << entry.path();
  }
  EXPECT_EQ(recipes().size(), files);
  expect_error(Fault::argument, {"unknown recipe 'trajectori'", "did you mean 'trajectory'"},
               [] { find_recipe("trajectori"); });
}

TEST(Recipes, SayWhatTheProtocolAndTheDatasetAskFor) {
  const RunSettings citation = recipe_settings("simplex-prediction", Protocol::strict),
                    own = recipe_settings("simplex-prediction", Protocol::strict, {"data.path=/tmp/own"});
  EXPECT_EQ(citation.task.options.as<SimplexPredictionOptions>().features,
            CandidateFeatures::counts_without_held_out);
  EXPECT_EQ(citation.task.options.as<SimplexPredictionOptions>().split, CandidateSplit::by_source);
  EXPECT_EQ(own.task.options.as<SimplexPredictionOptions>().features, CandidateFeatures::counts);
  EXPECT_EQ(own.task.options.as<SimplexPredictionOptions>().split, CandidateSplit::random);

  const RunSettings proteins = recipe_settings("graph-classification", Protocol::strict);
  EXPECT_EQ(proteins.task.split.folds, 10);
  EXPECT_EQ(proteins.task.split.validation, 0.1);
  const RunSettings published =
      recipe_settings("graph-classification", Protocol::published, {"data.name=nci1"});
  EXPECT_EQ(published.task.split.folds, 10);
  EXPECT_EQ(published.task.split.validation, 0);
  EXPECT_EQ(
      recipe_settings("graph-classification", Protocol::strict, {"data.path=/tmp/own"}).task.split.folds, 0);
}

// Flows have a sign, counts and features have none.
TEST(Recipes, ChooseTheIncidenceByWhatTheDataAre) {
  const auto option = [](const char* task, Protocol protocol, const std::vector<std::string>& overrides,
                         const char* name) {
    return recipe_settings(task, protocol, overrides).model.backbone.map().at(name);
  };
  EXPECT_EQ(option("trajectory", Protocol::strict, {}, "incidence"), "signed");
  EXPECT_EQ(option("trajectory", Protocol::strict, {"data.name=ocean"}, "harmonic"), "exact");
  for (const char* task : {"imputation", "simplex-prediction", "graph-classification"}) {
    for (const char* model : {"gsan", "san", "gsccn", "gsan-joint", "gsan-hodge", "scnn", "sat"}) {
      const std::vector<std::string> overrides{concat("model.name=", model)};
      EXPECT_EQ(option(task, Protocol::strict, overrides, "incidence"), "unsigned") << task << " " << model;
      if (std::string_view(model) == "gsan-hodge") continue;  // its published recipe is ours
      EXPECT_EQ(option(task, Protocol::published, overrides, "incidence"), "signed") << task << " " << model;
    }
    EXPECT_EQ(option(task, Protocol::strict, {"model.incidence=signed"}, "incidence"), "signed") << task;
  }
  EXPECT_EQ(option("imputation", Protocol::strict, {"model.name=sat-oriented"}, "incidence"), "signed");
}

TEST(Recipes, OwnFoldersMayDeclareTheirOrientation) {
  const TemporaryFolder folder;
  const auto incidence = [&](const char* task, const std::string& declared) {
    std::filesystem::create_directories(folder / "data");
    write_file_atomically(folder / "data" / "dataset.yaml", declared);
    return recipe_settings(task, Protocol::strict, {concat("data.path=", (folder / "data").string())})
        .model.backbone.map()
        .at("incidence");
  };
  EXPECT_EQ(incidence("trajectory", "name: x\n"), "signed");
  EXPECT_EQ(incidence("trajectory", "oriented: false\n"), "unsigned");
  EXPECT_EQ(incidence("trajectory", "oriented: no\n"), "unsigned");
  EXPECT_EQ(incidence("imputation", "name: x\n"), "unsigned");
  EXPECT_EQ(incidence("imputation", "oriented: true\n"), "signed");
  EXPECT_EQ(incidence("imputation", "oriented: yes\n"), "signed");
  EXPECT_EQ(incidence("simplex-classification", "oriented: true\n"), "signed");
}

TEST(Recipes, ADatasetIsTheSameInCapitals) {
  RunSettings capitals = recipe_settings("trajectory", Protocol::strict, {"data.name=FLOW"});
  EXPECT_EQ(capitals.task.data.name, "FLOW");
  capitals.task.data.name = "flow";
  EXPECT_EQ(to_yaml(capitals), to_yaml(recipe_settings("trajectory", Protocol::strict, {"data.name=flow"})));
}

TEST(Recipes, ThePublishedImputationEndsInOneNumberWithoutActivation) {
  const RunSettings settings = recipe_settings("imputation", Protocol::published);
  EXPECT_EQ(settings.model.readout, "none");
  const auto& layers = settings.model.backbone.as<LayersOptions>();
  EXPECT_FALSE(layers.activate_last);
  ModelShape shape;
  shape.in_channels = {0, 1, 0};
  shape.out_channels = 1;
  EXPECT_EQ(network_options(layers, shape, true).widths.back(), 1);
  // A model whose last layer cannot be the answer has a readout.
  EXPECT_EQ(recipe_settings("imputation", Protocol::published, {"model.name=mlp"}).model.readout, "simplex");
}

TEST(Recipes, FlowsAreDividedAsTheProtocolsSay) {
  if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  const auto sizes = [](Protocol protocol) {
    const RunSettings settings =
        recipe_settings("trajectory", protocol, {"data.name=flow", "data.points=150"});
    std::map<std::string, std::size_t> all;
    for (const auto& [name, items] : make_task(settings.task, 3).task->parts()) all[name] = items.size();
    return all;
  };
  const std::map<std::string, std::size_t> expected{{"train", 1000}, {"validation", 200}, {"test", 200}};
  EXPECT_EQ(sizes(Protocol::strict), expected);
  EXPECT_EQ(sizes(Protocol::published), expected);
}

// --- `extends` in a file of the user's

class Extends : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file_atomically(folder_ / name, text);
    return (folder_ / name).string();
  }
  static RunSettings load(const std::string& path, const std::vector<std::string>& overrides = {}) {
    return parse_run_settings(read_file(path), path, overrides);
  }
  TemporaryFolder folder_;
};

TEST_F(Extends, ARecipeByItsName) {
  const std::string file = write("run.yaml", "extends: trajectory-published\nseed: 4\n");
  RunSettings settings = load(file);
  EXPECT_EQ(settings.seed, 4u);
  settings.seed = 0;
  EXPECT_EQ(to_yaml(settings), to_yaml(recipe_settings("trajectory", Protocol::published)));
}

TEST_F(Extends, AnotherFileFromTheFolderOfTheFirst) {
  write("base/common.yaml", "extends: trajectory\nseed: 4\ntrajectory: {batch_size: 7}\n");
  const std::string file = write("runs/one.yaml", "extends: ../base/common.yaml\ntrajectory.batch_size: 9\n");
  const RunSettings settings = load(file, {"train.epochs=3"});
  EXPECT_EQ(settings.seed, 4u);
  EXPECT_EQ(settings.task.options.as<TrajectoryOptions>().batch_size, 9);
  EXPECT_EQ(settings.train.epochs, 3);
  EXPECT_EQ(to_yaml(settings),
            to_yaml(recipe_settings("trajectory", Protocol::strict,
                                    {"seed=4", "trajectory.batch_size=9", "train.epochs=3"})));
}

TEST_F(Extends, ThePathOfAFileBecomesAbsolute) {
  const auto absolute = [](const std::string& text) { return with_absolute_base(text, "/a/runs/one.yaml"); };
  EXPECT_EQ(absolute("extends: ../base.yaml\n"), "extends: \"/a/base.yaml\"\n");
  EXPECT_EQ(absolute("seed: 1\r\nextends:  b.yml  # the base\r\nmodel: {}"),
            "seed: 1\r\nextends:  \"/a/runs/b.yml\"  # the base\r\nmodel: {}");
  EXPECT_EQ(absolute("extends: '../my base.yaml'"), "extends: \"/a/my base.yaml\"");
  EXPECT_EQ(absolute("extends: /c/d.yaml"), "extends: \"/c/d.yaml\"");
  for (const char* same : {"", "extends:", "extends: trajectory\n", "# extends: b.yaml\n", "seed: 1 # b.yaml",
                           "data:\n  extends: b.yaml\n"})
    EXPECT_EQ(absolute(same), same);
}

TEST_F(Extends, MistakesAreFoundWhereTheyAre) {
  write("base.yaml", "extends: trajectory\nmodel:\n  hedds: 2\n");
  expect_error(Fault::argument, {"base.yaml:3: unknown key 'model.hedds'"},
               [&] { load(write("run.yaml", "extends: base.yaml\n")); });
  expect_error(Fault::argument, {"unknown recipe 'trajectoy'", "did you mean 'trajectory'"},
               [&] { load(write("run.yaml", "extends: trajectoy\n")); });
  expect_error(Fault::io, {"nothing.yaml"}, [&] { load(write("run.yaml", "extends: nothing.yaml\n")); });
  expect_error(Fault::format, {"run.yaml", "extend each other"},
               [&] { load(write("run.yaml", "extends: run.yaml\n")); });
}

TEST_F(Extends, BlocksUnderConditionsCountWithTheValuesOfTheExtendingFile) {
  // The recipe's block for the flow does not count on another dataset.
  const RunSettings ocean = load(write("run.yaml", "extends: trajectory\ndata: {name: ocean}\n"));
  EXPECT_EQ(ocean.task.options.as<TrajectoryOptions>().batch_size, 30);
  const RunSettings flow = load(write("run.yaml", "extends: trajectory\ndata: {name: flow}\n"));
  EXPECT_EQ(flow.task.options.as<TrajectoryOptions>().batch_size, 25);
  // What the file says itself wins over the recipe's blocks.
  EXPECT_EQ(load(write("run.yaml", "extends: trajectory\ntrajectory: {batch_size: 3}\n"))
                .task.options.as<TrajectoryOptions>()
                .batch_size,
            3);
}

}  // namespace
}  // namespace gsan
