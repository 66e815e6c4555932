#include "gsan/tasks/trajectory.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

TEST(Trajectory, HeldOutLabelsNeverReachAnInput) {
  const SignalDataset dataset = gradients_and_curls();
  SignalDataset changed = dataset;
  changed.labels = dataset.labels.clone();
  const Split split = thirds(20);
  for (const std::int64_t i : split.test) changed.labels[i] = 1 - changed.labels[i];
  const TrajectoryClassification a(dataset, split, RandomStream(0, "task")),
      b(changed, split, RandomStream(0, "task"));
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
}

TEST(Trajectory, LearnsToTellGradientsFromCurls) {
  const TrajectoryClassification task(gradients_and_curls(60), thirds(60), RandomStream(0, "task"),
                                      {.batch_size = 10});
  EXPECT_GE(trained_accuracy(task, small(presets::scnn({.length = 1})), 40, 0.02), 95);
}

TEST(Trajectory, EveryBackboneWorks) {
  for (const Protocol protocol : {Protocol::strict, Protocol::published}) {
    const TrajectoryClassification task(gradients_and_curls(), thirds(20), RandomStream(0, "task"),
                                        {.batch_size = 4, .protocol = protocol});
    expect_models_work(task, one_of_each(2, 1));
  }
  const TrajectoryClassification task(gradients_and_curls(), thirds(20), RandomStream(0, "task"));
  expect_error(Fault::argument, {"trajectory", "[0, 1, 0]", "the orders [0]"},
               [&] { task.complete(small(presets::gcn({.order = 2}))); });
}

TEST(Trajectory, ThePublishedReadoutIsLinearOnTheFlattenedSignal) {
  const TrajectoryClassification task(gradients_and_curls(), thirds(20), RandomStream(0, "task"),
                                      {.protocol = Protocol::published});
  const ModelOptions options = task.complete(small(presets::san({.order = 2})));
  EXPECT_EQ(options.readout, ReadoutKind::flattened);
  EXPECT_EQ(options.flattened.simplices, task.dataset().complex.count(1));
  EXPECT_FALSE(task.remarks().empty());
  EXPECT_TRUE(
      TrajectoryClassification(gradients_and_curls(), thirds(20), RandomStream(0, "task")).remarks().empty());
}

TEST(Trajectory, RandomOrientationChangesSignalsAndOperatorsTogether) {
  const SignalDataset dataset = gradients_and_curls();
  const Placement exact{.type = torch::kFloat64};
  const TrajectoryClassification standard(dataset, thirds(20), RandomStream(3, "task"), {.placement = exact}),
      random(dataset, thirds(20), RandomStream(3, "task"),
             {.orientation = OrientationChoice::random, .placement = exact});
  const Batch a = standard.batch(Phase::test, 0, 0), b = random.batch(Phase::test, 0, 0);
  EXPECT_FALSE(a.signals[1].equal(b.signals[1]));
  EXPECT_TRUE(a.signals[1].abs().equal(b.signals[1].abs()));
  // A signed network with an odd activation is equivariant, and |x| is what its readout pools.
  SimplicialLayerOptions layer = presets::gsan({.order = 2});
  layer.is_signed = true;
  layer.activation = Activation::tanh;
  Model signed_model(standard.complete(small(layer)), RandomStream(0, "weights"));
  signed_model->to(torch::kFloat64);
  signed_model->eval();
  const auto logits = [](Model& model, const Batch& batch) {
    return model->forward(batch.operators, batch.signals).values;
  };
  EXPECT_TRUE(logits(signed_model, a).allclose(logits(signed_model, b), 1e-10, 1e-10));
  // One without signs is not.
  Model other(standard.complete(small(presets::gsan({.order = 2}))), RandomStream(0, "weights"));
  other->to(torch::kFloat64);
  other->eval();
  EXPECT_FALSE(logits(other, a).allclose(logits(other, b), 1e-6, 1e-6));
  // The simple rules do not hear of it.
  const auto rules = standard.baselines(Phase::test), same = random.baselines(Phase::test);
  ASSERT_EQ(rules.size(), same.size());
  for (std::size_t i = 0; i < rules.size(); ++i) EXPECT_EQ(rules[i].metrics, same[i].metrics);
}

}  // namespace
}  // namespace gsan
