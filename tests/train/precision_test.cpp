#include "gsan/models/precision.h"

#include <gtest/gtest.h>

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "gsan/train/run_settings.h"
#include "gsan/train/task_training.h"

#include "support/expect_error.h"
#include "train/small_graphs.h"

namespace gsan {
namespace {

bool ops_take_autocast() {
  const auto op = c10::Dispatcher::singleton().findSchema({"gsan::segment_sum", ""});
  return op && op->hasKernelForDispatchKey(c10::DispatchKey::AutocastCPU);
}

TEST(Autocast, IsOnForItsScopeAlone) {
  const Tensor x = torch::ones({2, 3}), w = torch::ones({4, 3});
  {
    const Autocast narrow(torch::kCPU);
    EXPECT_EQ(torch::linear(x, w).scalar_type(), torch::kBFloat16);
  }
  EXPECT_EQ(torch::linear(x, w).scalar_type(), torch::kFloat32);
  EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
}

TEST(Precision, IsAKeyOfARun) {
  EXPECT_EQ(recipe_settings("graph-classification", Protocol::strict).task.type, torch::kFloat32);
  for (const auto& [precision, name] : EnumNames<Precision>::names) {
    const RunSettings settings =
        recipe_settings("graph-classification", Protocol::strict, {concat("train.precision=", name)});
    EXPECT_EQ(settings.train.precision, precision);
    EXPECT_EQ(settings.task.type, type_of(precision));
    EXPECT_EQ(parse_run_settings(to_yaml(settings), "again").train.precision, precision);
  }
  expect_error(Fault::argument, {"train.precision", "half"},
               [] { recipe_settings("graph-classification", Protocol::strict, {"train.precision=half"}); });
}

std::vector<double> losses_of(Precision precision) {
  const GraphClassification task = small_graph_task(torch::kCPU, type_of(precision));
  Model model = small_graph_model(task, "gsan", 0);
  model->to(type_of(precision));
  model->set_precision(precision);
  TaskTraining training(task, model);
  struct Losses : TrainObserver {
    void on_epoch(const EpochReport& report) override {
      for (const auto& [name, value] : report.metrics)
        if (name == "train.loss") all.push_back(value);
    }
    std::vector<double> all;
  } losses;
  TrainOptions options;
  options.epochs = 2;
  options.optimizer.learning_rate = 0.01;
  Trainer(training, options, 1, {nullptr, &losses, nullptr}).run();
  for (const Tensor& parameter : model->parameters()) EXPECT_EQ(parameter.scalar_type(), type_of(precision));
  return losses.all;
}

TEST(Precision, WiderNumbersTakeTheSamePath) {
  const std::vector<double> narrow = losses_of(Precision::float32), wide = losses_of(Precision::float64);
  for (std::size_t i = 0; i < narrow.size(); ++i) EXPECT_NEAR(narrow[i], wide[i], 1e-3);
  EXPECT_NE(narrow, wide);
}

TEST(Precision, Bf16TrainsOnTheHost) {
  if (!ops_take_autocast()) GTEST_SKIP() << "the ops have no kernels for autocast on the CPU";
  const std::vector<double> narrow = losses_of(Precision::bf16), wide = losses_of(Precision::float32);
  EXPECT_LT(narrow.back(), narrow.front());
  EXPECT_NEAR(narrow.back(), wide.back(), 0.2);
}

}  // namespace
}  // namespace gsan
