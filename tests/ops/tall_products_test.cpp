#include "gsan/ops/tall_products.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/narrow_products.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

using torch::Tensor;

struct TallProducts : testing::Test {
  void SetUp() override { torch::manual_seed(3); }
  void TearDown() override { at::set_num_threads(threads), ops::use_isa(ops::supported_isa()); }
  int threads = at::get_num_threads();
};

struct Operands {
  Tensor x, weight, projection, of_products, of_scores;
  Operands(std::int64_t rows, std::int64_t K, std::int64_t C, std::int64_t S, torch::ScalarType type) {
    const auto values = [&](std::int64_t n, std::int64_t m) { return torch::rand({n, m}, type) - 0.5; };
    x = values(rows, K), weight = values(K, C), projection = values(K, S);
    of_products = values(rows, C), of_scores = values(rows, S);
  }
};

// x W, x V, and the gradients of x, W and V.
std::vector<Tensor> compute(const Operands& o) {
  const auto made = ops::tall_products(o.x, o.weight, o.projection);
  const auto back =
      ops::tall_products_backward(o.of_products, o.of_scores, o.x, o.weight, o.projection, {true, true});
  return {made.products, made.scores, back.of_x, back.of_weight, back.of_projection};
}

std::vector<Tensor> expected(const Operands& o) {
  const auto wide = [](const Tensor& t) { return t.to(torch::kFloat64); };
  const Tensor x = wide(o.x), W = wide(o.weight), V = wide(o.projection), g = wide(o.of_products),
               s = wide(o.of_scores);
  return {x.mm(W), x.mm(V), g.mm(W.t()) + s.mm(V.t()), x.t().mm(g), x.t().mm(s)};
}

// Eight standard deviations of what a sum of n products of numbers in ±1/2 is rounded by: each of its partial
// sums, of the size of √k / 12 after k terms, by half a unit of its last place; float64 in both programs.
double tolerance(const Tensor& x, std::int64_t n) {
  return 8 * (1 + static_cast<double>(n) / 12) * (x.scalar_type() == torch::kFloat32 ? 6e-8 : 1.2e-16);
}

void expect_near(const Operands& o, const std::vector<Tensor>& found) {
  const auto wanted = expected(o);
  const std::int64_t rows = o.x.size(0), K = o.x.size(1), C = o.weight.size(1), S = o.projection.size(1);
  const std::int64_t terms[] = {K, K, C + S, rows, rows};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(found[i].sizes(), wanted[i].sizes()) << i;
    if (wanted[i].numel() == 0) continue;
    EXPECT_LE((found[i].to(torch::kFloat64) - wanted[i]).abs().max().item<double>(),
              tolerance(o.x, terms[i] + 1))
        << "result " << i << " of " << rows << " rows, " << K << ", " << C << ", " << S;
  }
}

TEST_F(TallProducts, EqualTheProductsOfMatrices) {
  for (const auto isa : {ops::Isa::portable, ops::Isa::avx2, ops::Isa::avx512}) {
    if (isa > ops::supported_isa()) continue;
    ops::use_isa(isa);
    for (const auto type : {torch::kFloat32, torch::kFloat64})
      for (const std::int64_t K : {1, 3, 16, 31, 70})
        for (const std::int64_t C : {0, 1, 5, 64})
          for (const std::int64_t S : {0, 1, 2, 5})
            for (const std::int64_t rows : {0, 1, 129, 1025}) {
              const Operands o(rows, K, C, S, type);
              expect_near(o, compute(o));
            }
  }
}

TEST_F(TallProducts, OfWideMatricesAndManyRows) {
  const Operands wide(300, 520, 700, 4, torch::kFloat64), tall(70'001, 8, 9, 2, torch::kFloat64);
  expect_near(wide, compute(wide));
  expect_near(tall, compute(tall));
}

TEST_F(TallProducts, BitsDoNotDependOnThreads) {
  const Operands o(20'011, 33, 20, 4, torch::kFloat32);
  at::set_num_threads(1);
  const auto alone = compute(o);
  for (const int count : {2, 3, 16}) {
    at::set_num_threads(count);
    const auto found = compute(o);
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_TRUE(torch::equal(found[i], alone[i])) << count << " threads, result " << i;
  }
}

TEST_F(TallProducts, OnlyWhatIsAskedForIsMade) {
  const Operands o(10, 3, 4, 2, torch::kFloat32);
  const auto all = compute(o);
  const auto back = [&](bool of_x, bool of_sums) {
    return ops::tall_products_backward(o.of_products, o.of_scores, o.x, o.weight, o.projection,
                                       {of_x, of_sums});
  };
  const auto x_alone = back(true, false), sums_alone = back(false, true);
  EXPECT_TRUE(torch::equal(x_alone.of_x, all[2]));
  EXPECT_EQ(x_alone.of_weight.numel() + x_alone.of_projection.numel(), 0);
  EXPECT_TRUE(torch::equal(sums_alone.of_weight, all[3]) && torch::equal(sums_alone.of_projection, all[4]));
  EXPECT_EQ(sums_alone.of_x.numel(), 0);
}

TEST_F(TallProducts, RefuseWhatDoesNotFit) {
  const Operands o(6, 4, 3, 2, torch::kFloat32);
  const auto refused = [](std::initializer_list<std::string> words, const auto& call) {
    expect_error(Fault::argument, words, call);
  };
  const auto made = [&](const Tensor& x, const Tensor& weight, const Tensor& projection) {
    return [=] { ops::tall_products(x, weight, projection); };
  };
  refused({"tall_products", "weight", "[3, 4]"}, made(o.x, o.weight.t().contiguous(), o.projection));
  refused({"tall_products", "projection", "[6, 2]"}, made(o.x, o.weight, o.of_scores));
  refused({"tall_products", "contiguous"}, made(o.x.t(), o.weight, o.projection));
  refused({"tall_products", "Double"}, made(o.x, o.weight.to(torch::kFloat64), o.projection));
  refused({"tall_products", "Half"}, made(o.x.to(torch::kFloat16), o.weight, o.projection));
  refused({"tall_products_backward", "[6, 2]", "[4, 3]"}, [&] {
    ops::tall_products_backward(o.of_scores, o.of_scores, o.x, o.weight, o.projection, {true, true});
  });
}

TEST_F(TallProducts, NarrowProductsRefuseWhatDoesNotFit) {
  const Tensor x = torch::ones({6, 4}), y = torch::ones({6, 2}), v = torch::ones({4, 2});
  const auto refused = [](std::initializer_list<std::string> words, const auto& call) {
    expect_error(Fault::argument, words, call);
  };
  refused({"narrow_product", "[6, 4]", "[6, 2]"}, [&] { ops::narrow_product(x, y); });
  refused({"narrow_product", "Double"}, [&] { ops::narrow_product(x, v.to(torch::kFloat64)); });
  refused({"narrow_product", "contiguous"}, [&] { ops::narrow_product(x.t(), v); });
  refused({"narrow_gram", "[4, 2]"}, [&] { ops::narrow_gram(x, v); });
  refused({"tall_gram", "[4, 2]"}, [&] { ops::tall_gram(x, v); });
  refused({"add_narrow_product", "[4, 3]"}, [&] { ops::add_narrow_product(x, y, torch::ones({4, 3})); });
}

}  // namespace
}  // namespace gsan
