// Products of small matrices against sums in float64, for all shapes of tiles and every build.

#include "gsan/ops/cpu/matrix_kernel.h"

#include <gtest/gtest.h>

#include <torch/torch.h>

#include "gsan/ops/cpu/isa.h"

namespace gsan {
namespace {

using torch::Tensor;

struct MatrixKernels : testing::Test {
  void SetUp() override { torch::manual_seed(3); }
  void TearDown() override { ops::use_isa(ops::supported_isa()); }
};

template <class T>
Tensor product(const Tensor& a, const Tensor& b, const Tensor& begin, bool add) {
  const Tensor y = begin.clone();
  ops::current_build<T>(GSAN_BUILDS_OF(ops::matrix))(
      {a.const_data_ptr<T>(), a.stride(0), a.stride(1), b.const_data_ptr<T>(), b.stride(0),
       y.mutable_data_ptr<T>(), y.stride(0), a.size(0), a.size(1), b.size(1), add});
  return y;
}

template <class T>
void expect_products(double tolerance) {
  const auto type = c10::CppTypeToScalarType<T>::value;
  for (const auto isa : {ops::Isa::portable, ops::Isa::avx2, ops::Isa::avx512}) {
    if (isa > ops::supported_isa()) continue;
    ops::use_isa(isa);
    for (const std::int64_t rows : {0, 1, 2, 5, 6, 13})
      for (const std::int64_t inner : {0, 1, 7, 32})
        for (const std::int64_t columns : {1, 3, 4, 15, 16, 33, 68, 168})
          for (const bool transposed : {false, true})
            for (const bool add : {false, true}) {
              const Tensor a =
                  transposed ? torch::randn({inner, rows}, type).t() : torch::randn({rows, inner}, type);
              const Tensor b = torch::randn({inner, columns + 3}, type).narrow(1, 0, columns);
              const Tensor begin = torch::randn({rows, columns}, type);
              Tensor expected = a.to(torch::kFloat64).matmul(b.to(torch::kFloat64));
              if (add) expected += begin;
              const Tensor y = product<T>(a, b, begin, add);
              ASSERT_TRUE(torch::allclose(y.to(torch::kFloat64), expected, 0, tolerance))
                  << rows << " x " << inner << " x " << columns << ", build " << static_cast<int>(isa);
            }
  }
}

TEST_F(MatrixKernels, MultiplyAnyShapes) {
  expect_products<float>(2e-5);
  expect_products<double>(1e-13);
}

TEST_F(MatrixKernels, GiveARowTheBitsThatItHasAlone) {
  const Tensor a = torch::randn({29, 32}), b = torch::randn({32, 84}), begin = torch::zeros({29, 84});
  const Tensor all = product<float>(a, b, begin, false);
  for (std::int64_t i = 0; i < 29; ++i)
    EXPECT_TRUE(all.narrow(0, i, 1).equal(product<float>(a.narrow(0, i, 1), b, begin.narrow(0, i, 1), false)))
        << i;
  for (const std::int64_t first : {1, 17, 40}) {
    const Tensor part = b.narrow(1, first, 20).contiguous();
    EXPECT_TRUE(all.narrow(1, first, 20).equal(product<float>(a, part, torch::zeros({29, 20}), false)))
        << first;
  }
}

}  // namespace
}  // namespace gsan
