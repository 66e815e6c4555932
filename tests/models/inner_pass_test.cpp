// A model that computes in an order of its own: nobody outside can tell.

#include "gsan/models/inner_pass.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include "gsan/hodge/reordered_complex.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/models/backbones/layers.h"
#include "gsan/models/backbones/mpsn.h"
#include "gsan/models/layer_view.h"
#include "gsan/models/model.h"
#include "gsan/models/model_kinds.h"
#include "gsan/models/readout_kinds.h"
#include "gsan/nn/attention_rows.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/inner_order.h"
#include "gsan/topology/relabel.h"

#include "support/expect_error.h"
#include "support/random_complex.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

// Of the largest number. A learned metric has weights up to e^20, which let more of the rounding through; the
// norms of mpsn divide by spreads, and a bias in front of one has a gradient of rounding alone.
constexpr double usual = 1e-12, of_norms = 1e-11, of_metrics = 1e-10;
double tolerance_of(const std::string& name) {
  return name == "gsan-hodge" ? of_metrics : name == "mpsn" ? of_norms : usual;
}

// The annulus with its vertices in no order, so that relabelled simplices change their orientation.
SimplicialComplex shuffled_annulus() {
  const SimplicialComplex complex = example_complex("annulus").complex;
  return relabel(complex, random_permutation(complex.count(0), 7)).complex;
}

ComplexOperators operators_of(const SimplicialComplex& complex, VertexOrder order) {
  return {complex, OperatorOptions{.order = order}};
}

// The same complex twice: as it is given, and with an order inside.
struct Twins {
  ComplexOperators given, reordered;

  explicit Twins(const SimplicialComplex& complex = shuffled_annulus())
      : given(operators_of(complex, VertexOrder::given)),
        reordered(operators_of(complex, VertexOrder::cuthill_mckee)) {}
  Twins(ComplexOperators given_, ComplexOperators reordered_)
      : given(std::move(given_)), reordered(std::move(reordered_)) {}
};

Cochains signals_on(const ComplexOperators& operators, const std::string& purpose = "x") {
  Cochains x;
  for (int k = 0; k <= 2; ++k)
    x.push_back(random_signal(operators.count(k), 3, concat(purpose, k), torch::kFloat64).requires_grad_());
  return x;
}

Model made(const std::string& name, const std::string& readout, const ComplexOperators& operators) {
  ModelSpec spec = model_spec(name, readout, {.signal_order = 1});
  ModelShape shape;
  shape.in_channels = {3, 3, 3};
  const std::vector<int> orders =
      find_model(name).backbone->orders(spec.backbone, static_cast<int>(shape.in_channels.size()) - 1);
  shape.order = orders.size() == 1 ? orders.front() : 1;
  if (readout != "none") shape.out_channels = 2;
  if (readout == "faces") shape.tuple_size = 6;
  shape.simplices = static_cast<int>(operators.count(shape.order));
  Model model(spec, shape, RandomStream(5, "weights"));
  model->to(torch::kFloat64);
  return model;
}

struct Result {
  ModelOutput output;
  std::vector<Tensor> gradients;  // of the inputs, then of the parameters
};

Result run(Model& model, const ComplexOperators& operators, const ForwardContext& context = {}) {
  Cochains x = signals_on(operators);
  Tensor tuples;
  if (find_readout(model->spec().readout).takes_tuples)
    tuples = torch::tensor({{0, 5, 2, 7, 1, 3}, {4, 3, 6, 2, 0, 1}}, torch::kInt64)
                 .narrow(1, 0, model->shape().tuple_size);
  Result result{model->forward(operators, x, context, tuples), {}};
  Tensor loss;
  const auto add = [&](const Tensor& y) {
    if (!y.defined() || !y.requires_grad()) return;
    // Other numbers for every entry: a loss that knows rows.
    const Tensor weights = random_signal(y.numel(), 1, "loss", torch::kFloat64).view(y.sizes());
    loss = loss.defined() ? loss + (y * weights).sum() : (y * weights).sum();
  };
  add(result.output.values);
  for (const Cochains& layer : result.output.backbone.layers)
    for (const Tensor& y : layer) add(y);
  torch::autograd::variable_list wanted(x.begin(), x.end());
  for (const Tensor& parameter : model->parameters()) wanted.push_back(parameter);
  result.gradients = torch::autograd::grad({loss}, wanted, {}, {}, false, /*allow_unused=*/true);
  return result;
}

void expect_close(const Tensor& found, const Tensor& expected, const std::string& what,
                  double tolerance = usual) {
  ASSERT_EQ(found.defined(), expected.defined()) << what;
  if (!found.defined()) return;
  ASSERT_EQ(found.sizes(), expected.sizes()) << what;
  if (found.numel() == 0) return;
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  EXPECT_LE((found - expected).abs().max().item<double>(), tolerance * scale) << what;
}

void expect_close(const Result& found, const Result& expected, double tolerance = usual) {
  expect_close(found.output.values, expected.output.values, "values", tolerance);
  ASSERT_EQ(found.output.backbone.layers.size(), expected.output.backbone.layers.size());
  for (std::size_t l = 0; l < found.output.backbone.layers.size(); ++l)
    for (std::size_t k = 0; k < found.output.backbone.layers[l].size(); ++k)
      expect_close(found.output.backbone.layers[l][k], expected.output.backbone.layers[l][k],
                   concat("layer ", l, ", order ", k), tolerance);
  ASSERT_EQ(found.gradients.size(), expected.gradients.size());
  for (std::size_t i = 0; i < found.gradients.size(); ++i)
    expect_close(found.gradients[i], expected.gradients[i], concat("gradient ", i), tolerance);
}

TEST(InnerPass, ValuesAndGradientsOfEveryModelAreThoseOfTheGivenOrder) {
  const Twins twins;
  ASSERT_EQ(inner_order(twins.given), nullptr);
  ASSERT_NE(inner_order(twins.reordered), nullptr);
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    Model model = made(name, "none", twins.given);
    expect_close(run(model, twins.reordered), run(model, twins.given), tolerance_of(name));
  }
}

TEST(InnerPass, EveryReadoutFindsTheRowsOfTheGivenOrder) {
  const Twins twins;
  for (const std::string name : {"gsan", "mpsn", "mlp"}) {
    for (const std::string& readout : readout_names()) {
      SCOPED_TRACE(concat(name, " with ", readout));
      Model model = made(name, readout, twins.given);
      expect_close(run(model, twins.reordered), run(model, twins.given), tolerance_of(name));
    }
  }
}

TEST(InnerPass, DropoutMasksBelongToTheSimplicesAsTheyAreGiven) {
  const Twins twins;
  for (const bool stars : {false, true}) {
    Model model = [&] {
      ModelSpec spec = model_spec("gsan", "none");
      auto& layer = spec.backbone.as<LayersOptions>().layer;
      layer.dropout = 0.3;
      layer.attention_dropout = 0.4;
      ModelShape shape;
      shape.in_channels = {3, 3, 3};
      Model with_dropout(spec, shape, RandomStream(5, "weights"));
      with_dropout->to(torch::kFloat64);
      return with_dropout;
    }();
    model->train();
    ForwardContext context;
    context.dropout = RandomStream(8, "dropout");
    context.attention_kernel = stars ? AttentionKernel::stars : AttentionKernel::pairs;
    const Result found = run(model, twins.reordered, context), expected = run(model, twins.given, context);
    expect_close(found, expected);
    model->eval();
    EXPECT_FALSE(torch::allclose(run(model, twins.given).output.backbone.layers[0][1],
                                 expected.output.backbone.layers[0][1]));
  }
}

TEST(InnerPass, AttentionWeightsAreListedAsInTheGivenOrder) {
  const Twins twins;
  Model model = made("gsan", "none", twins.given);
  const ForwardContext context{.return_attention_weights = true};
  const auto found = run(model, twins.reordered, context).output.backbone.attention,
             expected = run(model, twins.given, context).output.backbone.attention;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t l = 0; l < found.size(); ++l) {
    ASSERT_EQ(found[l].size(), expected[l].size());
    ASSERT_GT(found[l].size(), 2u);
    for (std::size_t i = 0; i < found[l].size(); ++i) {
      EXPECT_TRUE(torch::equal(found[l][i].receivers, expected[l][i].receivers));
      EXPECT_TRUE(torch::equal(found[l][i].sources, expected[l][i].sources));
      EXPECT_EQ(found[l][i].sources.scalar_type(), expected[l][i].sources.scalar_type());
      expect_close(found[l][i].weights, expected[l][i].weights, concat("weights ", l, ", ", i));
    }
  }
}

TEST(InnerPass, WhatADiagnosisLooksAtIsInTheGivenOrder) {
  const Twins twins;
  Model model = made("gsan-hodge", "none", twins.given);
  const ForwardContext context{.diagnose = true};
  const BackboneOutput found = run(model, twins.reordered, context).output.backbone,
                       expected = run(model, twins.given, context).output.backbone;
  ASSERT_FALSE(expected.metrics.empty());
  for (std::size_t l = 0; l < expected.inputs.size(); ++l)
    for (std::size_t k = 0; k <= 2; ++k) {
      expect_close(found.inputs[l][k], expected.inputs[l][k], "input", of_metrics);
      expect_close(found.activations[l][k], expected.activations[l][k], "activation", of_metrics);
      expect_close(found.metrics[l][k], expected.metrics[l][k], "metric", of_metrics);
    }
  // A picture looks at a layer by itself, which computes in the given order.
  Model attentive = made("gsan", "none", twins.given);
  const LayerView view = view_layer(attentive, twins.reordered, signals_on(twins.reordered), 2),
                  plain = view_layer(attentive, twins.given, signals_on(twins.given), 2);
  const std::vector<Index> rows{3, 0};
  const auto seen = attention_rows(*view.layer, twins.reordered, view.input, 1, rows),
             expected_rows = attention_rows(*plain.layer, twins.given, plain.input, 1, rows);
  ASSERT_FALSE(expected_rows.empty());
  for (std::size_t i = 0; i < expected_rows.size(); ++i) {
    EXPECT_TRUE(torch::equal(seen[i].sources, expected_rows[i].sources));
    expect_close(seen[i].weights, expected_rows[i].weights, "attention of rows");
  }
}

TEST(InnerPass, ReorientedComplexesAndComplexesWithoutSignsAreComputedAlike) {
  const SimplicialComplex complex = shuffled_annulus();
  const Twins plain(complex);
  const Orientation coins = Orientation::random(complex, RandomStream(3, "coins"));
  const Twins oriented(plain.given.oriented(coins), plain.reordered.oriented(coins));
  for (const std::string name : {"gsan", "gsccn", "gsan-joint", "gsan-hodge", "sccnn"}) {
    for (const bool is_equivariant : {false, true}) {
      SCOPED_TRACE(concat(name, is_equivariant ? ", equivariant" : ""));
      Model model = [&] {
        ModelSpec spec = model_spec(name, "none");
        spec.backbone.as<LayersOptions>().layer.is_equivariant = is_equivariant;
        ModelShape shape;
        shape.in_channels = {3, 3, 3};
        Model oriented_model(spec, shape, RandomStream(5, "weights"));
        oriented_model->to(torch::kFloat64);
        return oriented_model;
      }();
      expect_close(run(model, oriented.reordered), run(model, oriented.given), tolerance_of(name));
    }
  }
  ModelSpec spec = model_spec("gsan", "none");
  auto& layer = spec.backbone.as<LayersOptions>().layer;
  layer.incidence = IncidenceKind::absolute;
  layer.harmonic = HarmonicKind::skip;
  ModelShape shape;
  shape.in_channels = {3, 3, 3};
  Model model(spec, shape, RandomStream(5, "weights"));
  model->to(torch::kFloat64);
  expect_close(run(model, plain.reordered), run(model, plain.given));
}

TEST(InnerPass, ExactProjectorsAreThoseOfTheGivenOrder) {
  const Twins twins;
  ModelSpec spec = model_spec("gsccn", "none");
  spec.backbone.as<LayersOptions>().layer.harmonic = HarmonicKind::exact;
  ModelShape shape;
  shape.in_channels = {3, 3, 3};
  Model model(spec, shape, RandomStream(5, "weights"));
  model->to(torch::kFloat64);
  expect_close(run(model, twins.reordered), run(model, twins.given));
}

TEST(InnerPass, BatchesAreOrderedPartByPart) {
  std::vector<SimplicialComplex> complexes{shuffled_annulus()};
  for (std::uint64_t seed = 0; seed < 8; ++seed) complexes.push_back(random_complex(seed, {2, 9}));
  const auto joined = [&](VertexOrder order) {
    std::vector<ComplexOperators> parts;
    for (const SimplicialComplex& complex : complexes) parts.push_back(operators_of(complex, order));
    return ComplexOperators::joined(parts, {.order = order}, {5, 4, 3, 2, 1, 0, 8, 7, 6});
  };
  const ComplexOperators given = joined(VertexOrder::given);
  const ComplexOperators of_union(disjoint_union(complexes), {.order = VertexOrder::cuthill_mckee},
                                  {5, 4, 3, 2, 1, 0, 8, 7, 6});
  ForwardContext context;
  context.dropout = RandomStream(8, "dropout");
  for (const std::string name : {"gsan", "gsccn", "mpsn", "scnn"}) {
    SCOPED_TRACE(name);
    ModelSpec spec = model_spec(name, "pooled");
    if (name == "mpsn") {
      spec.backbone.as<MpsnOptions>().batch_norm = false;
    } else {
      spec.backbone.as<LayersOptions>().layer.attention_dropout = 0.3;
    }
    ModelShape shape;
    shape.in_channels = {3, 3, 3};
    shape.out_channels = 2;
    Model model(spec, shape, RandomStream(5, "weights"));
    model->to(torch::kFloat64);
    const Result expected = run(model, given, context);
    expect_close(run(model, joined(VertexOrder::cuthill_mckee), context), expected);
    expect_close(run(model, of_union, context), expected);
  }
}

TEST(InnerPass, EmptyComplexesAndGraphsWithoutEdgesPass) {
  ComplexBuilder points;
  points.add_vertices(4);
  for (const SimplicialComplex& complex : {SimplicialComplex(), points.build()}) {
    const Twins twins(complex);
    Model model = made("gsan", "pooled", twins.given);
    expect_close(run(model, twins.reordered), run(model, twins.given));
  }
}

TEST(InnerPass, ErrorsNameTheRowsOfTheGivenOrder) {
  const Twins twins;
  Model model = made("gsan", "none", twins.given);
  Cochains x = signals_on(twins.reordered);
  Cochains bad = x;
  bad[1] = x[1].detach().clone();
  bad[1][5][1] = NAN;
  expect_error(Fault::numeric, {"order 1", "row 5", "feature 1"},
               [&] { model->forward(twins.reordered, bad, {.check_finite = true}); });
  bad[1] = x[1].narrow(0, 0, 4);
  std::string message;
  try {
    model->forward(twins.given, bad);
  } catch (const Error& error) {
    message = error.what();
  }
  ASSERT_FALSE(message.empty());
  expect_error(Fault::argument, {message}, [&] { model->forward(twins.reordered, bad); });
}

// A long band of triangles in no order: large enough for the rule.
SimplicialComplex large_strip() {
  ComplexBuilder builder;
  const std::vector<Vertex> name = random_permutation(least_reordered_rows / 2 + 2, 3);
  for (std::size_t v = 0; v + 2 < name.size(); ++v) builder.add({name[v], name[v + 1], name[v + 2]});
  return builder.build();
}

TEST(InnerPass, IsOnByDefaultWhereItPaysAndOffByAnOption) {
  const SimplicialComplex complex = large_strip();
  const ComplexOperators automatic{complex}, off = operators_of(complex, VertexOrder::given);
  EXPECT_NE(inner_order(automatic), nullptr);
  EXPECT_EQ(inner_order(off), nullptr);
  EXPECT_EQ(inner_order(ComplexOperators(shuffled_annulus())), nullptr);
  Model model = made("san", "none", off);
  const torch::NoGradGuard no_grad;
  const Cochains x = signals_on(off);
  const auto answer = [&](const ComplexOperators& operators) {
    return model->forward(operators, x).backbone.layers.back()[1];
  };
  const Tensor expected = answer(off), found = answer(automatic);
  expect_close(found, expected, "values");
  EXPECT_FALSE(torch::equal(found, expected));  // sums in another order: it was computed inside
  // A layer by itself computes in the given order, to the last bit.
  SimplicialLayerOptions options;
  options.in_channels = options.out_channels = 3;
  SimplicialLayer layer(options);
  layer->to(torch::kFloat64);
  EXPECT_TRUE(torch::equal(layer->forward(automatic, x)[1], layer->forward(off, x)[1]));
}

TEST(InnerPass, ThreadsDoNotChangeBits) {
  const ComplexOperators operators{large_strip()};
  Model model = made("gsan", "none", operators);
  const int before = at::get_num_threads();
  std::vector<Result> results;
  for (const int threads : {1, 2, 3}) {
    at::set_num_threads(threads);
    results.push_back(run(model, operators));
  }
  at::set_num_threads(before);
  for (const Result& result : results) {
    EXPECT_TRUE(torch::equal(result.output.backbone.layers.back()[1],
                             results.front().output.backbone.layers.back()[1]));
    for (std::size_t i = 0; i < result.gradients.size(); ++i)
      if (result.gradients[i].defined()) {
        EXPECT_TRUE(torch::equal(result.gradients[i], results.front().gradients[i])) << i;
      }
  }
}

TEST(InnerPass, WeightsAndTheirFilesKnowNothingOfIt) {
  const Twins twins;
  const TemporaryFolder folder;
  Model model = made("gsan", "simplex", twins.given);
  const Tensor before = run(model, twins.reordered).output.values;
  save_model(folder.path() / "m", model);
  Model again = load_model(folder.path() / "m");
  EXPECT_TRUE(torch::equal(run(again, twins.reordered).output.values, before));
  expect_close(run(again, twins.given).output.values, before, "values");
}

TEST(InnerPass, RecomputedLayersHaveTheSameGradients) {
  const Twins twins;
  Model model = made("gsan", "none", twins.given);
  ForwardContext context;
  context.recompute = true;
  expect_close(run(model, twins.reordered, context), run(model, twins.given));
}

}  // namespace
}  // namespace gsan
