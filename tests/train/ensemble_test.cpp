// Several runs that answer together.

#include "gsan/train/ensemble.h"

#include <gtest/gtest.h>

#include "gsan/topology/delaunay.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

Prediction classes(double north, const std::string& part = "test", const std::string& name = "a") {
  Prediction prediction{{"name", "predicted", "p_north", "p_south", "part"}, {}, {}};
  prediction.rows = {{name, north > 0.5 ? "north" : "south", "?", "?", part}};
  prediction.numbers = torch::tensor({{north, 1 - north}}, torch::kFloat64);
  return prediction;
}

TEST(Ensemble, ProbabilitiesAreAveragedAndTheClassIsTheirLargest) {
  const Prediction mean = mean_prediction(
      {{"one", classes(0.875)}, {"two", classes(0.375)}, {"three", classes(0.4375)}}, {"north", "south"});
  EXPECT_EQ(mean.rows[0],
            (std::vector<std::string>{"a", "north", "0.5625", "0.4375", "test"}));  // two of three say south
  EXPECT_EQ(mean.numbers[0][0].item<double>(), 0.5625);
  EXPECT_EQ(mean_prediction({{"one", classes(0.25)}}, {"north", "south"}).rows[0][1], "south");
}

TEST(Ensemble, ValuesAreAveragedAndWhatIsKnownStays) {
  Prediction one{{"v0", "value", "known", "predicted"}, {{"7", "3", "1", "1"}}, {}}, other = one;
  one.numbers = torch::tensor({{3.0, 1.0}}, torch::kFloat64);
  other.numbers = torch::tensor({{3.0, 2.0}}, torch::kFloat64);
  other.rows[0][3] = "2";
  EXPECT_EQ(mean_prediction({{"one", one}, {"two", other}}, {}).rows[0],
            (std::vector<std::string>{"7", "3", "1", "1.5"}));
}

TEST(Ensemble, AnItemThatAnyRunTrainedOnIsNotHeldOut) {
  const auto part = [](const std::string& a, const std::string& b) {
    return mean_prediction({{"one", classes(0.5, a)}, {"two", classes(0.5, b)}}, {"north", "south"})
        .rows[0][4];
  };
  EXPECT_EQ(part("test", "train"), "train");
  EXPECT_EQ(part("validation", "test"), "validation");
  EXPECT_EQ(part("", "test"), "test");
  EXPECT_EQ(part("", ""), "");
}

TEST(Ensemble, RowsAndColumnsThatDifferAreNamed) {
  const std::vector<std::string> names{"north", "south"};
  expect_error(Fault::argument, {"name of row 1 is 'a' in one, 'b' in two", "--data"}, [&] {
    mean_prediction({{"one", classes(0.5)}, {"two", classes(0.5, "test", "b")}}, names);
  });
  Prediction longer = classes(0.5);
  longer.rows.push_back(longer.rows[0]);
  expect_error(Fault::argument, {"1 in one, 2 in two"}, [&] {
    mean_prediction({{"one", classes(0.5)}, {"two", longer}}, names);
  });
  Prediction others = classes(0.5);
  others.columns[2] = "p_east";
  expect_error(Fault::argument, {"p_north", "p_east"}, [&] {
    mean_prediction({{"one", classes(0.5)}, {"two", others}}, names);
  });
}

class EnsembleOfRuns : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  }
  EnsembleRun run(const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> overrides = {"data.name=flow", "data.points=60",          "data.signals=60",
                                          "train.epochs=1", "model.hidden_channels=4", "model.n_layers=1",
                                          "model.name=san", "model.harmonic_steps=3"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    start_run(parse_run_settings("task: trajectory", "test", overrides), folder_ / name);
    return {name, load_run(folder_ / name)};
  }
  TemporaryFolder folder_;
};

TEST_F(EnsembleOfRuns, TheSameRunTwiceIsJudgedAsOnce) {
  std::vector<EnsembleRun> runs{run("one", {})};
  const Metrics alone = evaluate(*runs[0].run.experiment.task, runs[0].run.experiment.model, Phase::test);
  runs.push_back({"again", load_run(folder_ / "one")});
  const Metrics together = ensemble_meter(runs, Phase::test)->value();
  ASSERT_EQ(together.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(together[i].second, alone[i].second, 1e-5);
  const Prediction single = runs[0].run.experiment.task->predict(runs[0].run.experiment.model);
  EXPECT_TRUE(predict(runs).numbers.allclose(single.numbers));
}

TEST_F(EnsembleOfRuns, ItsLossIsThatOfTheMeanProbabilities) {
  std::vector<EnsembleRun> runs{run("one", {}), run("two", {"model.hidden_channels=3"})};
  const Task& task = *runs[0].run.experiment.task;
  const Items items = task.parts()[2].second;
  ASSERT_EQ(task.parts()[2].first, "test");
  const Tensor mean = predict(runs).numbers;
  const Batch batch = task.batch(Phase::test, 0, 0);
  double loss = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
    loss -= std::log(
        mean[items[i]][batch.targets[static_cast<std::int64_t>(i)].item<std::int64_t>()].item<double>());
  ASSERT_EQ(task.batch_count(Phase::test, 0), 1);
  const Metrics found = ensemble_meter(runs, Phase::test)->value();
  ASSERT_EQ(found.back().first, "loss");
  EXPECT_NEAR(found.back().second, loss / static_cast<double>(items.size()), 1e-5);
}

TEST_F(EnsembleOfRuns, RunsOfOtherSplitsAreNotJudgedTogether) {
  std::vector<EnsembleRun> runs{run("one", {"split.test=0.3"}), run("two", {"split.test=0.2"})};
  expect_error(Fault::argument, {"the test part of one is not that of two", "--data"},
               [&] { ensemble_meter(runs, Phase::test); });
}

}  // namespace
}  // namespace gsan
