// GATv2 (Brody et al. 2022): γ_ij = v·LReLU(h_i M_1 + h_j M_2), M [H, 2D, d] with the rows of M_1 first, v
// [H, d].

#include "gsan/nn/attention/attention.h"
#include "gsan/ops/pairs.h"

namespace gsan {
namespace {

std::vector<AttentionParameter> parameters(const AttentionOptions& o) {
  const std::int64_t H = o.heads, D = o.width, d = o.channels;
  return {{"M", {H, 2 * D, d}, 2 * D, d}, {"v", {H, d}, d, 1}};
}

Tensor scores(const AttentionImpl& attention, const Neighborhood& n, const ProjectFeatures& project) {
  const std::int64_t D = attention.options.width, d = attention.options.channels;
  const Tensor& M = attention.parameter("M");
  const auto halves = project(torch::cat({M.narrow(1, 0, D), M.narrow(1, D, D)}, 2)).split(d, -1);
  return ops::gatv2_scores(halves[0], halves[1], attention.parameter("v"), n.offsets, n.sources, n.mirror,
                           attention.options.negative_slope);
}

MechanismCost cost(const AttentionOptions& o) {
  return {.columns = 2.0 * o.channels, .pair_operations = 3.0 * o.channels};
}

}  // namespace

extern const AttentionMechanism gatv2_mechanism = {parameters, scores, cost};

}  // namespace gsan
