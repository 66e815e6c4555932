#include "gsan/ops/row_norm.h"

#include <utility>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "gsan/ops/column_sums.h"

#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

using torch::Tensor;

constexpr double momentum = 0.1, epsilon = 1e-5;

struct Norm {
  Tensor weight, bias, mean, variance;
  Norm(std::int64_t channels, torch::ScalarType type)
      : weight(torch::randn({channels}, type)),
        bias(torch::randn({channels}, type)),
        mean(torch::randn({channels}, type)),
        variance(torch::rand({channels}, type)) {}
  Norm copy() const {
    Norm other = *this;
    for (Tensor* t : {&other.weight, &other.bias, &other.mean, &other.variance}) *t = t->detach().clone();
    return other;
  }
};

Tensor ours(const Tensor& x, const Norm& n) {
  return ops::row_norm(x, n.weight, n.bias, n.mean, n.variance, momentum, epsilon);
}
Tensor theirs(const Tensor& x, const Norm& n) {
  return torch::batch_norm(x, n.weight, n.bias, n.mean, n.variance, true, momentum, epsilon, true);
}

TEST(RowNorm, IsTorchsBatchNormWithItsGradientsAndRunningStatistics) {
  torch::manual_seed(3);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const double close = type == torch::kFloat32 ? 1e-4 : 1e-11;
    for (const auto& [rows, channels] : {std::pair{2, 1}, {3, 7}, {5000, 1}, {700, 33}, {20, 9000}}) {
      const Norm a(channels, type);
      const Norm b = a.copy();
      const Tensor strided = torch::randn({channels, rows}, type).t() * 3 + 5,
                   g = torch::randn({rows, channels}, type);
      const auto of = [&](const auto& norm, const Norm& n) {
        const Tensor x = strided.detach().clone().requires_grad_();
        n.weight.requires_grad_(), n.bias.requires_grad_();
        const Tensor y = norm(x, n);
        Tensors all = torch::autograd::grad({y}, {x, n.weight, n.bias}, {g});
        all.insert(all.end(), {y, n.mean, n.variance});
        return all;
      };
      const Tensors found = of(ours, a), expected = of(theirs, b);
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(torch::allclose(found[i], expected[i], close, 10 * close))
            << i << " of " << rows << ", " << channels;
    }
  }
}

TEST(RowNorm, GradientsAgreeWithDifferencesToSecondOrder) {
  torch::manual_seed(4);
  const Tensors inputs{torch::randn({5, 3}, torch::kFloat64), torch::randn({3}, torch::kFloat64),
                       torch::randn({3}, torch::kFloat64)};
  const TensorFunction function = [](const Tensors& in) {
    const Tensor mean = torch::zeros({3}, torch::kFloat64), variance = torch::ones({3}, torch::kFloat64);
    return ops::row_norm(in[0], in[1], in[2], mean, variance, momentum, epsilon).square();
  };
  expect_gradients(function, inputs, {.step = 1e-6, .tolerance = 1e-6});
  expect_second_gradients(function, inputs, {.step = 1e-5, .tolerance = 1e-5});
}

TEST(RowNorm, GivesTheSameBitsForAnyNumberOfThreads) {
  torch::manual_seed(5);
  const int before = at::get_num_threads();
  for (const std::int64_t channels : {1, 32}) {
    const Norm norm(channels, torch::kFloat32);
    const Tensor x = torch::randn({50'001, channels}).requires_grad_(), g = torch::randn({50'001, channels});
    Tensors first;
    for (const int threads : {1, 2, 3, 16}) {
      at::set_num_threads(threads);
      const Norm n = norm.copy();
      n.weight.requires_grad_(), n.bias.requires_grad_();
      const Tensor y = ours(x, n);
      Tensors all = torch::autograd::grad({y}, {x, n.weight, n.bias}, {g});
      all.insert(all.end(), {y, n.mean, n.variance});
      if (first.empty()) first = all;
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_TRUE(torch::equal(all[i], first[i])) << i << " of " << channels;
    }
    at::set_num_threads(before);
  }
}

TEST(RowNorm, GivesWhatIsAskedForAlone) {
  torch::manual_seed(8);
  Norm norm(3, torch::kFloat64);
  norm.weight.requires_grad_();
  const Tensor x = torch::randn({9, 3}, torch::kFloat64), y = ours(x, norm);
  const Tensor found = torch::autograd::grad({y.square().sum()}, {norm.weight})[0];
  const Tensor expected = torch::autograd::grad({theirs(x, norm).square().sum()}, {norm.weight})[0];
  EXPECT_TRUE(torch::allclose(found, expected, 1e-12, 1e-13));
  const c10::InferenceMode inference;
  EXPECT_TRUE(torch::allclose(ours(x, norm), y.detach(), 1e-12, 1e-13));
}

TEST(ColumnSums, HaveTheSameBitsForAnyNumberOfThreads) {
  torch::manual_seed(7);
  const int before = at::get_num_threads();
  for (const std::int64_t columns : {1, 36, 69}) {  // where torch's differ
    const Tensor g = torch::randn({2, 50'001, columns});
    Tensor first;
    for (const int threads : {1, 2, 3, 16}) {
      at::set_num_threads(threads);
      const Tensor sums = ops::column_sums(g);
      if (!first.defined()) first = sums;
      EXPECT_TRUE(torch::equal(sums, first)) << columns;
    }
    at::set_num_threads(before);
    EXPECT_TRUE(torch::allclose(first, g.to(torch::kFloat64).sum({0, 1}).to(torch::kFloat32), 1e-6, 1e-6));
  }
  EXPECT_EQ(ops::column_sums(torch::randn({0, 3})).abs().sum().item<float>(), 0);
}

// A mean of many spreads: sums of squares less the square of a sum would have nothing left.
TEST(RowNorm, KeepsASmallSpreadAroundALargeMean) {
  torch::manual_seed(6);
  const Norm norm(2, torch::kFloat32);
  const Tensor x = torch::randn({300, 2}) + 10'000;
  const Tensor exact = theirs(x.to(torch::kFloat64), [&] {
    Norm wide = norm.copy();
    for (Tensor* t : {&wide.weight, &wide.bias, &wide.mean, &wide.variance}) *t = t->to(torch::kFloat64);
    return wide;
  }());
  EXPECT_LT((ours(x, norm) - exact).abs().max().item<double>(), 1e-6);
}

TEST(RowNorm, RefusesASingleRowAndOtherWidths) {
  const Norm norm(3, torch::kFloat32);
  expect_error(Fault::argument, {"two rows", "[1, 3]"}, [&] { ours(torch::randn({1, 3}), norm); });
  expect_error(Fault::argument, {"running statistics", "[4]", "[3]"}, [&] {
    ours(torch::randn({2, 4}), norm);
  });
}

}  // namespace
}  // namespace gsan
