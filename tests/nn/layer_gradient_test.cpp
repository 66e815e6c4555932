// Gradients of the whole layer in every input and parameter against central differences in float64, to
// second order for the convolutional path. σ is smooth; every argument of a LReLU or of an absolute value
// inside is computed here and kept away from the kink.

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>

#include "gsan/topology/subcomplex.h"

#include "hodge/dense_reference.h"
#include "nn/layer_samples.h"

namespace gsan {
namespace {

constexpr double margin = 1e-3;  // from a kink, a thousand steps
constexpr double step = 1e-6;

SimplicialComplex gradient_complex() {
  return ComplexBuilder().add({0, 1, 2}).add({1, 2, 3}).add({0, 4}).add_vertices(6).build();
}

// The smallest |argument| of a LReLU or absolute value in the layer, from dense matrices.
class KinkDistance {
 public:
  KinkDistance(SimplicialLayer layer, SimplicialComplex complex, Cochains z)
      : layer_(std::move(layer)), complex_(std::move(complex)), z_(std::move(z)) {}

  double find() {
    const torch::NoGradGuard no_grad;
    for (const LayerTerm& term : layer_->terms())
      if (!term.attention.empty()) see_scores(term);
    if (layer_->has_metric())
      for (int k = 0; k <= layer_->options().order; ++k) see_metric(k);
    return smallest_;
  }

 private:
  void see(const Tensor& x) {
    if (x.numel() > 0) smallest_ = std::min(smallest_, x.abs().min().item<double>());
  }

  void see_scores(const LayerTerm& term) {
    const int k = term.k;
    const bool through_faces = term.side == Side::lower || (term.side == Side::both && k > 0);
    const Tensor L = through_faces ? dense_lower_laplacian(complex_, k) : dense_upper_laplacian(complex_, k);
    Tensor neighbors = (L != 0).fill_diagonal_(true);
    // A simplex that has no neighbour but itself has weight 1 whatever its score is.
    neighbors = neighbors & (neighbors.sum(1, true) > 1);
    const Tensor pairs = neighbors.nonzero();
    const Tensor x = term.use == Use::own       ? z_[k]
                     : term.side == Side::lower ? dense_boundary(complex_, k).t().matmul(z_[k - 1])
                                                : dense_boundary(complex_, k + 1).matmul(z_[k + 1]);
    const Tensor W = layer_->weight(term.weight).narrow(1, 0, term.taps);
    const Attention& attention = layer_->attention(term.attention);
    for (int head = 0; head < layer_->options().heads; ++head) {
      Tensor h = x.matmul(W.select(2, head).flatten(1));
      if (layer_->options().is_equivariant) {
        see(h.index_select(0, pairs.select(1, 1)));
        h = h.abs();
      }
      const Tensor of_receiver = h.index_select(0, pairs.select(1, 0)),
                   of_source = h.index_select(0, pairs.select(1, 1));
      const Tensor both = torch::cat({of_receiver, of_source}, 1);
      for (const auto& parameter : attention->named_parameters())
        if (parameter.key() == "a" || parameter.key() == "M") see(both.matmul(parameter.value()[head]));
    }
  }

  void see_metric(int k) {
    if (layer_->options().is_equivariant) see(z_[k]);
    const LearnedMetric& metric = layer_->metric(k);
    const Tensor z = layer_->options().is_equivariant ? z_[k].abs() : z_[k];
    see(torch::matmul(z, metric->W1.flatten(1)) + metric->b1.flatten());
  }

  SimplicialLayer layer_;
  SimplicialComplex complex_;
  Cochains z_;
  double smallest_ = std::numeric_limits<double>::infinity();
};

// Moves every entry of the leaves in place and compares with the gradient of the scalar function.
void expect_gradients_of(const std::vector<Tensor>& leaves, const std::function<Tensor()>& function) {
  const auto gradients = torch::autograd::grad({function()}, leaves, {}, {}, false, /*allow_unused=*/true);
  const torch::NoGradGuard no_grad;  // a function of second order turns it off inside
  const auto value = [&] { return function().item<double>(); };
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Tensor elements = leaves[i].detach().view({-1});  // the same storage
    const Tensor gradient = gradients[i].defined() ? gradients[i].reshape({-1}) : torch::zeros_like(elements);
    for (std::int64_t e = 0; e < elements.numel(); ++e) {
      double* entry = elements.data_ptr<double>() + e;
      const double at = *entry;
      *entry = at + step;
      const double above = value();
      *entry = at - step;
      const double below = value();
      *entry = at;
      const double expected = (above - below) / (2 * step);
      ASSERT_NEAR(gradient[e].item<double>(), expected, 1e-7 * (1 + std::abs(expected)))
          << "leaf " << i << ", entry " << e;
    }
  }
}

// A fixed combination without symmetry of all outputs.
Tensor combined(const Cochains& y) {
  Tensor sum = torch::zeros({}, torch::kFloat64);
  for (const Tensor& signal : y) {
    if (!signal.defined()) continue;
    const Tensor weight = torch::arange(1, signal.numel() + 1, torch::kFloat64).mul(0.7).sin();
    sum = sum + (signal * weight.view(signal.sizes())).sum();
  }
  return sum;
}

struct GradientCase {
  SimplicialLayer layer{nullptr};
  ComplexOperators operators{SimplicialComplex()};
  Cochains x;
  std::vector<Tensor> leaves;  // signals, then parameters
};

// Signals and parameters of the first seed that keeps away from every kink.
GradientCase gradient_case(const SimplicialLayerOptions& options) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const SimplicialComplex complex = skeleton(gradient_complex(), options.order).complex;
    GradientCase result{make_layer(options, seed),
                        ComplexOperators(complex),
                        sample_signals(complex, options, concat("gradient", seed, ".")),
                        {}};
    if (KinkDistance(result.layer, complex, result.x).find() < margin) continue;
    for (Tensor& signal : result.x) {
      signal.requires_grad_();
      result.leaves.push_back(signal);
    }
    for (const Tensor& parameter : result.layer->parameters()) result.leaves.push_back(parameter);
    return result;
  }
  fail(Fault::numeric, "every seed comes too close to a kink");
}

SimplicialLayerOptions narrow(SimplicialLayerOptions options) {
  options.out_channels = 2;
  options.attention_channels = options.metric_channels = 2;
  // The ε of a learned metric is not differentiated (spec 6), but differences would move it.
  if (options.uses(ShiftKind::weighted)) options.harmonic_epsilon = {0.01, 0.01, 0.01};
  return options;
}

class Gradients : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, Gradients, testing::ValuesIn(layer_samples(2)),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(Gradients, AreRightInInputsAndParameters) {
  GradientCase of = gradient_case(narrow(GetParam().options));
  expect_gradients_of(of.leaves, [&] { return combined(of.layer->forward(of.operators, of.x)); });
}

class SignedGradients : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(EveryLayer, SignedGradients, testing::ValuesIn([] {
                           std::vector<LayerSample> learned;
                           for (LayerSample& s : signed_samples(2))
                             if (s.options.is_equivariant && s.options.mechanism != Mechanism::gatv2)
                               learned.push_back(s);
                           return learned;
                         }()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(SignedGradients, AreRightInInputsAndParameters) {
  SimplicialLayerOptions options = narrow(GetParam().options);
  options.heads = 1;
  GradientCase of = gradient_case(options);
  expect_gradients_of(of.leaves, [&] { return combined(of.layer->forward(of.operators, of.x)); });
}

TEST(LayerGradients, OfSignedGatv2WithTwoHeads) {
  SimplicialLayerOptions options = narrow(sample_options(ShiftKind::attention, 1));
  options.mechanism = Mechanism::gatv2;
  options.is_equivariant = true;
  options.heads = 2;
  options.attention_channels = 1;
  options.out_channels = 1;
  GradientCase of = gradient_case(options);
  expect_gradients_of(of.leaves, [&] { return combined(of.layer->forward(of.operators, of.x)); });
}

TEST(LayerGradients, OfIdentityBiasAndChebyshevTaps) {
  SimplicialLayerOptions options = sample_options(ShiftKind::normalized, 2);
  options.lower = options.upper = {.own = 3, .neighbor = 0, .first = 0};
  options.identity = options.bias = true;
  options.basis = Basis::chebyshev;
  options.sharing = Sharing::lower_upper;
  GradientCase of = gradient_case(options);
  expect_gradients_of(of.leaves, [&] { return combined(of.layer->forward(of.operators, of.x)); });
}

TEST(LayerGradients, OfManySignals) {
  SimplicialLayerOptions options = narrow(sample_options(ShiftKind::attention, 1));
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 100u);
    const SimplicialComplex complex =
        ComplexBuilder().add({0, 1}).add({1, 2}).add({0, 2}).add({2, 3}).build();
    SimplicialLayer layer = make_layer(options, seed);
    Cochains x = sample_signals(complex, options, concat("many", seed), {2});
    double distance_to_kink = 1;
    for (std::int64_t b = 0; b < 2; ++b)
      distance_to_kink = std::min(distance_to_kink, KinkDistance(layer, complex, {x[0][b], x[1][b]}).find());
    if (distance_to_kink < margin) continue;
    const ComplexOperators operators(complex);
    std::vector<Tensor> leaves = layer->parameters();
    for (Tensor& signal : x) leaves.push_back(signal.requires_grad_());
    expect_gradients_of(leaves, [&] { return combined(layer->forward(operators, x)); });
    return;
  }
}

// Second order, in inputs and parameters: of ⟨v, gradient⟩ with a fixed v.
class SecondGradients : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(ConvolutionalPath, SecondGradients, testing::ValuesIn([] {
                           std::vector<LayerSample> convolutional;
                           for (LayerSample& s : layer_samples(2))
                             if (!s.options.uses(ShiftKind::attention)) convolutional.push_back(s);
                           return convolutional;
                         }()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(SecondGradients, AreRightInInputsAndParameters) {
  SimplicialLayerOptions options = narrow(GetParam().options);
  options.set_dirac_taps(3);
  options.in_channels = options.heads = 1;
  GradientCase of = gradient_case(options);
  expect_gradients_of(of.leaves, [&] {
    const torch::AutoGradMode with_grad(true);
    const Tensor value = combined(of.layer->forward(of.operators, of.x));
    const auto gradients =
        torch::autograd::grad({value}, of.leaves, {}, /*retain_graph=*/true, /*create_graph=*/true, true);
    Cochains used;
    for (const Tensor& gradient : gradients)
      if (gradient.defined()) used.push_back(gradient);
    return combined(used);
  });
}

}  // namespace
}  // namespace gsan
