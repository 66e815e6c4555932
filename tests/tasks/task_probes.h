#pragma once
// What the tests of all tasks ask of a task.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gsan/models/model_kinds.h"
#include "gsan/tasks/task.h"

namespace gsan {

inline Split thirds(std::int64_t count) {
  Split split;
  for (std::int64_t i = 0; i < count; ++i)
    (i % 3 == 0 ? split.test : i % 3 == 1 ? split.validation : split.train).push_back(i);
  return split;
}

/// Two layers of 8 features.
inline ModelSpec small(const std::string& name, const std::string& readout,
                       const ModelArguments& arguments = {}) {
  ModelSpec spec = model_spec(name, readout, arguments);
  spec.backbone.set({{"hidden_channels", "8"}, {"n_layers", "2"}}, name);
  if (readout == "pooled") spec.readout_options.set({{"hidden_channels", "8"}}, readout);
  return spec;
}

// Everything that a phase hands to a model, one after the other.
inline std::vector<Tensor> inputs_of(const Task& task, Phase phase, std::int64_t epochs = 2) {
  std::vector<Tensor> all;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    for (std::int64_t step = 0; step < task.batch_count(phase, epoch); ++step) {
      const Batch batch = task.batch(phase, epoch, step);
      for (const Tensor& signal : batch.signals)
        if (signal.defined()) all.push_back(signal);
      if (batch.rows.defined()) all.push_back(batch.rows);
      if (batch.tuples.defined()) all.push_back(batch.tuples);
      if (phase == Phase::train) all.push_back(batch.targets);
    }
  }
  return all;
}

inline void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].equal(b[i])) << "tensor " << i;
}

// Adam on the task's own batches, until its training loss is what it can be.
inline double trained_accuracy(const Task& task, const ModelSpec& spec, int epochs, double rate) {
  Model model(spec, task.shape(), RandomStream(1, "weights"));
  std::vector<Tensor> parameters = model->parameters(), first, second;
  for (const Tensor& p : parameters) {
    first.push_back(torch::zeros_like(p));
    second.push_back(torch::zeros_like(p));
  }
  int t = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (std::int64_t step = 0; step < task.batch_count(Phase::train, epoch); ++step) {
      const Batch batch = task.batch(Phase::train, epoch, step);
      model->zero_grad();
      task.loss(model->forward(batch.operators, batch.signals, {}, batch.tuples), batch).backward();
      const torch::NoGradGuard no_grad;
      ++t;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!parameters[i].grad().defined()) continue;
        first[i].lerp_(parameters[i].grad(), 0.1);
        second[i].lerp_(parameters[i].grad().square(), 0.001);
        const Tensor m = first[i] / (1 - std::pow(0.9, t)), v = second[i] / (1 - std::pow(0.999, t));
        parameters[i].sub_(rate * m / (v.sqrt() + 1e-8));
      }
    }
  }
  return evaluate(task, model, Phase::test).front().second;
}

inline double metric(const Metrics& metrics, const std::string& name) {
  for (const auto& [key, value] : metrics)
    if (key == name) return value;
  ADD_FAILURE() << "no metric " << name;
  return NAN;
}

inline double rule(const Task& task, const std::string& name, const std::string& key = "accuracy",
                   Phase phase = Phase::test) {
  for (const RuleResult& result : task.rules(phase))
    if (result.name == name) return metric(result.metrics, key);
  ADD_FAILURE() << "no rule " << name;
  return NAN;
}

/// One model of each backbone, one of a single order. Models whose last layer cannot be the answer have a
/// readout on simplices in the place of none.
inline std::vector<ModelSpec> one_of_each(const std::string& readout, int signal_order) {
  std::vector<ModelSpec> all;
  for (const char* name : {"gsan", "san", "mpsn", "mlp"}) {
    const bool needs_readout = readout == "none" && !find_model(name).backbone->can_answer_itself;
    all.push_back(small(name, needs_readout ? "simplex" : readout, {.signal_order = signal_order}));
  }
  return all;
}

/// All items in order of their losses, which average to what the meter says; the worst are the first of them.
inline void expect_worst_items(const Task& task, Model& model, const Metrics& metrics) {
  const std::vector<JudgedItem> all = task.worst_items(model, Phase::test, 1 << 20),
                                two = task.worst_items(model, Phase::test, 2);
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    sum += all[i].loss;
    EXPECT_FALSE(all[i].name.empty() || all[i].truth.empty() || all[i].answer.empty());
    if (i > 0) {
      EXPECT_LE(all[i].loss, all[i - 1].loss);
    }
  }
  // Values are judged in their own units, which are not those of the loss.
  const bool is_value = std::any_of(metrics.begin(), metrics.end(), [](auto& m) { return m.first == "mae"; });
  const double mean = metric(metrics, is_value ? "mae" : "loss");
  EXPECT_NEAR(sum / static_cast<double>(all.size()), mean, 1e-4 * std::max(1.0, mean));
  ASSERT_EQ(two.size(), std::min<std::size_t>(2, all.size()));
  for (std::size_t i = 0; i < two.size(); ++i) EXPECT_EQ(two[i].name, all[i].name);
}

/// Every model gets a gradient from the loss and numbers from the meter.
inline void expect_models_work(const Task& task, const std::vector<ModelSpec>& models) {
  for (const ModelSpec& spec : models) {
    SCOPED_TRACE(spec.name);
    Model model(spec, task.shape(), RandomStream(0, "weights"));
    const Batch batch = task.batch(Phase::train, 0, 0);
    const Tensor loss = task.loss(model->forward(batch.operators, batch.signals, {}, batch.tuples), batch);
    loss.backward();
    EXPECT_TRUE(loss.isfinite().item<bool>());
    const Metrics metrics = evaluate(task, model, Phase::test);
    for (const auto& [name, value] : metrics) EXPECT_TRUE(std::isfinite(value)) << name;
    expect_worst_items(task, model, metrics);
  }
}

}  // namespace gsan
