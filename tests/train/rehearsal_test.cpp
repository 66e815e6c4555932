// What a run will take, before it starts.

#include "gsan/train/rehearsal.h"

#include <gtest/gtest.h>

#include "gsan/topology/delaunay.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

RunSettings small_run(const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {"data.name=flow",          "data.points=120",
                                        "model.hidden_channels=4", "model.n_layers=1",
                                        "train.epochs=3",          "trajectory.batch_size=100",
                                        "model.name=san",          "train.optimizer.learning_rate=0.01"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return parse_run_settings("task: trajectory", "test", overrides);
}

class RehearsalTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  }
};

// All three epochs are made when there is time for them, and then measured.
TEST_F(RehearsalTest, MeasuresAllOfAShortRun) {
  Experiment experiment = make_experiment(small_run());
  const Rehearsal found = rehearse(experiment, {.seconds = 600});
  EXPECT_EQ(found.steps, 3 * found.steps_per_epoch);
  EXPECT_EQ(found.steps_per_epoch, experiment.task->batch_count(Phase::train, 0));
  EXPECT_TRUE(found.is_validation_measured);
  EXPECT_GT(found.step_seconds, 0);
  EXPECT_GT(found.validation_seconds, 0);
  EXPECT_NEAR(found.epoch_seconds,
              static_cast<double>(found.steps_per_epoch) * found.step_seconds + found.validation_seconds,
              1e-9);
  EXPECT_GT(found.run_seconds, 2.9 * found.epoch_seconds);
  EXPECT_GE(found.peak_bytes, found.bytes_before);
}

TEST_F(RehearsalTest, StopsAfterTwoStepsWhereThereIsNoTime) {
  Experiment experiment = make_experiment(small_run({"train.validate_every=2"}));
  const Rehearsal found = rehearse(experiment, {.seconds = 0});
  EXPECT_EQ(found.steps, 2);
  ASSERT_GT(found.steps_per_epoch, 2);
  EXPECT_FALSE(found.is_validation_measured);
  EXPECT_GT(found.validation_seconds, 0);
  EXPECT_NEAR(found.epoch_seconds,
              static_cast<double>(found.steps_per_epoch) * found.step_seconds + found.validation_seconds / 2,
              1e-9);
}

TEST_F(RehearsalTest, StructuresBeyondTheLimitAreRefusedWithCountAndBytes) {
  RunSettings settings = small_run();
  settings.task.max_memory = 100;
  Experiment experiment = make_experiment(std::move(settings));
  expect_error(Fault::resource, {"pairs", "100"}, [&] { rehearse(experiment); });
}

}  // namespace
}  // namespace gsan
