#include "gsan/tasks/trajectory/task.h"

#include "gsan/models/backbones/layers.h"
#include "gsan/nn/pooled_readout.h"

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
  const Trajectory a(dataset, split, RandomStream(0, "task")), b(changed, split, RandomStream(0, "task"));
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));
}

TEST(Trajectory, LearnsToTellGradientsFromCurls) {
  const Trajectory task(gradients_and_curls(60), thirds(60), RandomStream(0, "task"), {.batch_size = 10});
  EXPECT_GE(trained_accuracy(task, small("scnn", "pooled", {.length = 1, .signal_order = 1}), 40, 0.02), 95);
}

TEST(Trajectory, EveryBackboneWorks) {
  const Trajectory task(gradients_and_curls(), thirds(20), RandomStream(0, "task"), {.batch_size = 4});
  expect_models_work(task, one_of_each("pooled", 1));
  const PublishedTrajectory published(gradients_and_curls(), thirds(20), RandomStream(0, "task"),
                                      {.batch_size = 4});
  expect_models_work(published, one_of_each("flattened", 1));
  expect_error(Fault::argument, {"[0, 1, 0]", "the orders [0]", "another model"},
               [&] { Model(small("gcn", "pooled"), task.shape()); });
}

TEST(Trajectory, ThePublishedReadoutIsLinearOnTheFlattenedSignal) {
  const PublishedTrajectory task(gradients_and_curls(), thirds(20), RandomStream(0, "task"));
  EXPECT_EQ(task.shape().order, 1);
  EXPECT_EQ(task.shape().simplices, task.dataset().complex.count(1));
  Model model(small("san", "flattened", {.signal_order = 1}), task.shape());
  const auto parameters = model->named_parameters();
  const Tensor* weight = nullptr;  // of the readout, the only one as wide as a signal
  for (const auto& item : parameters)
    if (item.key().starts_with("readout.") && item.value().dim() == 2) weight = parameters.find(item.key());
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->numel(), 2 * 8 * task.dataset().complex.count(1));
  EXPECT_FALSE(task.remarks().empty());
  EXPECT_TRUE(Trajectory(gradients_and_curls(), thirds(20), RandomStream(0, "task")).remarks().empty());
}

TEST(Trajectory, RandomOrientationChangesSignalsAndOperatorsTogether) {
  const SignalDataset dataset = gradients_and_curls();
  const Placement exact{.type = torch::kFloat64};
  const Trajectory standard(dataset, thirds(20), RandomStream(3, "task"), {}, exact),
      random(dataset, thirds(20), RandomStream(3, "task"), {.orientation = OrientationChoice::random}, exact);
  const Batch a = standard.batch(Phase::test, 0, 0), b = random.batch(Phase::test, 0, 0);
  EXPECT_FALSE(a.signals[1].equal(b.signals[1]));
  EXPECT_TRUE(a.signals[1].abs().equal(b.signals[1].abs()));
  // A signed network with an odd activation is equivariant, and |x| is what its readout pools.
  ModelSpec spec = small("gsan", "pooled");
  spec.readout_options.as<PooledReadoutOptions>().absolute = true;
  Model other(spec, standard.shape(), RandomStream(0, "weights"));
  SimplicialLayerOptions& layer = spec.backbone.as<LayersOptions>().layer;
  layer.is_equivariant = true;
  layer.activation = Activation::tanh;
  Model signed_model(spec, standard.shape(), RandomStream(0, "weights"));
  signed_model->to(torch::kFloat64);
  signed_model->eval();
  const auto logits = [](Model& model, const Batch& batch) {
    return model->forward(batch.operators, batch.signals).values;
  };
  EXPECT_TRUE(logits(signed_model, a).allclose(logits(signed_model, b), 1e-10, 1e-10));
  // One without signs is not.
  other->to(torch::kFloat64);
  other->eval();
  EXPECT_FALSE(logits(other, a).allclose(logits(other, b), 1e-6, 1e-6));
  // The simple rules do not hear of it.
  const auto rules = standard.rules(Phase::test), same = random.rules(Phase::test);
  ASSERT_EQ(rules.size(), same.size());
  for (std::size_t i = 0; i < rules.size(); ++i) EXPECT_EQ(rules[i].metrics, same[i].metrics);
}

}  // namespace
}  // namespace gsan
