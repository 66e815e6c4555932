// Steps that no number returns from, against those that read the norm on the host.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <ATen/Context.h>

#include "gsan/nn/mlp.h"
#include "gsan/train/optimizer.h"

namespace gsan {
namespace {

Mlp sample_mlp(torch::Device device = torch::kCPU) {
  MlpOptions options;
  options.in_channels = 2;
  options.hidden = {3};
  Mlp mlp(options, RandomStream(1, "mlp"));
  mlp->to(torch::kFloat64);
  mlp->to(device);
  return mlp;
}

void set_gradients(Mlp& mlp, int step) {
  for (const Tensor& parameter : mlp->parameters())
    parameter.mutable_grad() = (parameter.detach() * (2 + step) + 0.3).sin();
}

std::vector<OptimizerOptions> every_kind() {
  std::vector<OptimizerOptions> all;
  for (const OptimizerKind kind : {OptimizerKind::adam, OptimizerKind::adamw, OptimizerKind::sgd})
    for (const double clip : {0.0, 0.2}) {
      OptimizerOptions options;
      options.kind = kind;
      options.learning_rate = 0.03;
      options.weight_decay = 0.1;
      options.clip_norm = clip;
      all.push_back(options);
      if (kind != OptimizerKind::sgd) continue;
      all.back().momentum = 0.9;
      options.momentum = 0.9;
      options.nesterov = true;
      all.push_back(options);
    }
  return all;
}

double queued(Optimizer& optimizer, double factor) {
  optimizer.set_rate(factor);
  return optimizer.queue_step().item<double>();
}

void expect_close(const Mlp& a, const Mlp& b) {
  for (std::size_t i = 0; i < a->parameters().size(); ++i)  // rate and divisor are float32
    EXPECT_TRUE(torch::allclose(a->parameters()[i].cpu(), b->parameters()[i].cpu(), 1e-6, 1e-8)) << i;
}

TEST(OptimizerOnDevice, QueuedStepsTakeThePathOfTheOthers) {
  for (const OptimizerOptions& options : every_kind()) {
    SCOPED_TRACE(concat(name_of(options.kind), " clip ", options.clip_norm));
    Mlp host = sample_mlp(), device = sample_mlp();
    Optimizer one(options, *host), other(options, *device);
    for (int step = 0; step < 6; ++step) {
      set_gradients(host, step);
      set_gradients(device, step);
      EXPECT_NEAR(one.step(1.0 / (step + 1)), queued(other, 1.0 / (step + 1)), 1e-6);
    }
    expect_close(host, device);
  }
}

// A run may begin on one device and go on on another: the state is the same list of tensors.
void expect_moves(torch::Device first, torch::Device second) {
  for (const OptimizerOptions& options : every_kind()) {
    SCOPED_TRACE(concat(name_of(options.kind), " clip ", options.clip_norm));
    Mlp whole = sample_mlp(), moved = sample_mlp(first);
    Optimizer one(options, *whole), before(options, *moved);
    for (int step = 0; step < 6; ++step) {
      set_gradients(whole, step);
      one.step();
    }
    for (int step = 0; step < 3; ++step) {
      set_gradients(moved, step);
      before.is_on_host() ? before.step() : queued(before, 1);
    }
    const NamedTensors state = before.state();
    EXPECT_EQ(state.front().second.scalar_type(), torch::kInt64);
    EXPECT_TRUE(state.front().second.equal(torch::full_like(state.front().second, 3)));
    moved->to(second);
    Optimizer after(options, *moved);
    after.restore(state);
    for (int step = 3; step < 6; ++step) {
      set_gradients(moved, step);
      step == 3 ? queued(after, 1) : after.step();
      if (after.is_on_host() && step == 3) {  // a state of queued steps, on the host
        const NamedTensors counted = after.state();
        EXPECT_TRUE(counted.front().second.equal(torch::full_like(counted.front().second, 4)));
        after.restore(counted);
      }
    }
    expect_close(whole, moved);
  }
}

TEST(OptimizerOnDevice, AStateOfQueuedStepsIsOneOfOrdinaryOnes) { expect_moves(torch::kCPU, torch::kCPU); }

TEST(OptimizerOnDevice, AStateMovesBetweenDevices) {
  if (!at::hasCUDA()) GTEST_SKIP() << "there is no CUDA device";
  expect_moves(torch::kCPU, torch::kCUDA);
  expect_moves(torch::kCUDA, torch::kCPU);
  expect_moves(torch::kCUDA, torch::kCUDA);
}

TEST(OptimizerOnDevice, AGradientThatIsNotFiniteChangesNothing) {
  for (const OptimizerOptions& options : every_kind()) {
    Mlp mlp = sample_mlp();
    Optimizer optimizer(options, *mlp);
    set_gradients(mlp, 0);
    mlp->parameters()[1].mutable_grad()[0] = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(std::isfinite(queued(optimizer, 1)));
    for (std::size_t i = 0; i < mlp->parameters().size(); ++i)
      EXPECT_TRUE(mlp->parameters()[i].equal(sample_mlp()->parameters()[i]));
    EXPECT_EQ(optimizer.state().front().second.sum().item<std::int64_t>(), 0);
  }
}

TEST(OptimizerOnDevice, ParametersWithoutGradientStay) {
  Mlp mlp = sample_mlp();
  Optimizer optimizer({}, *mlp);
  EXPECT_EQ(queued(optimizer, 1), 0);
  mlp->parameters()[0].mutable_grad() = torch::ones_like(mlp->parameters()[0]);
  queued(optimizer, 1);
  EXPECT_FALSE(mlp->parameters()[0].equal(sample_mlp()->parameters()[0]));
  EXPECT_TRUE(mlp->parameters()[2].equal(sample_mlp()->parameters()[2]));
  EXPECT_EQ(optimizer.state().front().second.sum().item<std::int64_t>(), 1);
}

}  // namespace
}  // namespace gsan
