#include "gsan/train/optimizer.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include "gsan/nn/mlp.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

Mlp sample_mlp() {
  MlpOptions options;
  options.in_channels = 2;
  options.hidden = {3};
  Mlp mlp(options, RandomStream(1, "mlp"));
  mlp->to(torch::kFloat64);
  return mlp;
}

// Any smooth function of all parameters, different in every step.
void set_gradients(Mlp& mlp, int step) {
  for (const Tensor& parameter : mlp->parameters())
    parameter.mutable_grad() = (parameter.detach() * (2 + step) + 0.3).sin();
}

void expect_same_path(const OptimizerOptions& options,
                      const std::function<void(std::vector<Tensor>, std::function<void()>)>& reference) {
  Mlp ours = sample_mlp(), theirs = sample_mlp();
  Optimizer optimizer(options, *ours);
  int step = 0;
  reference(theirs->parameters(), [&] { set_gradients(theirs, step++); });
  for (step = 0; step < 6; ++step) {
    set_gradients(ours, step);
    optimizer.step();
  }
  for (std::size_t i = 0; i < ours->parameters().size(); ++i) {
    EXPECT_TRUE(torch::allclose(ours->parameters()[i], theirs->parameters()[i], 1e-12, 1e-14));
    EXPECT_FALSE(torch::allclose(ours->parameters()[i], sample_mlp()->parameters()[i]));
  }
}

template <class Reference, class Options>
auto six_steps_of(const Options& options) {
  return [options](std::vector<Tensor> parameters, const std::function<void()>& next_gradients) {
    Reference reference(parameters, options);
    for (int i = 0; i < 6; ++i) {
      next_gradients();
      reference.step();
    }
  };
}

TEST(Optimizer, AdamIsTorchs) {
  OptimizerOptions options;
  options.learning_rate = 0.03;
  options.weight_decay = 0.1;
  options.beta1 = 0.8;
  expect_same_path(options, six_steps_of<torch::optim::Adam>(
                                torch::optim::AdamOptions(0.03).weight_decay(0.1).betas({0.8, 0.999})));
}

TEST(Optimizer, AdamwIsTorchs) {
  OptimizerOptions options;
  options.kind = OptimizerKind::adamw;
  options.learning_rate = 0.03;
  options.weight_decay = 0.2;
  expect_same_path(options,
                   six_steps_of<torch::optim::AdamW>(torch::optim::AdamWOptions(0.03).weight_decay(0.2)));
}

TEST(Optimizer, SgdIsTorchs) {
  OptimizerOptions options;
  options.kind = OptimizerKind::sgd;
  options.learning_rate = 0.1;
  expect_same_path(options, six_steps_of<torch::optim::SGD>(torch::optim::SGDOptions(0.1)));
  options.momentum = 0.9;
  options.weight_decay = 0.05;
  expect_same_path(options, six_steps_of<torch::optim::SGD>(
                                torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.05)));
  options.nesterov = true;
  expect_same_path(options,
                   six_steps_of<torch::optim::SGD>(
                       torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(0.05).nesterov(true)));
}

TEST(Optimizer, ARestoredStateGoesOnBitForBit) {
  for (const OptimizerKind kind : {OptimizerKind::adam, OptimizerKind::adamw, OptimizerKind::sgd}) {
    OptimizerOptions options;
    options.kind = kind;
    options.momentum = 0.9;
    options.weight_decay = 0.01;
    Mlp whole = sample_mlp(), resumed = sample_mlp();
    Optimizer one(options, *whole);
    Optimizer first(options, *resumed);
    for (int step = 0; step < 6; ++step) {
      set_gradients(whole, step);
      one.step(1.0 / (step + 1));
    }
    for (int step = 0; step < 3; ++step) {
      set_gradients(resumed, step);
      first.step(1.0 / (step + 1));
    }
    Optimizer second(options, *resumed);
    second.restore(first.state());
    for (int step = 3; step < 6; ++step) {
      set_gradients(resumed, step);
      second.step(1.0 / (step + 1));
    }
    for (std::size_t i = 0; i < whole->parameters().size(); ++i)
      EXPECT_TRUE(whole->parameters()[i].equal(resumed->parameters()[i])) << name_of(kind);
  }
}

TEST(Optimizer, ClippingScalesAllGradientsTogether) {
  OptimizerOptions options;
  options.kind = OptimizerKind::sgd;
  options.learning_rate = 1;
  options.clip_norm = 0.5;
  Mlp mlp = sample_mlp();
  const auto before = sample_mlp()->parameters();
  for (const Tensor& parameter : mlp->parameters()) parameter.mutable_grad() = torch::ones_like(parameter);
  std::int64_t count = 0;
  for (const Tensor& parameter : before) count += parameter.numel();
  Optimizer optimizer(options, *mlp);
  EXPECT_DOUBLE_EQ(optimizer.step(), std::sqrt(static_cast<double>(count)));
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_TRUE(torch::allclose(before[i] - mlp->parameters()[i],
                                torch::full_like(before[i], 0.5 / std::sqrt(static_cast<double>(count)))));
}

TEST(Optimizer, AGradientThatIsNotFiniteChangesNothing) {
  Mlp mlp = sample_mlp();
  Optimizer optimizer({}, *mlp);
  set_gradients(mlp, 0);
  mlp->parameters()[1].mutable_grad()[0] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(std::isfinite(optimizer.step()));
  for (std::size_t i = 0; i < mlp->parameters().size(); ++i)
    EXPECT_TRUE(mlp->parameters()[i].equal(sample_mlp()->parameters()[i]));
  EXPECT_EQ(optimizer.state().size(), 1U);  // the counters alone
}

TEST(Optimizer, ParametersWithoutGradientStay) {
  Mlp mlp = sample_mlp();
  OptimizerOptions options;
  options.weight_decay = 0.5;
  Optimizer optimizer(options, *mlp);
  EXPECT_EQ(optimizer.step(), 0);
  mlp->parameters()[0].mutable_grad() = torch::ones_like(mlp->parameters()[0]);
  optimizer.step();
  EXPECT_FALSE(mlp->parameters()[0].equal(sample_mlp()->parameters()[0]));
  EXPECT_TRUE(mlp->parameters()[2].equal(sample_mlp()->parameters()[2]));
  Optimizer again(options, *mlp);
  again.restore(optimizer.state());
  EXPECT_EQ(again.state().size(), optimizer.state().size());
}

// The moments of a parameter stand in memory as it does: its elements must not be in another order.
TEST(Optimizer, AParameterThatIsNotContiguousIsRefused) {
  torch::nn::Module module;
  module.register_parameter("turned", torch::zeros({2, 3}).t());
  expect_error(Fault::argument, {"turned", "contiguous"}, [&] { Optimizer({}, module); });
}

TEST(Optimizer, AStateOfOtherParametersIsRefused) {
  Mlp mlp = sample_mlp(), wide = sample_mlp();
  set_gradients(mlp, 0);
  Optimizer adam({}, *mlp);
  adam.step();
  OptimizerOptions sgd;
  sgd.kind = OptimizerKind::sgd;
  Optimizer other(sgd, *wide);
  expect_error(Fault::argument, {"does not fit", "sgd", "linear0.weight"},
               [&] { other.restore(adam.state()); });
  expect_error(Fault::argument, {"'steps' is missing"}, [&] { other.restore({}); });
  NamedTensors damaged = adam.state();
  damaged[1].second = torch::ones({7});
  expect_error(Fault::argument, {damaged[1].first, "[7]"}, [&] { Optimizer({}, *wide).restore(damaged); });
}

TEST(Optimizer, OptionsReportEveryFault) {
  OptimizerOptions options;
  options.learning_rate = -1;
  options.beta2 = 1;
  options.nesterov = true;
  expect_error(Fault::argument, {"learning_rate", "beta2", "nesterov"}, [&] { options.validate(); });
}

}  // namespace
}  // namespace gsan
