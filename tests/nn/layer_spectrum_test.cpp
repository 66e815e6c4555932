// Filtering in space = multiplying in the spectrum, for the convolutional layer (spec 7, 8).

#include <gtest/gtest.h>

#include "gsan/hodge/spectral/fourier.h"
#include "gsan/hodge/spectral/response.h"

#include "hodge/dense_reference.h"
#include "nn/layer_samples.h"

namespace gsan {
namespace {

// [F_in, taps, 1, F_out] as [taps, F_in, F_out].
Tensor per_power(const Tensor& weight) { return weight.detach().squeeze(2).transpose(0, 1); }

// Own-order terms of both sides of order k and the harmonic term.
TEST(Spectrum, OwnOrderFiltersMultiplyTheHodgeSpectrum) {
  const torch::NoGradGuard no_grad;
  for (int k = 0; k <= 3; ++k) {
    SimplicialLayerOptions options = sample_options(ShiftKind::hodge, 3);
    options.orders = {k};
    options.lower = {.own = 3, .neighbor = 0, .first = 0};
    options.upper = {.own = 2, .neighbor = 0, .first = 0};
    options.sharing = Sharing::none;
    options.activation = Activation::identity;
    options.harmonic_steps = 5;
    SimplicialLayer layer = make_layer(options);
    const ComplexOperators operators(solid_sample());
    const Cochains x = sample_signals(operators.complex(), options);
    const LayerOutput output = layer->forward(operators, x, ForwardContext{});

    const HodgeSpectrum spectrum = hodge_spectrum(operators, k);
    const Tensor values = spectrum.values;
    const Tensor c = fourier(spectrum, x[k]);
    Tensor response =
        projector_response(values, output.harmonic_epsilon[k].item<double>(), 5).view({-1, 1, 1}) *
        layer->weight("harmonic").detach().squeeze(1);
    const auto add = [&](Side side, const char* name) {
      response = response + frequency_response(side_frequencies(spectrum, side),
                                               per_power(layer->weight(concat("own_", k, "_", name))), 1);
    };
    if (k > 0) add(Side::lower, "lower");
    if (k < 3) add(Side::upper, "upper");
    const Tensor expected = inverse_fourier(spectrum, multiply_response(c, response));
    EXPECT_LE(distance(output.signals[k], expected), 1e-9 * scale({expected})) << "order " << k;
  }
}

// The whole layer: Σ_j Σ_q (D^(j))^q Z W_{j,q} + Q̂ Z W_h multiplies the ±σ modes of each component.
TEST(Spectrum, TheWholeLayerMultipliesTheDiracSpectrum) {
  const torch::NoGradGuard no_grad;
  for (const int J : {1, 2, 5}) {
    SimplicialLayerOptions options = sample_options(ShiftKind::hodge, 3);
    options.set_dirac_taps(J);
    options.activation = Activation::identity;
    const double epsilon = 0.05;
    options.harmonic_epsilon = {epsilon, epsilon, epsilon, epsilon};  // one Q̂ of D² for all orders
    SimplicialLayer layer = make_layer(options);
    const ComplexOperators operators(solid_sample());
    const Cochains x = sample_signals(operators.complex(), options);
    const Cochains y = layer->forward(operators, x);

    const DiracSpectrum spectrum = dirac_spectrum(operators);
    DiracCoefficients c = dirac_fourier(spectrum, x);
    const Tensor W_h = layer->weight("harmonic").detach().squeeze(1);
    for (int j = 1; j <= 3; ++j) {
      std::vector<Tensor> powers;  // W_{j,1}, W_{j,2}, …
      for (int q = 1; q <= J; ++q) {
        const Tensor W = per_power(layer->weight(concat(q % 2 ? "neighbor_" : "own_", j)));
        powers.push_back(W[q % 2 ? (q - 1) / 2 : q / 2 - 1]);
      }
      const Tensor sigma = spectrum.components[j - 1].values;
      const auto filtered = [&](const Tensor& coefficients, double sign) {
        const Tensor response =
            frequency_response(sign * sigma, torch::stack(powers), 1) +
            projector_response(sigma * sigma, epsilon, options.harmonic_steps).view({-1, 1, 1}) * W_h;
        return multiply_response(coefficients, response);
      };
      c.aligned[j - 1] = filtered(c.aligned[j - 1], 1);
      c.anti_aligned[j - 1] = filtered(c.anti_aligned[j - 1], -1);
    }
    for (Tensor& harmonic : c.harmonic)
      if (harmonic.defined()) harmonic = harmonic.matmul(W_h);
    EXPECT_LE(largest_difference(y, inverse_dirac_fourier(spectrum, c)), 1e-9 * scale(y)) << "J = " << J;
  }
}

}  // namespace
}  // namespace gsan
