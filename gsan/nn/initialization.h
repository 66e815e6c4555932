#pragma once
// First values of parameters, from named streams: the same bits on every platform and device, and
// the values of one parameter do not depend on which others exist.

#include <torch/types.h>

#include "gsan/core/options.h"
#include "gsan/core/random.h"

namespace gsan {

using torch::Tensor;

enum class Initialization { xavier_uniform, xavier_normal };

template <>
struct EnumNames<Initialization> {
  static constexpr std::pair<Initialization, std::string_view> names[] = {
      {Initialization::xavier_uniform, "xavier_uniform"}, {Initialization::xavier_normal, "xavier_normal"}};
};

/// A stream whose seed is the next number of torch's default CPU generator: torch::manual_seed
/// governs a model that nobody gave a seed of its own.
RandomStream stream_from_torch(std::string_view purpose);

/// Fills in place without a gradient. `fan_in` and `fan_out` are those of one weight matrix, however
/// many of them the tensor stacks (per-matrix Xavier): variance 2 gain² / (fan_in + fan_out).
void initialize(const Tensor& parameter, Initialization kind, std::int64_t fan_in, std::int64_t fan_out,
                double gain, RandomStream stream);

/// Uniform in [low, high).
void fill_uniform(const Tensor& parameter, double low, double high, RandomStream stream);

/// Standard normal times `deviation`.
void fill_normal(const Tensor& parameter, double deviation, RandomStream stream);

}  // namespace gsan
