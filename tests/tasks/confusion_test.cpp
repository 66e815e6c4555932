#include "gsan/tasks/shared/confusion.h"

#include <gtest/gtest.h>

#include "gsan/tasks/trajectory/task.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

TEST(Confusion, CountsEveryKnownItemOnceAndHasTheAccuracyOnItsDiagonal) {
  SignalDataset dataset = gradients_and_curls();
  dataset.class_names = {"gradient", "<script>"};
  const Split split = thirds(20);
  dataset.labels[split.test.front()] = unknown_label;
  const Trajectory task(dataset, split, RandomStream(0, "task"), {.batch_size = 3});
  Model model(small("scnn", "pooled", {.signal_order = 1}), task.shape());
  for (const Phase phase : {Phase::train, Phase::test}) {
    const ConfusionMatrix matrix = confusion_matrix(task, model, phase);
    EXPECT_EQ(matrix.classes, dataset.class_names);
    ASSERT_EQ(matrix.counts.size(), 4U);
    std::int64_t ones = 0, known = 0;
    for (const std::int64_t i : items_of(split, phase)) {
      ones += dataset.labels[i].item<std::int64_t>() == 1;
      known += dataset.labels[i].item<std::int64_t>() >= 0;
    }
    EXPECT_EQ(matrix.total(), known);
    EXPECT_EQ(matrix.count(1, 0) + matrix.count(1, 1), ones);
    EXPECT_NEAR(100.0 * static_cast<double>(matrix.correct()) / static_cast<double>(known),
                evaluate(task, model, phase)[0].second, 1e-9);
  }
}

TEST(Confusion, IsOfClassesAndItems) {
  const Trajectory empty(gradients_and_curls(), {.train = {0, 1, 2}, .validation = {}, .test = {}},
                         RandomStream(0, "task"));
  Model model(small("scnn", "pooled", {.signal_order = 1}), empty.shape());
  expect_error(Fault::argument, {"test part has no items"},
               [&] { confusion_matrix(empty, model, Phase::test); });
}

TEST(Example, IsOneItemWithoutLeadingDimensions) {
  const SignalDataset dataset = gradients_and_curls();
  const Split split = thirds(20);
  const Trajectory task(dataset, split, RandomStream(0, "task"), {}, {.type = torch::kFloat64});
  const Batch batch = task.example(Phase::test, 2);
  EXPECT_TRUE(torch::equal(batch.signals[1], dataset.signals[split.test[2]]));
  expect_error(Fault::argument, {"test part has", "got 99"}, [&] { task.example(Phase::test, 99); });
}

}  // namespace
}  // namespace gsan
