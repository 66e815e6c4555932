// The ops of pairs.h on other devices, and the memory that they take.

#include <ATen/Context.h>

#include "ops/elsewhere.h"
#include "ops/pair_calls.h"
#include "support/gradcheck.h"
#include "support/memory_meter.h"

namespace gsan {
namespace {

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

}  // namespace
}  // namespace gsan
