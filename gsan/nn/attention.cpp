#include "gsan/nn/attention.h"

#include <cmath>

#include "gsan/ops/pairs.h"
#include "gsan/ops/segments.h"

namespace gsan {

AttentionImpl::AttentionImpl(const AttentionOptions& options_) : options(options_) { AttentionImpl::reset(); }

void AttentionImpl::reset() {
  const std::int64_t H = options.heads, D = options.width, d = options.channels;
  switch (options.mechanism) {
    case Mechanism::gat:
      a = register_parameter("a", torch::empty({H, 2 * D}));
      break;
    case Mechanism::gatv2:
      M = register_parameter("M", torch::empty({H, 2 * D, d}));
      v = register_parameter("v", torch::empty({H, d}));
      break;
    case Mechanism::dot:
      Q = register_parameter("Q", torch::empty({H, D, d}));
      K = register_parameter("K", torch::empty({H, D, d}));
      break;
  }
}

void AttentionImpl::reset_parameters(const RandomStream& stream) {
  const std::int64_t D = options.width, d = options.channels;
  const auto fill = [&](const Tensor& parameter, const char* name, std::int64_t fan_in,
                        std::int64_t fan_out) {
    if (parameter.defined())
      initialize(parameter, options.initialization, fan_in, fan_out, 1, stream.substream(name));
  };
  fill(a, "a", 2 * D, 1);
  fill(M, "M", 2 * D, d);
  fill(v, "v", d, 1);
  fill(Q, "Q", D, d);
  fill(K, "K", D, d);
}

Tensor AttentionImpl::forward(const Neighborhood& neighborhood, const ProjectFeatures& project) const {
  return ops::segment_softmax(scores(neighborhood, project), neighborhood.offsets);
}

Tensor AttentionImpl::scores(const Neighborhood& n, const ProjectFeatures& project) const {
  const std::int64_t H = options.heads, D = options.width, d = options.channels;
  switch (options.mechanism) {
    case Mechanism::gat: {
      const auto halves = project(a.view({H, 2, D}).transpose(1, 2)).unbind(-1);  // [..., N, H] each
      return torch::leaky_relu(ops::pair_sum(halves[0], halves[1], n.offsets, n.sources, n.mirror),
                               options.negative_slope);
    }
    case Mechanism::gatv2: {
      const auto halves = project(torch::cat({M.narrow(1, 0, D), M.narrow(1, D, D)}, 2)).split(d, -1);
      return ops::gatv2_scores(halves[0], halves[1], v, n.offsets, n.sources, n.mirror,
                               options.negative_slope);
    }
    case Mechanism::dot: {
      const auto halves = project(torch::cat({Q, K}, 2)).split(d, -1);
      return ops::pair_dot(halves[0], halves[1], n.offsets, n.sources, n.mirror) /
             std::sqrt(static_cast<double>(d));
    }
  }
  fail(Fault::argument, "Attention: unknown mechanism ", static_cast<int>(options.mechanism));
}

}  // namespace gsan
