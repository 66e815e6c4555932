#include "gsan/models/backbones/facets.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/hodge/facets.h"
#include "gsan/models/model.h"

#include "hodge/dense_reference.h"
#include "nn/sample_batch.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

FacetsOptions sample_options() {
  FacetsOptions options;
  options.in_channels = {3, 2};
  options.out_channels = 4;
  options.heads = 2;
  return options;
}

Facets sample_model(const FacetsOptions& options) {
  Facets model(options, RandomStream(1, "facets"));
  model->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model->named_parameters())  // away from the first values, which are alike
    parameter.value().add_(0.3 * random_signal(parameter.value().numel(), 1, parameter.key(), torch::kFloat64)
                                     .view_as(parameter.value()));
  return model;
}

// [N_k, M]: 1 where a simplex is in a facet.
Tensor membership(const ComplexOperators& operators, int k) {
  const FacetMembers& table = facet_members(operators, k);
  const Tensor counts = table.offsets.diff(),
               facets = torch::arange(counts.numel()).repeat_interleave(counts);
  Tensor dense = torch::zeros({operators.count(k), counts.numel()}, torch::kFloat64);
  return dense.index_put_({table.members, facets}, torch::ones(facets.numel(), torch::kFloat64));
}

// Spec 10, in dense matrices.
Tensor dense_layer(const torch::OrderedDict<std::string, Tensor>& p, const std::string& name,
                   const Tensor& member, const Tensor& z) {
  const Tensor t = p[name + "exponent"].exp(), w = p[name + "weight"], b = p[name + "bias"];
  const std::int64_t H = t.size(0), D = t.size(1), F = z.size(-1);
  const Tensor scores = z.mm(p[name + "score.linear0.weight"].t()) * p[name + "sharpness"].exp();
  Tensor y = b.expand({z.size(0), D}).clone();
  for (std::int64_t h = 0; h < H; ++h) {
    const Tensor attention = (member.t() * scores.select(1, h).exp());         // [M, N]
    const Tensor held = attention.mm(z) / attention.sum(1, /*keepdim=*/true);  // [M, F]
    const Tensor gate = torch::sigmoid(held.mv(p[name + "gate"][h]) + p[name + "gate_bias"][h]);
    for (std::int64_t d = 0; d < D; ++d) {
      const Tensor sum = member.mv(gate * (held.select(1, d % F) * t[h][d]).exp());
      y.select(1, d).add_(w[h][d] * sum.log() / t[h][d] / static_cast<double>(H));
    }
  }
  return y;
}

TEST(Facets, ComputesTheDenseEquation) {
  const SampleBatch batch = sample_batch(1, {3, 2});
  Facets model = sample_model(sample_options());
  const Cochains y = model->run(batch.operators, batch.signals, {}).layers.back();
  for (int k = 0; k < 2; ++k) {
    const Tensor expected = dense_layer(model->named_parameters(), concat("order", k, "_layer0."),
                                        membership(batch.operators, k), batch.signals[k]);
    ASSERT_EQ(y[k].sizes(), expected.sizes());
    EXPECT_LT(distance(y[k], expected), 1e-10) << k;
  }
}

TEST(Facets, AddsWhatItsFacetsHold) {
  // Two edges and a vertex between them: of logarithms, with sharp scores, the middle has the sum of its
  // ends.
  const auto complex = SimplicialComplex::from_sorted_tables({{0, 1, 2}, {0, 1, 1, 2}});
  FacetsOptions options;
  options.in_channels = {2};
  options.out_channels = 1;
  Facets model(options, RandomStream(1, "facets"));
  model->to(torch::kFloat64);
  {
    const torch::NoGradGuard no_grad;
    auto p = model->named_parameters();
    p["order0_layer0.score.linear0.weight"].copy_(torch::tensor({{0.0, 40.0}}, torch::kFloat64));
    p["order0_layer0.gate_bias"].fill_(40);
  }
  const Tensor z = torch::tensor({{std::log(5.0), 1.0}, {0.0, 0.0}, {std::log(7.0), 1.0}}, torch::kFloat64);
  const Tensor y = model->run(ComplexOperators(complex), {z}, {}).layers.back()[0];
  EXPECT_NEAR(y[1][0].item<double>(), std::log(12.0), 1e-9);
}

TEST(Facets, ABatchIsItsParts) {
  const SampleBatch batch = sample_batch(2, {3, 2});
  FacetsOptions options = sample_options();
  options.n_layers = 2;
  options.hidden_channels = 3;
  Facets model = sample_model(options);
  const Cochains whole = model->run(batch.operators, batch.signals, {}).layers.back();
  for (int k = 0; k < 2; ++k) {
    std::vector<Tensor> rows;
    for (std::size_t p = 0; p < batch.parts.size(); ++p)
      rows.push_back(
          model->run(ComplexOperators(batch.parts[p]), batch.part_signals[p], {}).layers.back()[k]);
    EXPECT_LT(distance(whole[k], torch::cat(rows)), 1e-12);
  }
}

TEST(Facets, GradientsEqualFiniteDifferences) {
  const SampleBatch batch = sample_batch(1, {2});
  FacetsOptions options;
  options.in_channels = {2};
  options.heads = 2;
  Facets model = sample_model(options);
  const auto loss = [&] {
    return model->run(batch.operators, batch.signals, {}).layers.back()[0].sin().sum();
  };
  loss().backward();
  for (const auto& parameter : model->named_parameters()) {
    const Tensor flat = parameter.value().flatten(), gradient = parameter.value().grad().flatten();
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
      const torch::NoGradGuard no_grad;
      Tensor entry = parameter.value().view(-1)[i];
      entry.add_(1e-6);
      const double above = loss().item<double>();
      entry.sub_(2e-6);
      const double below = loss().item<double>();
      entry.add_(1e-6);
      EXPECT_NEAR((above - below) / 2e-6, gradient[i].item<double>(), 1e-5) << parameter.key() << " " << i;
    }
  }
}

TEST(Facets, NamesWhatDoesNotFit) {
  FacetsOptions options;
  options.in_channels = {0, 0};
  options.heads = 0;
  expect_error(Fault::argument, {"in_channels", "heads"},
               [&] { Facets(options, RandomStream(1, "facets")); });
}

}  // namespace
}  // namespace gsan
