#include <fstream>

#include <gtest/gtest.h>

#include "gsan/data/sources/flow.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/simplex_prediction/options.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/tasks/trajectory/options.h"

#include "support/environment.h"
#include "support/expect_error.h"
#include "support/published_data.h"
#include "support/temporary_folder.h"
#include "tasks/task_probes.h"
#include "tasks/task_settings_sample.h"

namespace gsan {
namespace {

Items part(const Task& task, const std::string& name) {
  for (const auto& [key, items] : task.parts())
    if (key == name) return items;
  ADD_FAILURE() << "no part " << name;
  return {};
}

TaskSettings small_flow(Protocol protocol) {
  TaskSettings settings = settings_of("trajectory", protocol, "flow");
  settings.data.options.as<FlowSettings>().points = 150;
  settings.split.test = protocol == Protocol::strict ? 1.0 / 7 : 1.0 / 6;
  if (protocol == Protocol::strict) settings.split.validation = 1.0 / 7;
  return settings;
}

// nullptr where flows cannot be made: built without Qhull.
std::unique_ptr<Task> made(const TaskSettings& settings, std::uint64_t seed) {
  try {
    return make_task(settings, seed).task;
  } catch (const Error& error) {
    if (std::string(error.what()).find("Qhull") == std::string::npos) throw;
    return nullptr;
  }
}

TEST(MakeTask, FlowsAreDividedAsTheProtocolsSay) {
  const auto strict = made(small_flow(Protocol::strict), 3);
  if (!strict) GTEST_SKIP() << "built without Qhull";
  EXPECT_EQ(part(*strict, "train").size(), 1000u);
  EXPECT_EQ(part(*strict, "validation").size(), 200u);
  EXPECT_EQ(part(*strict, "test").size(), 200u);
  EXPECT_TRUE(strict->remarks().empty());
  const auto published = made(small_flow(Protocol::published), 3);
  EXPECT_EQ(part(*published, "train").size(), 1000u);
  EXPECT_EQ(part(*published, "test").size(), 200u);
  EXPECT_EQ(part(*published, "validation"), part(*published, "test"));
  EXPECT_FALSE(published->remarks().empty());
}

TEST(MakeTask, OneSeedGivesOneSplitAndAnotherSeedAnother) {
  const auto a = made(small_flow(Protocol::strict), 3);
  if (!a) GTEST_SKIP() << "built without Qhull";
  EXPECT_EQ(a->parts(), made(small_flow(Protocol::strict), 3)->parts());
  EXPECT_NE(a->parts(), made(small_flow(Protocol::strict), 4)->parts());
}

TEST(MakeTask, ASplitOfYourOwnIsRead) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "split.json";
  std::ofstream(file) << R"({"train": [0, 1, 2, 3], "validation": [5], "test": [7, 8]})";
  TaskSettings settings = small_flow(Protocol::strict);
  settings.split.file = file.string();
  const auto task = made(settings, 0);
  if (!task) GTEST_SKIP() << "built without Qhull";
  EXPECT_EQ(part(*task, "train"), (Items{0, 1, 2, 3}));
  EXPECT_EQ(part(*task, "test"), (Items{7, 8}));
}

TEST(MakeTask, NamesEveryFaultOfTheSettingsAtOnce) {
  TaskSettings settings = small_flow(Protocol::strict);
  settings.split.validation = 0.7;
  settings.split.test = 0.7;
  settings.options.as<TrajectoryOptions>().batch_size = 0;
  settings.data.options.as<FlowSettings>().seed = -1;
  expect_error(Fault::argument, {"split.validation", "trajectory.batch_size", "data.seed"},
               [&] { make_task(settings, 0); });
  TaskSettings prediction = settings_of("simplex-prediction", Protocol::published, "citation");
  auto& options = prediction.options.as<SimplexPredictionOptions>();
  options.tuple_order = 2;
  options.test = 1;
  expect_error(Fault::argument, {"tuple_order", "simplex-prediction.test"},
               [&] { make_task(prediction, 0); });
  expect_error(Fault::argument, {"no published protocol"}, [&] {
    make_task(settings_of("simplex-classification", Protocol::published, "own", "/nowhere"), 0);
  });
}

TEST(MakeTask, OrdersThatNewDataLackAreEmptyWhereTheModelReadsThem) {
  const TemporaryFolder folder;
  for (const char* name : {"one", "two"}) {
    std::filesystem::create_directories(folder.path() / name);
    std::ofstream(folder.path() / name / "complex.txt") << "a\nb\nc\n";  // no edges
  }
  TaskSettings settings =
      settings_of("graph-classification", Protocol::strict, "own", folder.path().string());
  settings.trained = TrainedOn{.classes = {"path", "cycle"}, .in_channels = {1, 1}};
  const MadeTask made = make_task(settings, 0);
  EXPECT_EQ(made.task->shape().in_channels, (std::vector<int>{1, 1}));
  Model model(small("gsan", "pooled"), made.task->shape(), RandomStream(0, "weights"));
  EXPECT_EQ(made.task->predict(model).numbers.sizes(), (torch::IntArrayRef{2, 2}));
}

TEST(MakeTask, EveryTaskIsFoundByItsName) {
  EXPECT_EQ(find_task("graph_classification").name, "graph-classification");
  expect_error(Fault::argument, {"unknown task 'trajectori'", "did you mean 'trajectory'"},
               [] { find_task("trajectori"); });
  for (const TaskKind* kind : task_kinds()) {
    EXPECT_EQ(&find_task(kind->name), kind);
    EXPECT_FALSE(kind->sentence.empty());
  }
}

TEST(MakeTask, OneClassTeachesNothing) {
  const TemporaryFolder folder, classes;
  std::ofstream(folder.path() / "complex.txt") << "a b c\n";
  std::ofstream(folder.path() / "paths.csv") << "a,b\nb,c\na,c\nc,a\n";
  std::ofstream(folder.path() / "labels.csv") << "up\nup\nnan\nup\n";
  std::ofstream(classes.path() / "complex.txt") << "a b c\n";
  std::ofstream(classes.path() / "classes_0.csv") << "v0,class\na,red\nb,red\nc,\n";
  std::ofstream(classes.path() / "classes_1.csv") << "v0,v1,class\na,b,blue\n";
  TaskSettings settings = settings_of("trajectory", Protocol::strict, "own", folder.path().string());
  expect_error(Fault::argument, {"trajectory", "two classes", "all 3", "up"},
               [&] { make_task(settings, 0); });
  settings.trained = TrainedOn{.classes = {"down", "up"}};
  EXPECT_EQ(part(*make_task(settings, 0).task, "test"), (Items{0, 1, 3}));
  settings = settings_of("simplex-classification", Protocol::strict, "own", classes.path().string());
  expect_error(Fault::argument, {"simplex-classification", "two classes", "all 2", "red"},
               [&] { make_task(settings, 0); });
}

TEST(PublishedMakeTask, CofacesAreReadOfEveryOrder) {
  const auto folder = published_data("citation");
  GSAN_SKIP_WITHOUT(folder, "citation");
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()),
      data("GSAN_DATA", folder.parent_path().string());
  for (const int order : {2, 6, 9}) {
    TaskSettings settings = settings_of("imputation", Protocol::strict, "citation");
    settings.options.as<ImputationOptions>().order = order;
    const MadeTask made = make_task(settings, 0);
    EXPECT_EQ(dynamic_cast<const Imputation&>(*made.task).dataset().complex.order(), order + 1);
  }
}

TEST(PublishedMakeTask, SimplexPredictionHasBothClassesAtEveryOrder) {
  const auto folder = published_data("citation");
  GSAN_SKIP_WITHOUT(folder, "citation");
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()),
      data("GSAN_DATA", folder.parent_path().string());
  for (int order = 2; order <= 7; ++order) {
    TaskSettings settings = settings_of("simplex-prediction", Protocol::strict, "citation");
    auto& options = settings.options.as<SimplexPredictionOptions>();
    options.order = order;
    options.features = CandidateFeatures::counts_without_held_out;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      EXPECT_NO_THROW(make_task(settings, seed)) << "order " << order << ", seed " << seed;
  }
}

}  // namespace
}  // namespace gsan
