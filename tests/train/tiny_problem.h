#pragma once
// A small problem with everything that a resumed run could get wrong: shuffled batches, dropout, batch norm's
// buffers, noise from torch's own generator, a metric that goes up and down.

#include <functional>
#include <limits>

#include "gsan/nn/initialization.h"
#include "gsan/nn/mlp.h"
#include "gsan/train/trainable.h"

namespace gsan {

class TinyProblem : public Trainable {
 public:
  static constexpr std::int64_t items = 12, batch = 4;

  explicit TinyProblem(std::uint64_t seed = 1)
      : seed_(seed), mlp_(mlp_options(), RandomStream(seed, "model")) {
    torch::manual_seed(seed);
    fill_normal(inputs_, 1, RandomStream(1, "inputs"));
    fill_normal(held_out_, 1, RandomStream(2, "inputs"));
  }

  static MlpOptions mlp_options() {
    MlpOptions options;
    options.in_channels = 3;
    options.hidden = {8};
    options.out_channels = 1;
    options.batch_norm = true;
    return options;
  }

  torch::nn::Module& module() override { return *mlp_; }
  std::string kind() const override { return "mlp"; }
  OptionMap options() const override { return to_map(mlp_->options()); }
  std::int64_t steps_per_epoch(std::int64_t) override { return items / batch; }

  Tensor step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) override {
    const auto order =
        RandomStream(seed_, "order").substream(static_cast<std::uint64_t>(epoch)).permutation(items);
    const Tensor rows = torch::tensor(order).slice(0, step * batch, (step + 1) * batch);
    const Tensor x = inputs_.index_select(0, rows);
    const Tensor mask = torch::empty_like(x);
    fill_uniform(mask, 0, 1, dropout);
    const Tensor noise = 0.1 * torch::randn({batch, 1});
    const Tensor loss = (mlp_->forward(x * (mask > 0.3)) - target(x) + noise).square().mean();
    if (before_step) before_step(epoch, step);
    return damage ? loss * std::numeric_limits<double>::quiet_NaN() : loss;
  }

  Metrics validate() override {
    const double loss = (mlp_->forward(held_out_) - target(held_out_)).square().mean().item<double>();
    return {{"loss", loss}, {"gain", 1 - loss}};
  }
  std::string choosing_metric() const override { return chooser; }
  bool more_is_better() const override { return false; }

  std::function<void(std::int64_t epoch, std::int64_t step)> before_step{};
  bool damage = false;  ///< the next loss is NaN
  std::string chooser = "loss";

 private:
  static Tensor target(const Tensor& x) { return x.sin().sum(-1, true); }
  std::uint64_t seed_;
  Mlp mlp_;
  Tensor inputs_ = torch::empty({items, 3}), held_out_ = torch::empty({items, 3});
};

}  // namespace gsan
