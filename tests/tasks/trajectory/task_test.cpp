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

TEST(Trajectory, APublishedRowMayPoolAsTheStrictProtocolDoes) {
  const PublishedTrajectory task(gradients_and_curls(), thirds(20), RandomStream(0, "task"),
                                 {.batch_size = 4, .readout = TrajectoryReadout::pooled});
  EXPECT_EQ(task.shape().simplices,
            Trajectory(gradients_and_curls(), thirds(20), {0, "task"}).shape().simplices);
  expect_models_work(task, one_of_each("pooled", 1));
  for (const std::string& remark : task.remarks()) EXPECT_EQ(remark.find("flattened"), remark.npos) << remark;
}

TEST(Trajectory, RandomOrientationIsOneForTrainingAndAnewForEveryOtherSignal) {
  const SignalDataset dataset = gradients_and_curls();
  const Placement exact{.type = torch::kFloat64};
  const Split split = thirds(20);
  const Trajectory standard(dataset, split, RandomStream(3, "task"), {.batch_size = 5}, exact),
      random(dataset, split, RandomStream(3, "task"),
             {.batch_size = 5, .orientation = OrientationChoice::random}, exact);
  EXPECT_EQ(random.batch_count(Phase::train, 0), standard.batch_count(Phase::train, 0));
  ASSERT_EQ(random.batch_count(Phase::test, 0), static_cast<std::int64_t>(split.test.size()));
  // A signed network with an odd activation is equivariant, and |x| is what its readout pools.
  ModelSpec spec = small("gsan", "pooled");
  spec.readout_options.as<PooledReadoutOptions>().absolute = true;
  Model other(spec, standard.shape(), RandomStream(0, "weights"));
  SimplicialLayerOptions& layer = spec.backbone.as<LayersOptions>().layer;
  layer.is_equivariant = true;
  layer.activation = Activation::tanh;
  Model signed_model(spec, standard.shape(), RandomStream(0, "weights"));
  for (Model model : {signed_model, other}) {
    model->to(torch::kFloat64);
    model->eval();
  }
  const auto logits = [](Model& model, const Batch& batch) {
    return model->forward(batch.operators, batch.signals).values;
  };
  Tensor signs;  // of the test signals: no two are oriented alike
  for (std::int64_t i = 0; i < random.batch_count(Phase::test, 0); ++i) {
    const Trajectory alone(dataset, {split.train, {}, {split.test[static_cast<std::size_t>(i)]}},
                           RandomStream(3, "task"), {}, exact);
    const Batch a = alone.batch(Phase::test, 0, 0), b = random.batch(Phase::test, 0, i);
    EXPECT_TRUE(a.signals[1].abs().equal(b.signals[1].abs()));
    EXPECT_TRUE(logits(signed_model, a).allclose(logits(signed_model, b), 1e-10, 1e-10));
    EXPECT_FALSE(logits(other, a).allclose(logits(other, b), 1e-6, 1e-6));
    const Tensor of_this =
        b.operators.incidence(1).boundary(torch::ones({dataset.complex.count(1), 1}, torch::kFloat64));
    EXPECT_FALSE(signs.defined() && of_this.equal(signs));
    signs = of_this;
  }
  // Training has one orientation, of signals and operators together.
  const Batch a = standard.batch(Phase::train, 0, 0), b = random.batch(Phase::train, 0, 0);
  EXPECT_FALSE(a.signals[1].equal(b.signals[1]));
  EXPECT_TRUE(logits(signed_model, a).allclose(logits(signed_model, b), 1e-10, 1e-10));
  // Of the simple rules only the one on x hears of it.
  const auto rules = standard.rules(Phase::test), same = random.rules(Phase::test);
  ASSERT_EQ(rules.size(), same.size());
  for (std::size_t i = 0; i < rules.size(); ++i)
    EXPECT_TRUE(rules[i].name == "logistic regression on x" || rules[i].metrics == same[i].metrics);
  // Everything is answered, whoever asks.
  EXPECT_EQ(random.predict(signed_model).rows.size(), static_cast<std::size_t>(dataset.signals.size(0)));
}

}  // namespace
}  // namespace gsan
