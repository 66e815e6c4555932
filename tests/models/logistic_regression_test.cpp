#include "gsan/models/logistic_regression.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/random.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

struct Sample {
  Tensor x, labels;
};

// Classes around centres of their own, overlapping.
Sample clouds(int classes, int items, int features) {
  RandomStream stream(5, "clouds");
  Tensor x = torch::empty({items, features}, torch::kFloat64);
  Tensor labels = torch::empty({items}, torch::kInt64);
  for (int i = 0; i < items; ++i) {
    labels[i] = i % classes;
    for (int f = 0; f < features; ++f) x[i][f] = stream.normal() + (f == i % classes ? 1.5 : 0);
  }
  return {x, labels};
}

// The gradient of ½ ‖W‖² + C Σ loss, [W; 0] − C Σ_i [x_i; 1] (y_i − p_i), against the one at the start.
void expect_optimal(const LogisticRegression& model, const Sample& sample, int classes, double C) {
  const Tensor p = model.logits(sample.x).softmax(1);
  const Tensor rest = torch::one_hot(sample.labels, classes).to(torch::kFloat64) - p;
  const auto side = [&](const Tensor& t) { return classes == 2 ? t.slice(1, 1, 2) : t; };
  const Tensor x = torch::cat({sample.x, torch::ones({sample.x.size(0), 1}, torch::kFloat64)}, 1);
  const Tensor penalty =
      torch::cat({model.weight(), torch::zeros({1, model.weight().size(1)}, torch::kFloat64)});
  const Tensor gradient = penalty - C * x.t().mm(side(rest));
  const Tensor one_hot = torch::one_hot(sample.labels, classes).to(torch::kFloat64);
  const Tensor first = C * x.t().mm(side(one_hot - 1.0 / classes));  // at W = 0
  EXPECT_LE(gradient.norm().item<double>(),
            1.1 * LogisticRegressionOptions{}.tolerance * first.norm().item<double>());
}

TEST(LogisticRegression, TheGradientVanishesAtTheOptimum) {
  for (const int classes : {2, 3, 5}) {
    for (const double C : {0.1, 1.0, 100.0}) {
      const Sample sample = clouds(classes, 120, 6);
      expect_optimal(LogisticRegression(sample.x, sample.labels, classes, {.C = C}), sample, classes, C);
    }
  }
}

TEST(LogisticRegression, MoreFeaturesThanItems) {
  const Sample sample = clouds(2, 20, 60);
  const LogisticRegression model(sample.x, sample.labels, 2, {.C = 10});
  expect_optimal(model, sample, 2, 10);
  EXPECT_TRUE(model.logits(sample.x).argmax(1).equal(sample.labels));  // separable
}

TEST(LogisticRegression, WithoutInformationItSaysTheSharesOfTheClasses) {
  const Tensor x = torch::zeros({10, 3}, torch::kFloat64);
  const Tensor labels = torch::tensor({0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, torch::kInt64);
  const LogisticRegression model(x, labels, 2);
  EXPECT_NEAR(model.logits(x).softmax(1)[0][1].item<double>(), 0.3, 1e-8);
}

TEST(LogisticRegression, StandardisingForgetsUnits) {
  const Sample sample = clouds(3, 90, 4);
  const Tensor units = torch::tensor({1e-3, 1.0, 50.0, 1e4}, torch::kFloat64);
  const LogisticRegression a(sample.x, sample.labels, 3, {.standardize = true}),
      b(sample.x * units + 7, sample.labels, 3, {.standardize = true});
  EXPECT_TRUE(a.logits(sample.x).allclose(b.logits(sample.x * units + 7), 1e-6, 1e-6));
}

TEST(LogisticRegression, RefusesWhatItCannotFit) {
  const Sample sample = clouds(2, 10, 2);
  expect_error(Fault::argument, {"labels", "0 ... 1"},
               [&] { LogisticRegression(sample.x, sample.labels + 1, 2); });
  expect_error(Fault::argument, {"finite"}, [&] { LogisticRegression(sample.x / 0, sample.labels, 2); });
  expect_error(Fault::argument, {"C must be positive"},
               [&] { LogisticRegression(sample.x, sample.labels, 2, {.C = 0}); });
}

}  // namespace
}  // namespace gsan
