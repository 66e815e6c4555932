// What a model that cannot learn looks like before and while it is trained.

#include "gsan/train/diagnosis.h"

#include <gtest/gtest.h>

#include "gsan/topology/delaunay.h"
#include "gsan/train/experiment.h"

namespace gsan {
namespace {

RunSettings small_run(const std::vector<std::string>& more) {
  std::vector<std::string> overrides = {"data.name=flow", "data.points=120",  "model.hidden_channels=4",
                                        "train.epochs=2", "model.n_layers=2", "trajectory.batch_size=100",
                                        "model.gain=1",   "data.signals=140"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return parse_run_settings("task: trajectory", "test", overrides);
}

class Diagnosis : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_delaunay()) GTEST_SKIP() << "the flow needs Qhull, which this build is without";
  }
};

TEST_F(Diagnosis, LooksAtEveryLayerAndChangesNothing) {
  Experiment experiment = make_experiment(small_run({"model.name=gsan"}));
  experiment.model->train();
  std::vector<Tensor> before;
  for (const Tensor& parameter : experiment.model->parameters()) before.push_back(parameter.detach().clone());
  const auto layers = diagnose(*experiment.task, experiment.model, true);
  ASSERT_EQ(layers.size(), 2u);
  for (const LayerDiagnosis& layer : layers) {
    EXPECT_FALSE(layer.is_dead()) << layer.sentence();
    EXPECT_GT(layer.spread, 0);
    EXPECT_GT(*layer.gradient_norm, 0);
    EXPECT_GE(*layer.log_weight_spread, 0);
    EXPECT_EQ(layer.activation, "tanh");
  }
  EXPECT_EQ(layers[1].layer, 2);
  EXPECT_TRUE(experiment.model->is_training());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_TRUE(torch::equal(experiment.model->parameters()[i], before[i]));
    EXPECT_FALSE(experiment.model->parameters()[i].grad().defined());
  }
}

TEST_F(Diagnosis, ASaturatedLayerIsDeadAndSaysSo) {
  Experiment experiment = make_experiment(small_run({"model.name=gsccn", "model.gain=1e6"}));
  const auto layers = diagnose(*experiment.task, experiment.model, false);
  ASSERT_FALSE(layers.empty());
  EXPECT_GT(layers[1].saturated, 0.999);
  EXPECT_TRUE(layers[1].is_dead());
  EXPECT_NE(layers[1].sentence().find("layer 2 is dead: 100 % of its outputs are where tanh is flat"),
            std::string::npos)
      << layers[1].sentence();
  EXPECT_FALSE(layers[1].gradient_norm);
}

TEST_F(Diagnosis, ABackboneWithoutSimplicialLayersHasNone) {
  Experiment experiment = make_experiment(
      parse_run_settings("task: trajectory", "test",
                         {"data.name=flow", "data.points=120", "data.signals=140", "model.name=mlp"}));
  EXPECT_TRUE(diagnose(*experiment.task, experiment.model, true).empty());
}

// The learned metric of raw numbers spreads over many powers of e; the options of the recipes keep it.
TEST_F(Diagnosis, ShowsTheScaleOfALearnedMetric) {
  const auto spread = [](const std::vector<std::string>& more) {
    std::vector<std::string> overrides{"model.name=gsan-hodge"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    Experiment experiment = make_experiment(small_run(overrides));
    fit_inputs(*experiment.task, experiment.model);
    return *diagnose(*experiment.task, experiment.model, true)[0].log_weight_spread;
  };
  EXPECT_EQ(spread({}), 0);
  EXPECT_GT(spread({"model.metric_start=random", "model.metric_bound=0"}), 0);
  EXPECT_LE(spread({"model.metric_start=random", "model.metric_bound=0.5"}), 1);
}

class Messages final : public TrainObserver {
 public:
  void on_message(const std::string& message) override { all.push_back(message); }
  std::vector<std::string> all;
};

TEST_F(Diagnosis, TrainingWarnsAfterTheFirstEpochAndInTheRecord) {
  Messages messages;
  Experiment experiment = make_experiment(small_run({"model.name=gsccn", "model.gain=1e6"}));
  const RunOutcome outcome = train_experiment(experiment, std::nullopt, {torch::kCPU, &messages, nullptr});
  ASSERT_FALSE(messages.all.empty());
  EXPECT_NE(messages.all.front().find("after the first epoch layer"), std::string::npos)
      << messages.all.front();
  ASSERT_FALSE(outcome.record->warnings.empty());
  const RunRecord back = parse_record(record_text(*outcome.record), "test");
  EXPECT_EQ(back.warnings, outcome.record->warnings);
}

}  // namespace
}  // namespace gsan
