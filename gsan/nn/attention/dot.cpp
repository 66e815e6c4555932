// Scaled dot products (Vaswani et al. 2017): γ_ij = ⟨h_i Q, h_j K⟩ / √d, Q and K [H, D, d].

#include <cmath>

#include "gsan/nn/attention/attention.h"
#include "gsan/ops/pairs.h"

namespace gsan {
namespace {

std::vector<AttentionParameter> parameters(const AttentionOptions& o) {
  const std::int64_t H = o.heads, D = o.width, d = o.channels;
  return {{"Q", {H, D, d}, D, d}, {"K", {H, D, d}, D, d}};
}

Tensor scores(const AttentionImpl& attention, const Neighborhood& n, const ProjectFeatures& project) {
  const std::int64_t d = attention.options.channels;
  const auto halves =
      project(torch::cat({attention.parameter("Q"), attention.parameter("K")}, 2)).split(d, -1);
  return ops::pair_dot(halves[0], halves[1], n.offsets, n.sources, n.mirror) /
         std::sqrt(static_cast<double>(d));
}

MechanismCost cost(const AttentionOptions& o) {
  return {.columns = 2.0 * o.channels, .pair_operations = 3.0 * o.channels};
}

}  // namespace

extern const AttentionMechanism dot_mechanism = {parameters, scores, cost};

}  // namespace gsan
