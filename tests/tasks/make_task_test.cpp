#include <fstream>

#include <gtest/gtest.h>

#include "gsan/data/sources/flow.h"
#include "gsan/tasks/task_settings.h"

#include "support/environment.h"
#include "support/expect_error.h"
#include "support/published_data.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

Items part(const Task& task, const std::string& name) {
  for (const auto& [key, items] : task.parts())
    if (key == name) return items;
  ADD_FAILURE() << "no part " << name;
  return {};
}

TaskSettings small_flow(Protocol protocol) {
  TaskSettings settings = standard_settings(TaskKind::trajectory, protocol, "flow");
  settings.data.options.as<FlowSettings>().points = 150;
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
  settings.trajectory.batch_size = 0;
  settings.data.options.as<FlowSettings>().seed = -1;
  expect_error(Fault::argument, {"split.validation", "trajectory.batch_size", "data.seed"},
               [&] { make_task(settings, 0); });
  TaskSettings prediction = standard_settings(TaskKind::simplex_prediction, Protocol::published, "citation");
  EXPECT_EQ(prediction.simplex_prediction.message, 1);
  prediction.simplex_prediction.tuple_order = 2;
  prediction.simplex_prediction.split = CandidateSplit::by_source;
  expect_error(Fault::argument, {"tuple_order", "split must be random"}, [&] { make_task(prediction, 0); });
  expect_error(Fault::argument, {"no published protocol"}, [&] {
    make_task(standard_settings(TaskKind::simplex_classification, Protocol::published, "own"), 0);
  });
}

TEST(MakeTask, StandardSettingsFollowTheDataset) {
  EXPECT_EQ(standard_settings(TaskKind::simplex_prediction, Protocol::strict, "citation")
                .simplex_prediction.features,
            CandidateFeatures::counts_without_held_out);
  const auto proteins = standard_settings(TaskKind::graph_classification, Protocol::strict, "PROTEINS");
  EXPECT_EQ(proteins.split.folds, 10);
  EXPECT_EQ(proteins.split.validation, 0.1);
  EXPECT_EQ(standard_settings(TaskKind::graph_classification, Protocol::published, "nci1").split.validation,
            0);
  EXPECT_EQ(
      standard_settings(TaskKind::simplex_prediction, Protocol::strict, "citation").simplex_prediction.split,
      CandidateSplit::by_source);
  EXPECT_EQ(standard_settings(TaskKind::simplex_prediction, Protocol::strict, "own").simplex_prediction.split,
            CandidateSplit::random);
  EXPECT_EQ(
      standard_settings(TaskKind::imputation, Protocol::published, "citation").imputation.steps_per_epoch, 1);
}

TEST(MakeTask, OneClassTeachesNothing) {
  const TemporaryFolder folder;
  const auto write = [&](const char* file, const char* text) { std::ofstream(folder.path() / file) << text; };
  write("complex.txt", "a b c\n");
  write("paths.csv", "a,b\nb,c\na,c\nc,a\n");
  write("labels.csv", "up\nup\nnan\nup\n");
  write("classes_0.csv", "v0,class\na,red\nb,red\nc,\n");
  write("classes_1.csv", "v0,v1,class\na,b,blue\n");
  TaskSettings settings = standard_settings(TaskKind::trajectory, Protocol::strict, "own");
  settings.data = data_settings("own", folder.path().string());
  expect_error(Fault::argument, {"trajectory", "two classes", "all 3", "up"},
               [&] { make_task(settings, 0); });
  settings.only_test = true;
  settings.classes = {"down", "up"};
  EXPECT_EQ(part(*make_task(settings, 0).task, "test"), (Items{0, 1, 3}));
  settings.only_test = false;
  settings.kind = TaskKind::simplex_classification;
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
    TaskSettings settings = standard_settings(TaskKind::imputation, Protocol::strict, "citation");
    settings.imputation.order = order;
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
    TaskSettings settings = standard_settings(TaskKind::simplex_prediction, Protocol::strict, "citation");
    settings.simplex_prediction.order = order;
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      EXPECT_NO_THROW(make_task(settings, seed)) << "order " << order << ", seed " << seed;
  }
}

}  // namespace
}  // namespace gsan
