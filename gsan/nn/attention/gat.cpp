// GAT (Veličković et al. 2018): γ_ij = LReLU(a[:D]·h_i + a[D:]·h_j), a [H, 2D] with the half of the receiving
// simplex first.

#include "gsan/nn/attention/attention.h"
#include "gsan/ops/pairs.h"

namespace gsan {
namespace {

std::vector<AttentionParameter> parameters(const AttentionOptions& o) {
  const std::int64_t H = o.heads, D = o.width;
  return {{"a", {H, 2 * D}, 2 * D, 1}};
}

Tensor scores(const AttentionImpl& attention, const Neighborhood& n, const ProjectFeatures& project) {
  const std::int64_t H = attention.options.heads, D = attention.options.width;
  const auto halves =
      project(attention.parameter("a").view({H, 2, D}).transpose(1, 2)).unbind(-1);  // [..., N, H] each
  return torch::leaky_relu(ops::pair_sum(halves[0], halves[1], n.offsets, n.sources, n.mirror),
                           attention.options.negative_slope);
}

MechanismCost cost(const AttentionOptions&) { return {.columns = 2, .pair_operations = 2}; }

Tensor filter(const AttentionImpl& attention, const ops::AttentionFilter& operands) {
  return ops::attention(operands, attention.parameter("a"), attention.options.negative_slope);
}

}  // namespace

extern const AttentionMechanism gat_mechanism = {parameters, scores, cost, filter};

}  // namespace gsan
