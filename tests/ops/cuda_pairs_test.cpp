#include "gsan/ops/narrow_products.h"
#include "gsan/ops/pair_dropout.h"
#include "gsan/ops/pairs.h"
#include "gsan/ops/segments.h"
#include "gsan/ops/sum_activation.h"

#include "ops/cuda_kernels.h"
#include "ops/pair_reference.h"

namespace gsan {
namespace {

constexpr double slope = 0.2;

// The first simplex has a pair with 5000 others; every seventh has none at all.
PairTables hub_pairs() {
  return pair_tables(5850, [](std::int64_t i, std::int64_t j) {
    return i % 7 != 3 && j % 7 != 3 && (i == j || i == 0 || j == 0);
  });
}

// offsets, sources, mirror, then what the op takes.
Tensors with_tables(const PairTables& t, Tensors others) {
  others.insert(others.begin(), {t.offsets, t.sources, t.mirror});
  return others;
}

const Call pair_sum = [](const Tensors& t) { return Tensors{ops::pair_sum(t[3], t[4], t[0], t[1], t[2])}; };
const Call pair_dot = [](const Tensors& t) { return Tensors{ops::pair_dot(t[3], t[4], t[0], t[1], t[2])}; };
const Call gather = [](const Tensors& t) {
  return Tensors{ops::weighted_gather(t[3], t[4], t[0], t[1], t[2], false),
                 ops::weighted_gather(t[3], t[4], t[0], t[1], t[2], true),
                 ops::weighted_gather(t[3], t[4], t[0], t[1], t[2].to(torch::kInt64), true)};
};
const Call scores = [](const Tensors& t) {
  return Tensors{ops::gatv2_scores(t[3], t[4], t[5], t[0], t[1], t[2], slope)};
};
const Call backward = [](const Tensors& t) {
  const auto [a, b, c] = ops::gatv2_scores_backward(t[6], t[3], t[4], t[5], t[0], t[1], t[2], slope);
  const auto [d, e, f] =
      ops::gatv2_scores_backward(t[6], t[3], t[4], t[5], t[0], t[1], t[2].to(torch::kInt64), slope);
  return Tensors{a, b, c, d, e, f};
};

void expect_all(const PairTables& t, std::vector<std::int64_t> lead, std::int64_t heads,
                std::int64_t features, Layout layout) {
  const auto sized = [&](std::initializer_list<std::int64_t> last) {
    std::vector<std::int64_t> sizes = lead;
    sizes.insert(sizes.end(), last);
    return values(sizes);
  };
  const std::int64_t n = t.simplices(), pairs = t.count();
  const Tensor r = sized({n, heads, features}), s = sized({n, heads, features}),
               v = values({heads, features}), w = sized({pairs, heads});
  const std::string what = std::to_string(n) + " simplices, " + std::to_string(heads) + " heads, " +
                           std::to_string(features) + " features, layout " +
                           std::to_string(static_cast<int>(layout));
  expect_same("pair_sum " + what, pair_sum, with_tables(t, {sized({n, heads}), sized({n, heads})}), layout);
  expect_same("pair_dot " + what, pair_dot, with_tables(t, {r, s}), layout);
  expect_same("weighted_gather " + what, gather, with_tables(t, {w, s}), layout);
  expect_same("gatv2_scores " + what, scores, with_tables(t, {r, s, v}), layout);
  expect_same("gatv2_scores_backward " + what, backward, with_tables(t, {r, s, v, w}), layout);
}

TEST_F(CudaKernels, Pairs) {
  for (const std::int64_t n : {0, 1, 5, 60})
    for (const std::int64_t features : {0, 1, 3, 4, 17, 32, 64, 256})
      for (const std::int64_t heads : {0, 1, 3})
        for (const Layout layout : layouts) {
          const PairTables t = random_pairs(n, 5);
          expect_all(t, {}, heads, features, layout);
          expect_all(t, {2, 2}, heads, features, layout);
        }
}

TEST_F(CudaKernels, PairsOfAHub) {
  const PairTables t = hub_pairs();
  for (const std::int64_t features : {1, 3, 4, 17, 32, 64, 256})
    expect_all(t, {}, features == 256 ? 1 : 3, features, Layout::dense);
  expect_all(t, {2}, 1, 32, Layout::with_gaps);
}

TEST_F(CudaKernels, PairsBehindTheLastOffsetGetZeros) {
  PairTables t = random_pairs(40, 1);
  const std::int64_t n = t.simplices(), pairs = t.count();
  const Tensor r = values({2, n, 3, 8}), s = values({2, n, 3, 8}), v = values({3, 8}),
               w = values({2, pairs, 3});
  const auto longer = [](const Tensor& x, std::int64_t dimension) {
    c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
    sizes[dimension] = 50;
    return torch::cat({x, torch::zeros(sizes, x.options())}, dimension);
  };
  const Tensors here = with_tables(t, {r, s, v, w});
  Tensors there = here;
  for (const int i : {1, 2}) there[i] = longer(there[i], 0);
  there[6] = torch::cat({w, torch::full({2, 50, 3}, std::nan(""), torch::kFloat64)}, 1);
  for (Tensor& x : there) x = x.cuda();
  expect_near(pair_dot(there)[0], longer(pair_dot(here)[0], 1), 1e-12, "pair_dot");
  expect_near(scores(there)[0], longer(scores(here)[0], 1), 1e-12, "gatv2_scores");
  for (int i = 0; i < 3; ++i)
    expect_near(backward(there)[i], backward(here)[i], 1e-12, "gatv2_scores_backward");
  const Tensors weighted = {here[0], here[1], here[2], w, s};
  for (int i = 0; i < 3; ++i)
    expect_near(gather({there[0], there[1], there[2], there[6], there[4]})[i], gather(weighted)[i], 1e-12,
                "weighted_gather");
}

TEST_F(CudaKernels, Gradients) {
  const PairTables t = random_pairs(30, 2);
  const Call gradients = [](const Tensors& given) {
    const Tensor x = given[3].detach().requires_grad_(), r = given[4].detach().requires_grad_();
    const Tensor weights =
        ops::segment_softmax(ops::pair_sum(r, r * 2, given[0], given[1], given[2]), given[0]);
    const Tensor y = ops::weighted_gather(weights, x, given[0], given[1], given[2]);
    (y * y).sum().backward();
    return Tensors{x.grad(), r.grad()};
  };
  expect_same("gradients", gradients, with_tables(t, {values({2, 30, 3, 8}), values({2, 30, 3})}));
}

TEST_F(CudaKernels, CudaRepeatsItsBits) {
  const PairTables t = hub_pairs();
  const std::int64_t n = t.simplices(), pairs = t.count();
  const auto numbers = [](at::IntArrayRef sizes) { return torch::randn(sizes, torch::kCUDA); };
  const Tensor r = numbers({n, 2, 32}), s = numbers({n, 2, 32}), v = numbers({2, 32}),
               w = numbers({pairs, 2}), x = numbers({100000, 32}), y = numbers({100000, 4}),
               few = numbers({32, 4});
  const Tensors list = {t.offsets.cuda(), t.sources.cuda(), t.mirror.cuda()};
  const Tensor parts = torch::tensor({0, 10, 60000, 100000}, torch::kInt64).cuda(),
               keys = torch::arange(n, torch::kInt32).cuda(),
               shared = torch::arange(pairs, torch::kInt32).cuda();
  const auto all = [&] {
    const Tensors given = {list[0], list[1], list[2], r, s, v, w};
    const Tensor column = r.select(-1, 0);
    Tensors results = {pair_dot(given)[0], scores(given)[0],
                       pair_sum({list[0], list[1], list[2], column, column})[0]};
    const auto append = [&](const Tensors& more) { results.insert(results.end(), more.begin(), more.end()); };
    append(backward(given));
    append(gather({list[0], list[1], list[2], w, s}));
    const auto [g, sums] = ops::sum_activation_backward(x, x.tanh(), "tanh", true);
    Tensor added = x.clone();
    ops::add_narrow_product(added, y, few);
    append({g, sums, added, ops::narrow_product(x, few), ops::narrow_gram(x, y), ops::tall_gram(x, x),
            ops::sum_activation({x, x, added}, x[0], "elu")});
    for (const auto& [rows, offsets] : {std::pair(w, list[0]), std::pair(x, parts)}) {
      const Tensor soft = ops::segment_softmax(rows, offsets);
      append({soft, ops::segment_sum(rows, offsets), ops::segment_argmax(rows, offsets),
              ops::segment_softmax_backward(rows, soft, offsets),
              ops::segment_spread(ops::segment_sum(rows, offsets), offsets, rows.size(0))});
    }
    append({ops::pair_dropout_mask(list[1], shared, keys, keys, torch::arange(2, torch::kCUDA), 5, 0.5, 3,
                                   torch::kFloat32)});
    return results;
  };
  const Tensors first = all();
  for (int repetition = 0; repetition < 100; ++repetition) {
    const Tensors again = all();
    for (std::size_t i = 0; i < first.size(); ++i)
      ASSERT_TRUE(torch::equal(again[i], first[i])) << "result " << i << ", repetition " << repetition;
  }
}

}  // namespace
}  // namespace gsan
