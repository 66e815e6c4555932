#include "gsan/models/harmonic_mean.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

const Tensor values = torch::tensor({1.0, 2.0, 4.0, 0.0, 3.0}, torch::kFloat64).view({5, 1});

Tensor tuples_of(std::vector<std::int64_t> entries, std::int64_t size) {
  return torch::tensor(entries, torch::kInt64).view({-1, size});
}

TEST(HarmonicMean, IsTheFormula) {
  const Tensor y = harmonic_mean(values, tuples_of({0, 1, 2, 1, 1, 1, 0, 3, 4}, 3));
  ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{3, 1}));
  EXPECT_NEAR(y[0].item<double>(), 3 / (1 + 0.5 + 0.25), 1e-15);
  EXPECT_NEAR(y[1].item<double>(), 2, 1e-15);
  EXPECT_EQ(y[2].item<double>(), 0);
}

TEST(HarmonicMean, TakesFeaturesAndLeadingDimensions) {
  const Tensor x = (torch::arange(24, torch::kFloat64) + 1).view({2, 4, 3});
  const Tensor tuples = tuples_of({0, 1, 2, 3}, 2);
  const Tensor y = harmonic_mean(x, tuples);
  ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{2, 2, 3}));
  const double a = x[1][2][1].item<double>(), b = x[1][3][1].item<double>();
  EXPECT_NEAR(y[1][1][1].item<double>(), 2 * a * b / (a + b), 1e-12);
  EXPECT_EQ(harmonic_mean(x, tuples_of({}, 2)).size(1), 0);
}

TEST(HarmonicMean, GradientsAreFiniteAtZero) {
  expect_gradients(
      [](const Tensors& x) {
        return harmonic_mean(x[0], tuples_of({0, 1, 2, 4}, 2));
      },
      {values});
  const Tensor x = values.clone().requires_grad_();
  harmonic_mean(x, tuples_of({0, 3}, 2)).sum().backward();
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST(HarmonicMean, RefusesNegativeFeaturesAndWrongRows) {
  expect_error(Fault::argument, {"negative"}, [] { harmonic_mean(-values, tuples_of({0, 1}, 2)); });
  expect_error(Fault::argument, {"entry 1 of tuple 0 is 5", "5 rows"}, [] {
    harmonic_mean(values, tuples_of({0, 5}, 2));
  });
  expect_error(Fault::argument, {"at least one"}, [] {
    harmonic_mean(values, torch::zeros({2, 0}, torch::kInt64));
  });
  expect_error(Fault::argument, {"float type"}, [] {
    harmonic_mean(values.to(torch::kInt64), tuples_of({0, 1}, 2));
  });
}

}  // namespace
}  // namespace gsan
