// What pictures of a layer's response show: energies of eigenvectors, per term.

#include "gsan/nn/layer_response.h"

#include <gtest/gtest.h>

#include "gsan/hodge/spectral/response.h"
#include "gsan/nn/detail/layer_pass.h"

#include "nn/layer_samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

std::vector<LayerSample> linear_samples() {
  std::vector<LayerSample> samples = layer_samples();
  SimplicialLayerOptions chebyshev = sample_options(ShiftKind::centered);
  chebyshev.lower = chebyshev.upper = {.own = 2, .neighbor = 0, .first = 0};
  chebyshev.basis = Basis::chebyshev;
  chebyshev.sharing = Sharing::lower_upper;
  chebyshev.identity = true;
  chebyshev.harmonic = HarmonicKind::none;
  samples.push_back({"chebyshev", chebyshev});
  LayerSample absolute = sample("absolute", sample_options(ShiftKind::attention),
                                [](SimplicialLayerOptions& o) { o.incidence = IncidenceKind::absolute; });
  absolute.options.harmonic = HarmonicKind::skip;
  samples.push_back(absolute);
  for (LayerSample& s : samples) {
    s.options.activation = Activation::identity;
    s.options.bias = false;
  }
  return samples;
}

class Response : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(Layers, Response, testing::ValuesIn(linear_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

// Y_a ⊗ W_a summed over powers and input features: [N, F_out] of heads side by side or averaged.
Tensor output_of(const LinearTerm& term, const Tensor& x, HeadMode mode) {
  const std::int64_t H = term.weight.size(2);
  Tensor sum;
  const std::vector<Tensor> powers = term.powers(x.repeat({1, H}));
  for (std::size_t a = 0; a < powers.size(); ++a) {
    const Tensor y = torch::einsum("ihf,fhc->ihc", {powers[a].unflatten(-1, {H, x.size(1)}),
                                                    term.weight.select(1, static_cast<std::int64_t>(a))});
    sum = sum.defined() ? sum + y : y;
  }
  return mode == HeadMode::mean ? sum.mean(1) : sum.flatten(1);
}

TEST_P(Response, TheTermsAsLinearMapsAddUpToTheLayer) {
  const torch::NoGradGuard no_grad;
  const SimplicialLayerOptions& options = GetParam().options;
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(solid_sample());
  const Cochains x = sample_signals(operators.complex(), options);
  const Cochains y = layer->forward(operators, x);
  LayerPass pass(*layer, operators, x, {});
  for (int k = 0; k <= 3; ++k) {
    Tensor sum = torch::zeros_like(y[k]);
    for (const LinearTerm& term : pass.linear_terms(k))
      sum = sum + output_of(term, x[term.source], options.head_mode);
    EXPECT_LE(laws::largest_difference({sum}, {y[k]}), 1e-9 * scale({y[k]})) << "order " << k;
  }
}

// One feature at a time through the maps, against the inner products that layer_response() uses.
TEST_P(Response, GainsAreEnergiesOfOutputs) {
  const torch::NoGradGuard no_grad;
  const SimplicialLayerOptions& options = GetParam().options;
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(surface_sample());
  const Cochains x = sample_signals(operators.complex(), options);
  const int k = 1;
  const HodgeSpectrum spectrum = hodge_spectrum(operators, k);
  const LayerResponse response = layer_response(*layer, operators, x, k, spectrum);
  LayerPass pass(*layer, operators, x, {});
  const std::vector<LinearTerm> terms = pass.linear_terms(k);
  ASSERT_EQ(response.terms.size(), terms.size());
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{2}, spectrum.values.size(0) - 1}) {
    const Tensor u = spectrum.vectors.select(1, i);
    double whole = 0;
    for (int f = 0; f < options.in_channels; ++f) {
      Tensor input = torch::zeros({operators.count(k), options.in_channels}, torch::kFloat64);
      input.select(1, f).copy_(u);
      Tensor sum = torch::zeros({operators.count(k), options.output_channels()}, torch::kFloat64);
      for (const LinearTerm& term : terms)
        if (term.source == k) sum = sum + output_of(term, input, options.head_mode);
      whole += sum.square().sum().item<double>() / options.in_channels;
    }
    EXPECT_NEAR(response.total[i].item<double>(), std::sqrt(whole), 1e-9 * std::max(1.0, std::sqrt(whole)));
  }
}

TEST(LayerResponse, OfAConvolutionIsItsPolynomialInLambda) {
  SimplicialLayerOptions options = sample_options(ShiftKind::hodge, 3);
  options.sharing = Sharing::none;
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(solid_sample());
  const Cochains x = sample_signals(operators.complex(), options);
  for (int k = 1; k <= 2; ++k) {
    const HodgeSpectrum spectrum = hodge_spectrum(operators, k);
    const LayerResponse response = layer_response(*layer, operators, x, k, spectrum);
    EXPECT_TRUE(response.is_exact);
    EXPECT_FALSE(response.reads_signals);
    ASSERT_EQ(response.terms.size(), 5U);  // own: lower, upper; from below, from above; harmonic
    const auto gain = [&](const std::string& name) {
      for (const TermResponse& term : response.terms)
        if (term.name == name) return term.gain;
      ADD_FAILURE() << "no term " << name;
      return Tensor();
    };
    const auto expected = [&](const Tensor& frequencies, const std::string& weight, int first) {
      const Tensor W = layer->weight(weight).detach().squeeze(2).transpose(0, 1);
      return frequency_response(frequencies, W, first).flatten(1).norm(2, 1) / std::sqrt(2.0);
    };
    for (const Side side : {Side::lower, Side::upper}) {
      const Tensor lambda = side_frequencies(spectrum, side);
      const Tensor own = expected(lambda, concat("own_", k, "_", side_name(side)), 1);
      EXPECT_LE((gain(side_name(side)) - own).abs().max().item<double>(), 1e-8 * own.max().item<double>());
      // σ λ^p of what the neighbouring order sends; nothing is sent to the other eigenvectors.
      const Tensor sent = lambda.gt(0);
      const Tensor from = expected(lambda, concat("neighbor_", k, "_", side_name(side)), 0) * lambda.sqrt();
      const Tensor found = gain(concat("from order ", side == Side::lower ? k - 1 : k + 1));
      EXPECT_TRUE(torch::equal(found.isnan(), sent.logical_not()));
      EXPECT_LE((found - from).masked_select(sent).abs().max().item<double>(),
                1e-8 * from.max().item<double>());
    }
  }
}

TEST(LayerResponse, AttentionIsMeasuredAtTheGivenSignal) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 2);
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(surface_sample());
  const HodgeSpectrum spectrum = hodge_spectrum(operators, 1);
  const auto total = [&](const std::string& purpose) {
    const Cochains x = sample_signals(operators.complex(), options, purpose);
    const LayerResponse response = layer_response(*layer, operators, x, 1, spectrum);
    EXPECT_FALSE(response.is_exact);
    EXPECT_TRUE(response.reads_signals);
    return response.total;
  };
  EXPECT_TRUE(torch::equal(total("a"), total("a")));
  EXPECT_FALSE(torch::allclose(total("a"), total("b")));
}

TEST(LayerResponse, APassKeepsTheOptionsItWasMadeWith) {  // layer_response() gives it a temporary
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 2);
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(surface_sample());
  ForwardContext context;
  context.return_attention_weights = true;
  LayerPass pass(*layer, operators, sample_signals(operators.complex(), options), context);
  context.return_attention_weights = false;
  EXPECT_FALSE(pass.run().attention.empty());
}

TEST(LayerResponse, TermsWithoutASignalAreLeftOut) {
  SimplicialLayerOptions options = sample_options(ShiftKind::hodge, 2);
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(surface_sample());
  Cochains x = sample_signals(operators.complex(), options);
  x[0] = x[2] = Tensor();
  std::vector<std::string> names;
  for (const TermResponse& term : layer_response(*layer, operators, x, 1, hodge_spectrum(operators, 1)).terms)
    names.push_back(term.name);
  EXPECT_EQ(names, (std::vector<std::string>{"lower", "upper", "harmonic"}));
}

TEST(LayerResponse, NamesWhatDoesNotFit) {
  SimplicialLayerOptions options = sample_options(ShiftKind::hodge, 2);
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(surface_sample());
  const Cochains x = sample_signals(operators.complex(), options);
  expect_error(Fault::argument, {"eigenvectors", "rows"},
               [&] { layer_response(*layer, operators, x, 1, hodge_spectrum(operators, 0)); });
  expect_error(Fault::argument, {"orders", "got order 3"},
               [&] { layer_response(*layer, operators, x, 3, hodge_spectrum(operators, 1)); });
  const Cochains many = sample_signals(operators.complex(), options, "many", {4});
  expect_error(Fault::argument, {"one signal", "1 leading"},
               [&] { layer_response(*layer, operators, many, 1, hodge_spectrum(operators, 1)); });
}

}  // namespace
}  // namespace gsan
