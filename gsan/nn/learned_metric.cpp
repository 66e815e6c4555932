#include "gsan/nn/learned_metric.h"

#include <cmath>

#include "gsan/ops/row_product.h"
#include "gsan/ops/segments.h"

namespace gsan {
namespace {

constexpr double deepest = 20;  // how far a g may lie below the largest of its complex

Tensor segment_log_softmax(const Tensor& x, const Tensor& offsets) {
  const Tensor largest = ops::segment_spread(ops::segment_max(x.detach(), offsets), offsets, x.sym_size(-2));
  const Tensor centered = x - largest;
  return centered -
         ops::segment_spread(ops::segment_sum(centered.exp(), offsets).log(), offsets, x.sym_size(-2));
}

}  // namespace

LearnedMetricImpl::LearnedMetricImpl(const LearnedMetricOptions& options_) : options(options_) {
  LearnedMetricImpl::reset();
}

void LearnedMetricImpl::reset() {
  const std::int64_t F = options.in_channels, H = options.heads, hidden = options.hidden_channels;
  W1 = register_parameter("W1", torch::empty({F, H, hidden}));
  b1 = register_parameter("b1", torch::empty({H, hidden}));
  W2 = register_parameter("W2", torch::empty({H, hidden}));
  b2 = register_parameter("b2", torch::empty({H}));
}

void LearnedMetricImpl::reset_parameters(const RandomStream& stream) {
  const torch::NoGradGuard no_grad;
  const std::int64_t hidden = options.hidden_channels;
  initialize(W1, options.initialization, options.in_channels, hidden, 1, stream.substream("W1"));
  if (options.uniform_start)
    W2.zero_();
  else
    initialize(W2, options.initialization, hidden, 1, 1, stream.substream("W2"));
  b1.zero_();
  b2.zero_();
}

Tensor LearnedMetricImpl::forward(const Tensor& z, const Tensor& part_offsets) const {
  const Tensor hidden = torch::leaky_relu(
      ops::row_product(z, W1.flatten(1)).unflatten(-1, {options.heads, options.hidden_channels}) + b1,
      options.negative_slope);                 // [..., N, H, hidden]
  Tensor logits = (hidden * W2).sum(-1) + b2;  // [..., N, H]
  if (options.bound > 0) logits = (logits / options.bound).tanh() * options.bound;
  Tensor g = segment_log_softmax(logits, part_offsets);
  if (options.mean_one) {
    const Tensor counts = part_offsets.diff().clamp_min(1).to(g.scalar_type()).log().unsqueeze(-1);
    g = g + ops::segment_spread(counts, part_offsets, g.sym_size(-2));
  }
  const Tensor floor =
      ops::segment_spread(ops::segment_max(g.detach(), part_offsets), part_offsets, g.sym_size(-2)) - deepest;
  return torch::where(g < floor, floor, g);
}

Incidence weighted_incidence(const Incidence& B, const Tensor& lower, const Tensor& upper) {
  return B.scaled((lower / 2).exp() / std::sqrt(B.order() + 1.0), (-upper / 2).exp());
}

}  // namespace gsan
