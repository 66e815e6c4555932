#include "gsan/nn/initialization.h"

#include <cmath>

#include "gsan/nn/torch_seed.h"

namespace gsan {
namespace {

thread_local int without_torch_seed = 0;

template <class Draw>
void fill(const Tensor& parameter, const Draw& draw) {
  const torch::NoGradGuard no_grad;
  const Tensor values = torch::empty(parameter.sizes(), torch::kFloat64);
  double* entries = values.data_ptr<double>();
  for (std::int64_t i = 0; i < values.numel(); ++i) entries[i] = draw();
  parameter.copy_(values);
}

}  // namespace

WithoutTorchSeed::WithoutTorchSeed() { ++without_torch_seed; }
WithoutTorchSeed::~WithoutTorchSeed() { --without_torch_seed; }

RandomStream stream_from_torch(std::string_view purpose) {
  if (without_torch_seed > 0) return {0, purpose};
  // Two halves: randint takes no bound beyond int64.
  const Tensor halves = torch::randint(std::int64_t{1} << 32, {2}, torch::kInt64);
  const auto seed = (static_cast<std::uint64_t>(halves[0].item<std::int64_t>()) << 32) |
                    static_cast<std::uint64_t>(halves[1].item<std::int64_t>());
  return {seed, purpose};
}

void initialize(const Tensor& parameter, Initialization kind, std::int64_t fan_in, std::int64_t fan_out,
                double gain, RandomStream stream) {
  const double deviation = gain * std::sqrt(2.0 / static_cast<double>(fan_in + fan_out));
  if (kind == Initialization::xavier_normal) return fill_normal(parameter, deviation, std::move(stream));
  const double bound = std::sqrt(3.0) * deviation;
  fill_uniform(parameter, -bound, bound, std::move(stream));
}

void fill_uniform(const Tensor& parameter, double low, double high, RandomStream stream) {
  fill(parameter, [&] { return stream.uniform(low, high); });
}

void fill_normal(const Tensor& parameter, double deviation, RandomStream stream) {
  fill(parameter, [&] { return deviation * stream.normal(); });
}

}  // namespace gsan
