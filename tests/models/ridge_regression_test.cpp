#include "gsan/models/ridge_regression.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/hodge/solve/random_signal.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

// Σ (y − z·w − b)² + λ ‖w‖² by its gradient, with z the standardised features.
TEST(RidgeRegression, IsTheMinimumOfItsObjectiveForTallAndWideTables) {
  for (const auto& [n, features] : {std::pair{30, 4}, std::pair{5, 12}}) {
    const Tensor x = random_signal(n, features, "x", torch::kFloat64) * 7 + 3,
                 y = random_signal(n, 1, "y", torch::kFloat64).squeeze(1) * 100;
    for (const double penalty : {0.1, 5.0}) {
      const RidgeRegression model(x, y, penalty);
      const Tensor z = (x - x.mean(0)) / (x - x.mean(0)).square().mean(0).sqrt();
      const Tensor rest = y - model.values(x);
      EXPECT_LE((z.t().mv(rest) - penalty * model.weight()).abs().max().item<double>(), 1e-8);
      EXPECT_NEAR(rest.sum().item<double>(), 0, 1e-8);
    }
  }
}

TEST(RidgeRegression, FindsALineAndIgnoresConstants) {
  const Tensor x = torch::arange(50, torch::kFloat64).unsqueeze(1);
  const Tensor with_constant = torch::cat({x, torch::full_like(x, 9)}, 1);
  const RidgeRegression model(with_constant, 3 * x.squeeze(1) + 1, 1e-9);
  EXPECT_NEAR(model.values(torch::tensor({{100., 9.}}, torch::kFloat64)).item<double>(), 301, 1e-6);
  EXPECT_NEAR(model.weight()[1].item<double>(), 0, 1e-9);
  const RidgeRegression of_one(torch::ones({1, 2}), torch::full({1}, 5.0));
  EXPECT_EQ(of_one.values(torch::zeros({2, 2})).mean().item<double>(), 5);
}

TEST(RidgeRegression, RefusesWhatItCannotFit) {
  expect_error(Fault::argument, {"RidgeRegression", "[n, F]"}, [] {
    RidgeRegression(torch::ones({2, 2}), torch::ones({3}));
  });
  expect_error(Fault::argument, {"finite"}, [] {
    RidgeRegression(torch::full({2, 1}, NAN), torch::ones({2}));
  });
  expect_error(Fault::argument, {"penalty"}, [] {
    RidgeRegression(torch::ones({2, 1}), torch::ones({2}), 0);
  });
}

}  // namespace
}  // namespace gsan
