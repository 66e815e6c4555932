#include "gsan/train/schedule.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan {
namespace {

ScheduleOptions of(ScheduleKind kind) {
  ScheduleOptions options;
  options.kind = kind;
  return options;
}

TEST(Schedule, ConstantIsOne) {
  const Schedule schedule(of(ScheduleKind::constant), 10, true);
  for (int epoch = 0; epoch < 10; ++epoch) EXPECT_EQ(schedule.factor(epoch, 1, 3), 1);
}

TEST(Schedule, StepFallsByTheFactorAndStopsAtTheMinimum) {
  ScheduleOptions options = of(ScheduleKind::step);
  options.step_epochs = 2;
  options.factor = 0.1;
  options.minimum = 0.005;
  const Schedule schedule(options, 10, true);
  EXPECT_EQ(schedule.factor(0, 0, 1), 1);
  EXPECT_EQ(schedule.factor(1, 4, 5), 1);
  EXPECT_DOUBLE_EQ(schedule.factor(2, 0, 1), 0.1);
  EXPECT_DOUBLE_EQ(schedule.factor(5, 0, 1), 0.01);
  EXPECT_DOUBLE_EQ(schedule.factor(6, 0, 1), 0.005);
}

TEST(Schedule, CosineFallsFromOneToTheMinimum) {
  ScheduleOptions options = of(ScheduleKind::cosine);
  options.minimum = 0.2;
  const Schedule schedule(options, 10, true);
  EXPECT_DOUBLE_EQ(schedule.factor(0, 0, 4), 1);
  EXPECT_NEAR(schedule.factor(5, 0, 4), 0.6, 1e-15);
  EXPECT_NEAR(schedule.factor(9, 999'999, 1'000'000), 0.2, 1e-9);
  EXPECT_NEAR(schedule.factor(12, 0, 1), 0.2, 1e-15);
  double last = 2;
  for (int step = 0; step < 40; ++step) {
    const double now = schedule.factor(step / 4, step % 4, 4);
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(Schedule, WarmUpRisesLinearlyStepByStepForEveryKind) {
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine, ScheduleKind::plateau}) {
    ScheduleOptions options = of(kind);
    options.warmup_epochs = 2;
    const Schedule schedule(options, 10, true);
    for (int step = 0; step < 8; ++step)
      EXPECT_DOUBLE_EQ(schedule.factor(step / 4, step % 4, 4), (step + 1) / 8.0);
    EXPECT_DOUBLE_EQ(schedule.factor(2, 0, 4), 1);
  }
}

TEST(Schedule, PlateauFallsAfterMoreThanPatienceWithoutImprovement) {
  ScheduleOptions options = of(ScheduleKind::plateau);
  options.patience = 1;
  options.factor = 0.5;
  options.minimum = 0.3;
  options.threshold = 0.1;
  Schedule schedule(options, 100, false);
  const auto after = [&](double metric) {
    schedule.observe(metric);
    return schedule.factor(50, 0, 1);
  };
  EXPECT_EQ(after(1.0), 1);
  EXPECT_EQ(after(0.5), 1);
  EXPECT_EQ(after(0.45), 1);  // less than the threshold better: waited 1
  EXPECT_EQ(after(std::nan("")), 0.5);
  EXPECT_EQ(after(0.2), 0.5);
  EXPECT_EQ(after(0.2), 0.5);
  EXPECT_EQ(after(0.2), 0.3);
}

TEST(Schedule, ARestoredStateGoesOnTheSame) {
  ScheduleOptions options = of(ScheduleKind::plateau);
  options.patience = 2;
  Schedule whole(options, 100, true);
  Schedule first(options, 100, true);
  for (int i = 0; i < 12; ++i) {
    const double metric = 0.1 * ((i * 7) % 5);
    whole.observe(metric);
    // Through text, as a checkpoint stores it.
    Schedule second(options, 100, true);
    second.restore(from_map<ScheduleState>(to_map(first.state()), "state"));
    second.observe(metric);
    first.restore(second.state());
    EXPECT_EQ(to_map(whole.state()), to_map(first.state()));
  }
  EXPECT_LT(whole.factor(0, 0, 1), 1);
}

TEST(Schedule, OptionsReportEveryFault) {
  ScheduleOptions options;
  options.factor = 2;
  options.step_epochs = 0;
  options.minimum = -1;
  expect_error(Fault::argument, {"factor", "step_epochs", "minimum"}, [&] { options.validate(); });
}

}  // namespace
}  // namespace gsan
