#include "gsan/ops/pairs.h"

#include "ops/pair_calls.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

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

}  // namespace
}  // namespace gsan
