#include "gsan/ops/composite/pairwise_attention.h"

#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>

#include "gsan/ops/composite/attention_pairs.h"
#include "gsan/ops/composite/attention_scores.h"
#include "gsan/ops/pairs.h"
#include "gsan/ops/segments.h"

namespace gsan::ops {
namespace {

// s and t side by side, [..., N, 2H].
at::Tensor scores_of(const AttentionFilter& f, const at::Tensor& a, const at::Tensor& products) {
  const AttentionScores from{f.weight, a};
  if (!f.signs) return at::matmul(f.x, from.projection());
  const at::Tensor rows = products.reshape({products.numel() / products.size(-1), products.size(-1)});
  const at::Tensor scores = from.side_by_side(at::bmm(from.features_by_head(rows), from.vectors()));
  std::vector<std::int64_t> sizes = f.x.sizes().slice(0, f.x.dim() - 1).vec();
  sizes.push_back(2 * from.heads);
  return scores.view(sizes);
}

}  // namespace

at::Tensor pairwise_attention(const AttentionFilter& f, const at::Tensor& a, double negative_slope) {
  if (f.x.scalar_type() != f.weight.scalar_type()) {
    AttentionFilter wide = f;
    wide.x = f.x.to(f.weight.scalar_type());
    return pairwise_attention(wide, a, negative_slope).to(f.x.scalar_type());
  }
  const std::int64_t P = f.weight.size(1), H = f.weight.size(2), F = f.weight.size(3);
  const at::Tensor products = at::matmul(f.x, f.weight.flatten(1));  // [..., N, P·H·F]
  const at::Tensor scores = scores_of(f, a, products);
  const ListedPairs pairs = list_pairs(f.structure, attention_mask(f), f.signs, f.x.scalar_type());
  const at::Tensor mirror = f.structure.size() == 3 ? f.structure[2] : mirror_of(pairs);
  const at::Tensor sums =
      pair_sum(scores.narrow(-1, 0, H), scores.narrow(-1, H, H), pairs.offsets, pairs.sources, mirror);
  const at::Tensor gamma = at::leaky_relu(sums, negative_slope);
  at::Tensor weights = f.sigmoid ? gamma.sigmoid() : segment_softmax(gamma, pairs.offsets);
  if (pairs.factors) weights = weights * *pairs.factors;
  const auto apply = [&](const at::Tensor& x) {
    return weighted_gather(weights, x, pairs.offsets, pairs.sources, mirror);
  };
  const auto taps = products.unflatten(-1, {P, H, F}).unbind(-3);
  at::Tensor y = taps[P - 1];
  for (std::int64_t p = P - 2; p >= 0; --p) y = taps[p] + apply(y);
  return (f.first_power == 1 ? apply(y) : y).flatten(-2);
}

}  // namespace gsan::ops
