#include "gsan/hodge/spectral/response.h"

#include "gsan/core/check.h"

namespace gsan {

Tensor frequency_response(const Tensor& frequencies, const Tensor& weights, int first_power) {
  GSAN_CHECK(frequencies.dim() == 1, "frequency_response: the frequencies must have the shape [n], got ",
             frequencies.sizes());
  GSAN_CHECK((weights.dim() == 1 || weights.dim() == 3) && weights.size(0) >= 1,
             "frequency_response: the weights must have the shape [P] or [P, F_in, F_out] with P >= 1, got ",
             weights.sizes());
  GSAN_CHECK(first_power >= 0, "frequency_response: the first power must not be negative, got ", first_power);
  Tensor lambda = frequencies.to(weights.scalar_type());
  if (weights.dim() == 3) lambda = lambda.view({-1, 1, 1});
  Tensor sum = torch::zeros_like(lambda) + weights[-1];
  for (std::int64_t p = weights.size(0) - 1; p-- > 0;) sum = weights[p] + lambda * sum;
  for (int power = 0; power < first_power; ++power) sum = lambda * sum;
  return sum;
}

Tensor projector_response(const Tensor& frequencies, double epsilon, int steps) {
  return (1 - epsilon * frequencies).pow(steps);
}

Tensor side_frequencies(const HodgeSpectrum& spectrum, Side side) {
  if (side == Side::both) return spectrum.values;
  const HodgePart wanted = side == Side::lower ? HodgePart::gradient : HodgePart::curl;
  Tensor mask = torch::zeros({static_cast<std::int64_t>(spectrum.parts.size())}, torch::kFloat64);
  for (std::size_t i = 0; i < spectrum.parts.size(); ++i) {
    if (spectrum.parts[i] == wanted) mask.data_ptr<double>()[i] = 1;
  }
  return spectrum.values * mask.to(spectrum.values.options());
}

Tensor multiply_response(const Tensor& coefficients, const Tensor& response) {
  GSAN_CHECK(coefficients.dim() >= 2 && coefficients.size(-2) == response.size(0) &&
                 (response.dim() == 1 || (response.dim() == 3 && coefficients.size(-1) == response.size(1))),
             "multiply_response: coefficients [..., n, F_in] need a response [n] or [n, F_in, F_out], got ",
             coefficients.sizes(), " and ", response.sizes());
  const Tensor h = response.to(coefficients.scalar_type());
  if (response.dim() == 1) return coefficients * h.unsqueeze(-1);
  return torch::matmul(coefficients.unsqueeze(-2), h).squeeze(-2);
}

}  // namespace gsan
