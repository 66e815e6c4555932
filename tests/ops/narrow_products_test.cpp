#include "gsan/ops/narrow_products.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/isa.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

using torch::Tensor;

struct NarrowProducts : testing::Test {
  void SetUp() override { torch::manual_seed(3); }
  void TearDown() override { at::set_num_threads(threads), ops::use_isa(ops::supported_isa()); }
  int threads = at::get_num_threads();
};

struct Results {
  Tensor product, gram, tall, sum;
};

Results compute(const Tensor& x, const Tensor& y, const Tensor& v) {
  Results r{ops::narrow_product(x, v), ops::narrow_gram(x, y), ops::tall_gram(x, y), x.clone()};
  ops::add_narrow_product(r.sum, y, v);
  return r;
}

// Rounding of a sum of n terms of the size of 1, in the type of x.
double tolerance(const Tensor& x, std::int64_t n) {
  return 8 * std::sqrt(static_cast<double>(n)) * (x.scalar_type() == torch::kFloat32 ? 6e-8 : 1.2e-16);
}

TEST_F(NarrowProducts, EqualTheProductsOfMatrices) {
  for (const auto isa : {ops::Isa::portable, ops::Isa::avx2, ops::Isa::avx512}) {
    if (isa > ops::supported_isa()) continue;
    ops::use_isa(isa);
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      for (const std::int64_t K : {1, 3, 16, 31, 64, 70}) {
        for (const std::int64_t C : {1, 2, 5}) {
          for (const std::int64_t rows : {0, 1, 255, 1025}) {
            const Tensor x = torch::rand({rows, K}, type) - 0.5, y = torch::rand({rows, C}, type) - 0.5,
                         v = torch::rand({K, C}, type) - 0.5;
            const Tensor X = x.to(torch::kFloat64), Y = y.to(torch::kFloat64), V = v.to(torch::kFloat64);
            const Results r = compute(x, y, v);
            const auto near = [&](const Tensor& actual, const Tensor& expected, std::int64_t terms) {
              ASSERT_EQ(actual.sizes(), expected.sizes());
              if (expected.numel() == 0) return;
              EXPECT_LE((actual.to(torch::kFloat64) - expected).abs().max().item<double>(),
                        tolerance(x, terms))
                  << K << ' ' << C << ' ' << rows;
            };
            near(r.product, X.mm(V), K);
            near(r.gram, X.t().mm(Y), rows);
            near(r.tall, X.t().mm(Y), rows);
            near(r.sum, X + Y.mm(V.t()), C + 1);
          }
        }
      }
    }
  }
}

TEST_F(NarrowProducts, BitsDoNotDependOnThreads) {
  const Tensor x = torch::randn({20000, 33}), y = torch::randn({20000, 4}), v = torch::randn({33, 4});
  at::set_num_threads(1);
  const Results alone = compute(x, y, v);
  for (const int count : {2, 3}) {
    at::set_num_threads(count);
    const Results r = compute(x, y, v);
    EXPECT_TRUE(torch::equal(r.product, alone.product) && torch::equal(r.gram, alone.gram) &&
                torch::equal(r.tall, alone.tall) && torch::equal(r.sum, alone.sum))
        << count;
  }
}

TEST_F(NarrowProducts, RefuseWhatDoesNotFit) {
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
