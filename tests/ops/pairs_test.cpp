#include "gsan/ops/pairs.h"

#include <gtest/gtest.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "gsan/core/check.h"

#include "ops/elsewhere.h"
#include "ops/pair_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"
#include "support/memory_meter.h"

namespace gsan {
namespace {

using torch::Tensor;

constexpr double slope = 0.2;

Tensor pair_sum(const Tensor& r, const Tensor& s, const PairTables& t) {
  return ops::pair_sum(r, s, t.offsets, t.sources, t.mirror);
}
Tensor pair_dot(const Tensor& r, const Tensor& s, const PairTables& t) {
  return ops::pair_dot(r, s, t.offsets, t.sources, t.mirror);
}
Tensor gatv2(const Tensor& r, const Tensor& s, const Tensor& v, const PairTables& t) {
  return ops::gatv2_scores(r, s, v, t.offsets, t.sources, t.mirror, slope);
}
Tensor gather(const Tensor& w, const Tensor& x, const PairTables& t, bool transposed = false) {
  return ops::weighted_gather(w, x, t.offsets, t.sources, t.mirror, transposed);
}

double leaky_relu(double z) { return z > 0 ? z : slope * z; }

// Largest difference, relative to 1 + the largest value.
double error(const Tensor& actual, const Tensor& expected) {
  EXPECT_EQ(actual.sizes(), expected.sizes());
  if (actual.numel() == 0 || actual.sizes() != expected.sizes()) return 0;
  const Tensor difference = actual.to(torch::kFloat64) - expected;
  return difference.abs().max().item<double>() / (1 + expected.abs().max().item<double>());
}

double tolerance(torch::ScalarType type) { return type == torch::kFloat64 ? 1e-14 : 2e-6; }

struct Shape {
  std::int64_t signals, heads, features;
};
const std::vector<Shape> shapes = {{1, 1, 1}, {1, 2, 3}, {2, 3, 8}, {3, 1, 17},
                                   {1, 4, 0}, {1, 0, 2}, {0, 2, 3}};

struct Pairs : testing::Test {
  void SetUp() override { torch::manual_seed(7); }
  void TearDown() override { at::set_num_threads(threads); }
  int threads = at::get_num_threads();
};

template <class Check>
void for_all_cases(const Check& check) {
  for (const std::int64_t n : {0, 1, 2, 4, 5, 9, 14}) {
    const PairTables t = random_pairs(n, static_cast<std::uint64_t>(n));
    for (const auto& shape : shapes)
      for (const auto type : {torch::kFloat32, torch::kFloat64}) check(t, shape, type);
  }
}

TEST_F(Pairs, SumEqualsItsDefinition) {
  for_all_cases([](const PairTables& t, const Shape& shape, torch::ScalarType type) {
    const Tensor r = torch::randn({shape.signals, t.simplices(), shape.heads}, type),
                 s = torch::randn_like(r);
    const Tensor expected = reference_scores(r.unsqueeze(-1), s.unsqueeze(-1), t,
                                             [](double a, double b, auto, auto) { return a + b; });
    EXPECT_LE(error(pair_sum(r, s, t), expected), tolerance(type));
  });
}

TEST_F(Pairs, DotEqualsItsDefinition) {
  for_all_cases([](const PairTables& t, const Shape& shape, torch::ScalarType type) {
    const Tensor r = torch::randn({shape.signals, t.simplices(), shape.heads, shape.features}, type),
                 s = torch::randn_like(r);
    const Tensor expected = reference_scores(r, s, t, [](double a, double b, auto, auto) { return a * b; });
    EXPECT_LE(error(pair_dot(r, s, t), expected), tolerance(type));
  });
}

TEST_F(Pairs, Gatv2EqualsItsDefinition) {
  for_all_cases([](const PairTables& t, const Shape& shape, torch::ScalarType type) {
    const Tensor r = torch::randn({shape.signals, t.simplices(), shape.heads, shape.features}, type),
                 s = torch::randn_like(r), v = torch::randn({shape.heads, shape.features}, type);
    const Tensor wide = v.to(torch::kFloat64);
    const auto weight = wide.accessor<double, 2>();
    const Tensor expected = reference_scores(
        r, s, t, [&](double a, double b, auto h, auto f) { return weight[h][f] * leaky_relu(a + b); });
    EXPECT_LE(error(gatv2(r, s, v, t), expected), tolerance(type));
  });
}

TEST_F(Pairs, GatherEqualsItsDefinition) {
  for_all_cases([](const PairTables& t, const Shape& shape, torch::ScalarType type) {
    const Tensor x = torch::randn({shape.signals, t.simplices(), shape.heads, shape.features}, type),
                 w = torch::randn({shape.signals, t.count(), shape.heads}, type);
    for (const bool transposed : {false, true})
      EXPECT_LE(error(gather(w, x, t, transposed), reference_gather(w, x, t, transposed)), tolerance(type));
  });
}

TEST_F(Pairs, RowsWithoutPairsGetZeros) {
  const PairTables t = random_pairs(9, 1);
  const Tensor y = gather(torch::ones({t.count(), 2}), torch::ones({9, 2, 3}), t);
  for (const int row : {3, 7}) EXPECT_EQ(y[row].count_nonzero().item<std::int64_t>(), 0);
  EXPECT_GT(y[0].count_nonzero().item<std::int64_t>(), 0);
}

TEST_F(Pairs, LeadingDimensionsAreSignalsOfTheirOwn) {
  const PairTables t = random_pairs(10, 2);
  const Tensor r = torch::randn({2, 3, 10, 2, 5}), s = torch::randn_like(r), v = torch::randn({2, 5}),
               w = torch::randn({2, 3, t.count(), 2});
  const Tensor sum = pair_sum(r.select(-1, 0), s.select(-1, 0), t), dot = pair_dot(r, s, t),
               scores = gatv2(r, s, v, t), y = gather(w, r, t, true);
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 3; ++b) {
      const Tensor r1 = r[a][b], s1 = s[a][b];
      EXPECT_TRUE(torch::equal(sum[a][b], pair_sum(r1.select(-1, 0), s1.select(-1, 0), t)));
      EXPECT_TRUE(torch::equal(dot[a][b], pair_dot(r1, s1, t)));
      EXPECT_TRUE(torch::equal(scores[a][b], gatv2(r1, s1, v, t)));
      EXPECT_TRUE(torch::equal(y[a][b], gather(w[a][b], r1, t, true)));
    }
  }
}

TEST_F(Pairs, TakeAnyStridesAndLongMirrors) {
  PairTables t = random_pairs(10, 3);
  const Tensor r = torch::randn({5, 2, 10}).permute({2, 1, 0}), w = torch::randn({2, t.count()}).t();
  ASSERT_FALSE(r.is_contiguous());
  const Tensor expected = gather(w.contiguous(), r.contiguous(), t, true);
  EXPECT_TRUE(torch::equal(gather(w, r, t, true), expected));
  EXPECT_TRUE(torch::equal(pair_dot(r, r, t), pair_dot(r.contiguous(), r.contiguous(), t)));
  const auto backward = [&] {
    return ops::gatv2_scores_backward(w, r, r, r[0], t.offsets, t.sources, t.mirror, slope);
  };
  const auto before = backward();
  t.mirror = t.mirror.to(torch::kInt64);
  EXPECT_TRUE(torch::equal(gather(w, r, t, true), expected));
  const auto after = backward();
  EXPECT_TRUE(torch::equal(std::get<1>(before), std::get<1>(after)));
}

TEST_F(Pairs, GiveTheSameBitsForAnyNumberOfThreads) {
  const PairTables t = circle_pairs(900, 20);
  const Tensor r = torch::randn({3, 900, 2, 9}), s = torch::randn_like(r), v = torch::randn({2, 9}),
               w = torch::randn({3, t.count(), 2});
  const auto all = [&] {
    const auto [a, b, c] = ops::gatv2_scores_backward(w, r, s, v, t.offsets, t.sources, t.mirror, slope);
    return Tensors{pair_dot(r, s, t), gatv2(r, s, v, t), gather(w, r, t), gather(w, r, t, true), a, b, c};
  };
  at::set_num_threads(1);
  const Tensors expected = all();
  for (const int count : {2, 3}) {
    at::set_num_threads(count);
    const Tensors actual = all();
    for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_TRUE(torch::equal(actual[i], expected[i])) << i;
  }
}

TEST_F(Pairs, GradientsAgreeWithDifferencesToSecondOrder) {
  const PairTables t = random_pairs(6, 4);
  const Tensor r = torch::randn({2, 6, 2, 2}, torch::kFloat64), s = torch::randn_like(r),
               w = torch::randn({2, t.count(), 2}, torch::kFloat64);
  const GradcheckOptions second{.step = 1e-5, .tolerance = 1e-6};
  // Squares make the second derivatives of what is linear non-zero.
  const auto sum = [&](const Tensors& x) { return pair_sum(x[0].square(), x[1].square(), t).square(); };
  expect_gradients(sum, {r.select(-1, 0) * 0.3, s.select(-1, 0) * 0.3});
  expect_second_gradients(sum, {r.select(-1, 0) * 0.3, s.select(-1, 0) * 0.3}, second);
  const auto dot = [&](const Tensors& x) { return pair_dot(x[0], x[1], t); };
  expect_gradients(dot, {r, s});
  expect_second_gradients(dot, {r, s}, second);
  for (const bool transposed : {false, true}) {
    const auto gathered = [&](const Tensors& x) { return gather(x[0], x[1], t, transposed); };
    expect_gradients(gathered, {w, r});
    expect_second_gradients(gathered, {w, r}, second);
  }
}

TEST_F(Pairs, OnlyTheInputsThatAskGetGradients) {
  const PairTables t = random_pairs(6, 4);
  const Tensor r = torch::randn({6, 1, 2}).requires_grad_(), s = torch::randn({6, 1, 2});
  pair_dot(r, s, t).sum().backward();
  pair_dot(s, r, t).sum().backward();
  const Tensor h = torch::randn({6, 1}).requires_grad_();
  pair_sum(s.select(-1, 0), h, t).sum().backward();
  gather(pair_sum(h, h, t), s, t).sum().backward();
  EXPECT_TRUE(r.grad().defined() && h.grad().defined());
  EXPECT_FALSE(s.grad().defined());
  torch::NoGradGuard no_grad;
  EXPECT_FALSE(pair_dot(r, s, t).requires_grad());
}

// receiver and source whose sums are at least 0.08 away from the kink of LReLU: multiples of
// 0.2 plus something between 0.08 and 0.1.
Tensors away_from_the_kink(std::int64_t signals, std::int64_t n, std::int64_t heads, std::int64_t features) {
  const auto grid = [&](double offset) {
    const Tensor steps = torch::randint(-4, 5, {signals, n, heads, features}, torch::kFloat64);
    return steps * 0.2 + offset + 0.01 * torch::rand_like(steps);
  };
  return {grid(0.03), grid(0.05)};
}

TEST_F(Pairs, Gatv2GradientsAgreeWithDifferencesAwayFromTheKink) {
  const PairTables t = random_pairs(6, 5);
  const Tensors sides = away_from_the_kink(2, 6, 2, 3);
  for_each_pair(t, 2, 2, [&](auto n, auto h, auto, auto i, auto j) {
    ASSERT_GE((sides[0][n][i][h] + sides[1][n][j][h]).abs().min().template item<double>(), 0.05);
  });
  const Tensor v = torch::randn({2, 3}, torch::kFloat64);
  expect_gradients([&](const Tensors& x) { return gatv2(x[0], x[1], x[2], t); }, {sides[0], sides[1], v});
}

TEST_F(Pairs, Gatv2TakesTheSlopeBelowZeroAtTheKink) {
  const PairTables t = pair_tables(1, [](auto, auto) { return true; });
  const Tensor r = torch::zeros({1, 1, 1}, torch::kFloat64).requires_grad_(), s = torch::zeros_like(r);
  gatv2(r, s, torch::ones({1, 1}, torch::kFloat64), t).sum().backward();
  EXPECT_EQ(r.grad().item<double>(), slope);
}

TEST_F(Pairs, Gatv2SaysThatItDifferentiatesOnce) {
  const PairTables t = random_pairs(5, 6);
  const Tensor r = torch::randn({5, 1, 2}).requires_grad_(), v = torch::randn({1, 2}).requires_grad_();
  const auto first =
      torch::autograd::grad({gatv2(r, r, v, t).sum()}, {r, v}, {}, true, /*create_graph=*/true);
  EXPECT_TRUE(first[0].requires_grad());
  expect_error(Fault::argument, {"gatv2_scores", "differentiable once"},
               [&] { torch::autograd::grad({first[0].sum() + first[1].sum()}, {r}, {}, true, false); });
}

TEST_F(Pairs, EmptyListsHaveGradients) {
  for (const std::int64_t n : {0, 3}) {
    const PairTables t = pair_tables(n, [](auto, auto) { return false; });
    const auto leaf = [](at::IntArrayRef sizes) { return torch::randn(sizes).requires_grad_(); };
    const Tensor r = leaf({n, 2, 3}), s = leaf({n, 2, 3}), v = leaf({2, 3}), w = leaf({0, 2});
    (gatv2(r, s, v, t) + pair_dot(r, s, t) + pair_sum(r.select(-1, 0), s.select(-1, 0), t)).sum().backward();
    gather(w, r, t).sum().backward();
    for (const Tensor& leaf_tensor : {r, s, v, w}) {
      ASSERT_TRUE(leaf_tensor.grad().defined());
      EXPECT_EQ(leaf_tensor.grad().count_nonzero().item<std::int64_t>(), 0);
    }
  }
}

TEST_F(Pairs, MetaTensorsGiveShapes) {
  PairTables t = random_pairs(10, 7);
  for (Tensor* table : {&t.offsets, &t.sources, &t.mirror}) *table = table->to(torch::kMeta);
  const auto meta = torch::dtype(torch::kFloat64).device(torch::kMeta);
  const Tensor r = torch::empty({3, 10, 2, 5}, meta), v = torch::empty({2, 5}, meta);
  const std::vector<std::int64_t> scores = {3, t.count(), 2};
  for (const Tensor& y :
       {pair_sum(r.select(-1, 0), r.select(-1, 0), t), pair_dot(r, r, t), gatv2(r, r, v, t)}) {
    EXPECT_TRUE(y.is_meta());
    EXPECT_EQ(y.scalar_type(), torch::kFloat64);
    EXPECT_EQ(y.sizes(), at::IntArrayRef(scores));
  }
  EXPECT_EQ(gather(torch::empty(scores, meta), r, t).sizes(), r.sizes());
  const auto [a, b, c] =
      ops::gatv2_scores_backward(torch::empty(scores, meta), r, r, v, t.offsets, t.sources, t.mirror, slope);
  EXPECT_EQ(a.sizes(), r.sizes());
  EXPECT_EQ(b.sizes(), r.sizes());
  EXPECT_EQ(c.sizes(), v.sizes());
  EXPECT_THROW(pair_dot(r, v, t), Error);
}

using TwoSides = Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&);
using Scores = Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                      const Tensor&, double);
using Backward = std::tuple<Tensor, Tensor, Tensor>(const Tensor&, const Tensor&, const Tensor&,
                                                    const Tensor&, const Tensor&, const Tensor&,
                                                    const Tensor&, double);
using Gather = Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, bool);

TEST_F(Pairs, DevicesWithoutAKernelComputeTheSame) {
  for_all_cases([](const PairTables& t, const Shape& shape, torch::ScalarType) {
    const Tensor r = torch::randn({shape.signals, t.simplices(), shape.heads, shape.features},
                                  torch::kFloat64),
                 s = torch::randn_like(r), v = torch::randn({shape.heads, shape.features}, torch::kFloat64),
                 w = torch::randn({shape.signals, t.count(), shape.heads}, torch::kFloat64);
    const auto same = [](const Tensor& a, const Tensor& b) { EXPECT_LE(error(a, b), 1e-13); };
    same(elsewhere<TwoSides>("gsan::pair_dot", r, s, t.offsets, t.sources, t.mirror), pair_dot(r, s, t));
    same(elsewhere<Scores>("gsan::gatv2_scores", r, s, v, t.offsets, t.sources, t.mirror, slope),
         gatv2(r, s, v, t));
    const auto [a, b, c] =
        elsewhere<Backward>("gsan::gatv2_scores_backward", w, r, s, v, t.offsets, t.sources, t.mirror, slope);
    const auto [x, y, z] = ops::gatv2_scores_backward(w, r, s, v, t.offsets, t.sources, t.mirror, slope);
    same(a, x), same(b, y), same(c, z);
    for (const bool transposed : {false, true}) {
      same(elsewhere<Gather>("gsan::weighted_gather", w, r, t.offsets, t.sources, t.mirror, transposed),
           gather(w, r, t, transposed));
    }
    if (shape.features == 0) return;
    const Tensor r0 = r.select(-1, 0), s0 = s.select(-1, 0);
    same(elsewhere<TwoSides>("gsan::pair_sum", r0, s0, t.offsets, t.sources, t.mirror), pair_sum(r0, s0, t));
  });
}

TEST_F(Pairs, CudaComputesTheSame) {
  if (!at::hasCUDA()) GTEST_SKIP() << "torch has no CUDA here";
  const PairTables t = circle_pairs(500, 5);
  PairTables moved = t;
  for (Tensor* table : {&moved.offsets, &moved.sources, &moved.mirror}) *table = table->to(torch::kCUDA);
  const Tensors inputs = {torch::randn({2, 500, 2, 7}, torch::kFloat64),
                          torch::randn({2, 500, 2, 7}, torch::kFloat64),
                          torch::randn({2, 7}, torch::kFloat64)};
  const auto run = [](Tensors x, const PairTables& tables) {
    for (Tensor& leaf : x) leaf = leaf.detach().requires_grad_();
    const Tensor w = gatv2(x[0], x[1], x[2], tables) + pair_dot(x[0], x[1], tables) +
                     pair_sum(x[0].select(-1, 0), x[1].select(-1, 0), tables);
    const Tensor y = gather(w, x[1], tables) + gather(w, x[0], tables, true);
    y.square().sum().backward();
    return Tensors{y.detach(), x[0].grad(), x[1].grad(), x[2].grad()};
  };
  const Tensors here = run(inputs, t);
  Tensors there = inputs;
  for (Tensor& x : there) x = x.to(torch::kCUDA);
  there = run(there, moved);
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_LE(error(there[i].cpu(), here[i]), 1e-12) << i;
}

// Σ over pairs of |E| H numbers are stored, and what belongs to simplices; nothing of E · D.
TEST_F(Pairs, MemoryOfGatv2AndDotIsLinearInTheNeighbourPairs) {
  const std::int64_t n = 2000, heads = 2, features = 64;
  const PairTables t = circle_pairs(n, 50);
  ASSERT_EQ(t.count(), 202000);
  const auto leaf = [](at::IntArrayRef sizes) { return torch::randn(sizes).requires_grad_(); };
  const Tensor r = leaf({n, heads, features}), s = leaf({n, heads, features}), v = leaf({heads, features}),
               w = leaf({t.count(), heads});
  const std::int64_t per_pairs = t.count() * heads * 4, per_simplices = n * heads * features * 4;
  const std::int64_t per_pairs_and_features = per_pairs * features;
  const auto expect_linear = [&](const char* what, const std::function<Tensor()>& forward) {
    const MemoryMeter meter;
    {
      const Tensor y = forward();
      y.backward(torch::ones_like(y));
    }
    for (const Tensor& x : {r, s, v, w}) x.mutable_grad() = Tensor();
    EXPECT_GE(meter.peak(), per_pairs) << what;  // the meter sees the scores at least
    EXPECT_LT(meter.peak(), 4 * per_pairs + 4 * per_simplices) << what;
    EXPECT_LT(meter.peak(), per_pairs_and_features / 5) << what;
    EXPECT_EQ(meter.current(), 0) << what;
  };
  expect_linear("gatv2", [&] { return gatv2(r, s, v, t); });
  expect_linear("dot", [&] { return pair_dot(r, s, t); });
  expect_linear("gather", [&] { return gather(w, r, t); });
}

TEST_F(Pairs, DevicesWithoutAKernelTakeAFewPairsAtATime) {
  const std::int64_t n = 2000, heads = 2, features = 64;
  const PairTables t = circle_pairs(n, 50);
  const Tensor r = torch::randn({n, heads, features}), s = torch::randn({n, heads, features}),
               v = torch::randn({heads, features}), w = torch::randn({t.count(), heads});
  const auto [a, b, c] = ops::gatv2_scores_backward(w, r, s, v, t.offsets, t.sources, t.mirror, slope);
  const MemoryMeter meter;
  const auto near = [](const Tensor& x, const Tensor& y) {
    EXPECT_LE(error(x, y.to(torch::kFloat64)), 1e-4);
  };
  near(elsewhere<Scores>("gsan::gatv2_scores", r, s, v, t.offsets, t.sources, t.mirror, slope),
       gatv2(r, s, v, t));
  near(elsewhere<TwoSides>("gsan::pair_dot", r, s, t.offsets, t.sources, t.mirror), pair_dot(r, s, t));
  near(elsewhere<Gather>("gsan::weighted_gather", w, r, t.offsets, t.sources, t.mirror, false),
       gather(w, r, t));
  const auto [x, y, z] =
      elsewhere<Backward>("gsan::gatv2_scores_backward", w, r, s, v, t.offsets, t.sources, t.mirror, slope);
  near(x, a), near(y, b), near(z, c);
  EXPECT_LT(meter.peak(), t.count() * heads * features * 4 / 2);
}

template <class Call>
void expect_refused(Call call, std::initializer_list<std::string> words) {
  expect_error(Fault::argument, words, call);
}

TEST_F(Pairs, RefuseBadShapesAndTypes) {
  const PairTables t = random_pairs(6, 8);
  const Tensor r = torch::ones({6, 2, 3}), w = torch::ones({t.count(), 2});
  const std::string pairs = std::to_string(t.count());
  expect_refused(
      [&] {
        pair_sum(torch::ones({5, 2}), torch::ones({5, 2}), t);
      },
      {"gsan::pair_sum", "6 rows", "got 5"});
  expect_refused(
      [&] {
        pair_sum(torch::ones({6, 2}), torch::ones({6, 3}), t);
      },
      {"source", "[6, 2]", "[6, 3]"});
  expect_refused([&] { pair_sum(torch::ones({6}), torch::ones({6}), t); },
                 {"[..., simplices, heads]", "[6]"});
  expect_refused([&] { pair_dot(r, r.to(torch::kFloat64), t); }, {"gsan::pair_dot", "Double", "Float"});
  expect_refused([&] { pair_dot(r.to(torch::kHalf), r, t); }, {"float32 or float64", "Half"});
  expect_refused([&] { pair_dot(r.to_sparse(), r, t); }, {"dense", "Sparse"});
  expect_refused([&] { pair_dot(r, torch::empty({6, 2, 3}, torch::kMeta), t); }, {"meta", "cpu"});
  expect_refused(
      [&] {
        gatv2(r, r, torch::ones({3, 2}), t);
      },
      {"gsan::gatv2_scores", "v", "[2, 3]", "[3, 2]"});
  expect_refused([&] { ops::gatv2_scores(r, r, r[0], t.offsets, t.sources, t.mirror, std::nan("")); },
                 {"negative_slope", "nan"});
  expect_refused([&] { gather(w.slice(0, 1), r, t); }, {"gsan::weighted_gather", "weights", pairs});
  expect_refused([&] { gather(w.unsqueeze(0), r, t); }, {"weights", pairs});
  expect_refused([&] { gather(w, r.slice(0, 1), t); }, {"6 rows", "got 5"});
  const auto with = [&](auto change) {
    PairTables changed = t;
    change(changed);
    return [=] { gather(w, r, changed); };
  };
  expect_refused(with([](auto& c) { c.sources = c.sources.to(torch::kInt64); }), {"sources", "Int", "Long"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.to(torch::kInt32); }), {"offsets", "Long", "Int"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.view({1, -1}); }), {"offsets", "[1, 7]"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.slice(0, 0, 0); }), {"offsets", "got none"});
  expect_refused(with([](auto& c) { c.mirror = c.mirror.to(torch::kInt16); }),
                 {"mirror", "Int or Long", "Short"});
  expect_refused(with([](auto& c) { c.mirror = c.mirror.slice(0, 1); }), {"mirror", pairs});
}

TEST_F(Pairs, RefuseTablesThatAreNone) {
  const PairTables t = circle_pairs(900, 4);
  const Tensor r = torch::ones({900, 2, 3}), w = torch::ones({t.count(), 2});
  const auto with = [&](auto change) {
    PairTables changed = t;
    changed.offsets = t.offsets.clone(), changed.sources = t.sources.clone(),
    changed.mirror = t.mirror.clone();
    change(changed);
    return changed;
  };
  const auto refused_by_all = [&](const PairTables& c, std::initializer_list<std::string> words) {
    expect_refused([&] { pair_sum(w.slice(0, 0, 900), w.slice(0, 0, 900), c); }, words);
    expect_refused([&] { pair_dot(r, r, c); }, words);
    expect_refused([&] { gatv2(r, r, r[0], c); }, words);
    expect_refused([&] { gather(w, r, c); }, words);
    expect_refused([&] { gather(w, r, c, true); }, words);
    expect_refused([&] { ops::gatv2_scores_backward(w, r, r, r[0], c.offsets, c.sources, c.mirror, slope); },
                   words);
  };
  for (const int e : {0, 3000, 8099}) {
    refused_by_all(with([&](auto& c) { c.sources[e] = 900; }), {"sources", "0 ... 899", "900"});
    refused_by_all(with([&](auto& c) { c.sources[e] = -1; }), {"sources", "-1"});
    const PairTables bad = with([&](auto& c) { c.mirror[e] = 8100; });
    expect_refused([&] { gather(w, r, bad, true); }, {"mirror", "0 ... 8099", "8100"});
    expect_refused(
        [&] { ops::gatv2_scores_backward(w, r, r, r[0], bad.offsets, bad.sources, bad.mirror, slope); },
        {"mirror", "8100"});
  }
  for (const int i : {0, 1, 450, 900}) {
    refused_by_all(with([&](auto& c) { c.offsets[i] = std::int64_t{1} << 60; }), {"offsets", "increase"});
    refused_by_all(with([&](auto& c) { c.offsets[i] = -7; }), {"offsets", "increase"});
  }
  refused_by_all(with([](auto& c) { c.offsets.zero_(); }), {"offsets", "increase"});
}

}  // namespace
}  // namespace gsan
