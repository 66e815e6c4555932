// Small complexes that go through a layer one by one: the values and gradients of the other pass, rows that
// depend on their own complex alone, the same bits for any number of threads.

#include <array>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

#include "gsan/ops/cpu/parts/unit.h"
#include "gsan/topology/hex_grid.h"

#include "nn/layer_samples.h"
#include "nn/sample_batch.h"

namespace gsan {
namespace {

struct Pass {
  Cochains y;
  std::vector<Tensor> gradients;
  bool is_one_node;
};

Pass pass(SimplicialLayer& layer, const ComplexOperators& operators, const Cochains& signals, bool by_parts) {
  ForwardContext context;
  context.dropout = RandomStream(5, "masks");
  context.by_parts = by_parts;
  Cochains x;
  std::vector<Tensor> leaves = layer->parameters();
  for (const Tensor& signal : signals) {
    x.push_back(signal.defined() ? signal.detach().requires_grad_() : signal);
    if (signal.defined()) leaves.push_back(x.back());
  }
  Pass made{layer->forward(operators, x, context).signals, {}, false};
  Tensor total = torch::zeros({}, torch::kFloat64);
  for (const Tensor& y : made.y) {
    if (!y.defined()) continue;
    total = total + (y * torch::arange(y.numel(), y.options()).cos().view_as(y)).sum();
    made.is_one_node |= y.grad_fn() && y.grad_fn()->name().find("PartNode") != std::string::npos;
  }
  made.gradients = torch::autograd::grad({total}, leaves, {}, {}, false, /*allow_unused=*/true);
  return made;
}

void expect_near(const Pass& a, const Pass& b, double tolerance) {
  ASSERT_EQ(a.y.size(), b.y.size());
  for (std::size_t k = 0; k < a.y.size(); ++k) {
    ASSERT_EQ(a.y[k].defined(), b.y[k].defined()) << "order " << k;
    if (a.y[k].defined() && a.y[k].numel() > 0) {
      EXPECT_LE((a.y[k] - b.y[k]).abs().max().item<double>(), tolerance) << "order " << k;
    }
  }
  for (std::size_t i = 0; i < a.gradients.size(); ++i) {
    const Tensor &g = a.gradients[i], &h = b.gradients[i];
    if (!g.defined() || !h.defined()) {  // one side may say "none" where the other has zeros
      const Tensor& zeros = g.defined() ? g : h;
      EXPECT_TRUE(!zeros.defined() || zeros.abs().sum().item<double>() == 0) << "gradient " << i;
    } else if (g.numel() > 0) {
      EXPECT_LE((g - h).abs().max().item<double>(), tolerance * (1 + h.abs().max().item<double>()))
          << "gradient " << i;
    }
  }
}

void expect_equal(const Pass& a, const Pass& b) {
  for (std::size_t k = 0; k < a.y.size(); ++k)
    EXPECT_TRUE(!a.y[k].defined() || a.y[k].equal(b.y[k])) << "order " << k;
  for (std::size_t i = 0; i < a.gradients.size(); ++i)
    EXPECT_TRUE(!a.gradients[i].defined() || a.gradients[i].equal(b.gradients[i])) << "gradient " << i;
}

// Every kind of layer, those among them that have no such form.
std::vector<LayerSample> samples() {
  std::vector<LayerSample> all = layer_samples(3);
  for (LayerSample& sample : all) sample.options.bias = true;
  const SimplicialLayerOptions attention = sample_options(ShiftKind::attention);
  all.push_back(sample("sigmoid_gate", attention, [](SimplicialLayerOptions& o) { o.gate = Gate::sigmoid; }));
  all.push_back(sample("dropout", attention, [](SimplicialLayerOptions& o) {
    o.heads = 2, o.dropout = 0.2, o.attention_dropout = 0.3, o.harmonic = HarmonicKind::skip;
  }));
  all.push_back(sample("unsigned_incidence", attention, [](SimplicialLayerOptions& o) {
    o.incidence = IncidenceKind::absolute, o.harmonic = HarmonicKind::none, o.activation = Activation::relu;
  }));
  all.push_back(sample("edges_alone", attention, [](SimplicialLayerOptions& o) { o.orders = {1}; }));
  all.push_back(sample("wide", attention, [](SimplicialLayerOptions& o) {
    o.in_channels = 5, o.out_channels = 16, o.heads = 2, o.activation = Activation::sigmoid;
  }));
  for (const Activation activation : {Activation::sigmoid, Activation::elu})
    all.push_back(sample(concat("narrow_", name_of(activation)), attention,
                         [&](SimplicialLayerOptions& o) { o.activation = activation; }));
  return all;
}

class PartPass : public testing::TestWithParam<LayerSample> {
 protected:
  void TearDown() override { at::set_num_threads(threads_); }
  SampleBatch batch(std::uint64_t seed) const {
    const SimplicialLayerOptions& o = GetParam().options;
    SampleBatch made = sample_batch(seed, std::vector<int>(4, o.in_channels));
    for (int k = 0; k < 4; ++k)
      if (!o.is_active(k)) {
        made.signals[k] = Tensor();
        for (Cochains& of_part : made.part_signals) of_part[k] = Tensor();
      }
    return made;
  }
  SimplicialLayer layer() const {
    SimplicialLayer made = make_layer(GetParam().options, 2);
    made->train();
    return made;
  }
  // Kinds of layers that the other pass computes.
  static bool has_no_parts() {
    const SimplicialLayerOptions& o = GetParam().options;
    return o.uses(ShiftKind::weighted) || o.harmonic == HarmonicKind::exact ||
           (o.head_mode == HeadMode::mean && o.heads > 1) ||
           (o.uses(ShiftKind::attention) && o.mechanism != Mechanism::gat) ||
           (o.uses(ShiftKind::bunch) && o.sharing == Sharing::lower_upper);  // two scalings in one operator
  }
  int threads_ = at::get_num_threads();
};
INSTANTIATE_TEST_SUITE_P(Layers, PartPass, testing::ValuesIn(samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

Cochains first_signal_only(Cochains signals) {
  bool found = false;
  for (Tensor& signal : signals) {
    if (found) signal = Tensor();
    found |= signal.defined();
  }
  return signals;
}

TEST_P(PartPass, GivesTheValuesAndGradientsOfTheOtherPass) {
  SimplicialLayer made = layer();
  for (const std::uint64_t seed : {0, 1, 2}) {
    const SampleBatch of = batch(seed);
    const Pass parts = pass(made, of.operators, of.signals, true);
    EXPECT_EQ(parts.is_one_node, !has_no_parts());
    expect_near(parts, pass(made, of.operators, of.signals, false), 1e-11);
    const Cochains some = first_signal_only(of.signals);  // orders without a signal
    if (some.front().defined() || GetParam().options.is_active(1) == false) {
      expect_near(pass(made, of.operators, some, true), pass(made, of.operators, some, false), 1e-11);
    }
  }
}

TEST_P(PartPass, HasTheSameBitsForAnyNumberOfThreads) {
  SimplicialLayer made = layer();
  const SampleBatch of = batch(3);
  at::set_num_threads(1);
  const Pass one = pass(made, of.operators, of.signals, true);
  for (const int threads : {2, 3, 16}) {
    at::set_num_threads(threads);
    expect_equal(one, pass(made, of.operators, of.signals, true));
  }
}

TEST_P(PartPass, GivesAComplexInABatchTheBitsThatItHasAlone) {
  const SimplicialLayerOptions& o = GetParam().options;
  if (has_no_parts()) GTEST_SKIP() << "not by parts";
  if (o.attention_dropout > 0) GTEST_SKIP() << "masks are keyed by the part";
  if (o.uses(ShiftKind::normalized)) GTEST_SKIP() << "lambda_max is found to a tolerance";
  for (const torch::ScalarType type : {torch::kFloat64, torch::kFloat32}) {
    SimplicialLayer made = layer();
    made->to(type);
    const SampleBatch of = batch(4);
    // Outputs, then the gradients of the signals, per order.
    const auto run = [&](const ComplexOperators& operators, const Cochains& signals) {
      Cochains x;
      for (const Tensor& signal : signals)
        x.push_back(signal.defined() ? signal.to(type).detach().requires_grad_() : signal);
      std::array<Cochains, 2> found{made->forward(operators, x), {}};
      Tensor total = torch::zeros({}, type);
      for (const Tensor& y : found[0])
        if (y.defined()) total = total + y.square().sum();
      total.backward();
      for (const Tensor& signal : x) found[1].push_back(signal.defined() ? signal.grad() : signal);
      return found;
    };
    const auto together = run(of.operators, of.signals);
    for (std::size_t p = 0; p < of.parts.size(); ++p) {
      if (of.parts[p].count(0) == 0) continue;
      const auto alone = run(ComplexOperators(of.parts[p]), of.part_signals[p]);
      for (std::size_t what : {0, 1})
        for (int k = 0; k <= of.parts[p].order(); ++k) {
          if (!alone[what][k].defined()) continue;
          const auto offsets = of.operators.parts(k);
          EXPECT_TRUE(alone[what][k].equal(together[what][k].slice(0, offsets[p], offsets[p + 1])))
              << type << (what == 0 ? ", output" : ", gradient") << ", part " << p << ", order " << k;
        }
    }
  }
}

TEST_P(PartPass, DifferentiatesTwice) {
  if (has_no_parts()) GTEST_SKIP() << "not by parts";
  SimplicialLayer made = layer();
  const SampleBatch of = batch(5);
  const auto second = [&](bool by_parts) {
    ForwardContext context;
    context.dropout = RandomStream(5, "masks");
    context.by_parts = by_parts;
    Cochains x = of.signals;
    Tensor leaf;
    for (Tensor& signal : x)
      if (signal.defined() && !leaf.defined()) leaf = signal = signal.detach().requires_grad_();
    Tensor total = torch::zeros({}, torch::kFloat64);
    for (const Tensor& y : made->forward(of.operators, x, context).signals)
      if (y.defined()) total = total + y.square().sum();
    const Tensor first = torch::autograd::grad({total}, {leaf}, {}, {}, /*create_graph=*/true)[0];
    return torch::autograd::grad({first.square().sum()}, {leaf}, {}, {}, false, true)[0];
  };
  const Tensor parts = second(true), other = second(false);
  ASSERT_EQ(parts.defined(), other.defined());
  EXPECT_TRUE(!parts.defined() || (parts - other).abs().max().item<double>() <= 1e-10);
}

// A batch of one large part and small ones: the terms of the large one are shared by the threads.
struct CutBatch {
  SimplicialLayer layer{nullptr};
  SampleBatch batch;
  SimplicialComplex large;
};

CutBatch cut_batch(ShiftKind shift) {
  SimplicialLayerOptions options = sample_options(shift);
  options.in_channels = 5, options.out_channels = 16, options.heads = 2, options.bias = true;
  const SimplicialComplex large = hex_grid(12, 12).complex;
  return {make_layer(options, 2), sample_batch(6, {5, 5, 5, 5}, {}, {large}), large};
}

class PartPassOfALargePart : public testing::TestWithParam<ShiftKind> {
 protected:
  void TearDown() override { at::set_num_threads(threads_); }
  int threads_ = at::get_num_threads();
};
INSTANTIATE_TEST_SUITE_P(Shifts, PartPassOfALargePart,
                         testing::Values(ShiftKind::attention, ShiftKind::hodge));

TEST_P(PartPassOfALargePart, GivesTheValuesAndGradientsOfTheOtherPass) {
  CutBatch of = cut_batch(GetParam());
  const Pass parts = pass(of.layer, of.batch.operators, of.batch.signals, true);
  EXPECT_TRUE(parts.is_one_node);
  expect_near(parts, pass(of.layer, of.batch.operators, of.batch.signals, false), 1e-10);
}

TEST_P(PartPassOfALargePart, HasTheSameBitsForAnyNumberOfThreads) {
  CutBatch of = cut_batch(GetParam());
  at::set_num_threads(1);
  const Pass one = pass(of.layer, of.batch.operators, of.batch.signals, true);
  for (const int threads : {2, 3, 16}) {
    at::set_num_threads(threads);
    for (int repeat = 0; repeat < 5; ++repeat)
      expect_equal(one, pass(of.layer, of.batch.operators, of.batch.signals, true));
  }
}

// Among so many others it is no large part of the batch, and one thread takes it through the layer.
TEST_P(PartPassOfALargePart, GivesItTheBitsThatItHasAmongManyOthers) {
  CutBatch of = cut_batch(GetParam());
  const ComplexOperators alone(of.large), many(disjoint_union(std::vector<SimplicialComplex>(40, of.large)));
  const Cochains x = of.batch.part_signals.back();
  Cochains copies;
  for (const Tensor& signal : x) copies.push_back(signal.repeat({40, 1}));
  const Pass one = pass(of.layer, alone, x, true);
  ForwardContext context;
  const Cochains all = of.layer->forward(many, copies, context).signals;
  for (int k = 0; k <= of.large.order(); ++k)
    for (std::int64_t p = 0; p < 40; ++p)
      EXPECT_TRUE(one.y[k].equal(all[k].narrow(0, p * one.y[k].size(0), one.y[k].size(0))))
          << "part " << p << ", order " << k;
}

TEST(PartPassRule, LeavesALargeComplexToTheOtherPass) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 1);
  options.out_channels = 256;
  SimplicialLayer layer = make_layer(options);
  ComplexBuilder builder;
  for (Vertex v = 0; v < 400; ++v) builder.add({v, v + 1});
  const SimplicialComplex path = builder.build();
  const Cochains x = sample_signals(path, options);
  EXPECT_FALSE(pass(layer, ComplexOperators(path), x, true).is_one_node);
}

TEST(PartPassRule, MakesNoNodeForALayerWithoutTerms) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 0);
  options.harmonic = HarmonicKind::none;
  SimplicialLayer layer = make_layer(options);
  ASSERT_TRUE(layer->parameters().empty());
  const Cochains x{torch::ones({3, 2}, torch::kFloat64).requires_grad_()};
  EXPECT_FALSE(
      layer->forward(ComplexOperators(ComplexBuilder().add_vertices(3).build()), x)[0].requires_grad());
}

// As of the first layer of a network, whose signals are data.
TEST_P(PartPass, GivesParametersTheSameGradientsWhereSignalsWantNone) {
  if (has_no_parts()) GTEST_SKIP() << "not by parts";
  SimplicialLayer made = layer();
  const SampleBatch of = batch(7);
  const std::vector<Tensor> parameters = made->parameters();
  const auto gradients = [&](const std::vector<bool>& wanted) {
    ForwardContext context;
    context.dropout = RandomStream(5, "masks");
    Cochains x = of.signals;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k].defined()) x[k] = x[k].detach().requires_grad_(wanted[k]);
    Tensor total = torch::zeros({}, torch::kFloat64);
    for (const Tensor& y : made->forward(of.operators, x, context).signals)
      if (y.defined()) total = total + y.square().sum();
    return torch::autograd::grad({total}, parameters, {}, {}, false, /*allow_unused=*/true);
  };
  const auto all = gradients({true, true, true, true});
  for (const auto& some : {gradients({false, false, false, false}), gradients({true, false, true, false})})
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_TRUE(!all[i].defined() || all[i].equal(some[i])) << "parameter " << i;
}

TEST(PartPassRule, TakesGraphsOfOneVertexAndABatchOfOne) {
  SimplicialLayer layer = make_layer(sample_options(ShiftKind::attention, 2));
  const SimplicialComplex point = ComplexBuilder().add_vertices(1).build();
  ComplexBuilder triangle;
  triangle.add({0, 1, 2});
  for (const std::vector<SimplicialComplex>& parts :
       {std::vector{point}, std::vector{point, point, point}, std::vector{triangle.build()},
        std::vector{point, triangle.build(), point}}) {
    const DisjointUnion all = disjoint_union(parts);
    const Cochains x = sample_signals(all.complex, layer->options());
    const Pass by_parts = pass(layer, ComplexOperators(all), x, true);
    EXPECT_TRUE(by_parts.is_one_node);
    expect_near(by_parts, pass(layer, ComplexOperators(all), x, false), 1e-12);
  }
}

// An output that is looked at later, as a loss in a list, holds no memory of its layers.
TEST(PartPassRule, GivesBackWhatItKeptWithTheBackwardPass) {
  SimplicialLayer layer = make_layer(sample_options(ShiftKind::attention, 2));
  ComplexBuilder triangle;
  triangle.add({0, 1, 2});
  const SimplicialComplex complex = triangle.build();
  Cochains x = sample_signals(complex, layer->options());
  auto& pool = ops::PartScratchPool<double>::instance();
  const auto kept = [&](bool keep_graph) {
    const Tensor y = layer->forward(ComplexOperators(complex), x)[1].sum();
    const std::size_t before = pool.waiting();
    y.backward({}, keep_graph);
    return pool.waiting() == before;
  };
  kept(false);  // memory for the backward pass itself waits from then on
  EXPECT_TRUE(kept(true));
  EXPECT_FALSE(kept(false));
}

TEST(PartPassRule, TakesABatchOfNoComplex) {
  SimplicialLayer layer = make_layer(sample_options(ShiftKind::attention, 2));
  const ComplexOperators nothing(disjoint_union(std::vector<SimplicialComplex>{}));
  const Cochains y = layer->forward(nothing, {torch::zeros({0, 2}, torch::kFloat64)});
  for (const Tensor& of_order : y) EXPECT_EQ(of_order.size(0), 0);
}

}  // namespace
}  // namespace gsan
