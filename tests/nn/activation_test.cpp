#include "gsan/nn/activation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

double formula(Activation activation, double x) {
  switch (activation) {
    case Activation::identity:
      return x;
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::leaky_relu:
      return x > 0 ? x : 0.01 * x;
    case Activation::elu:
      return x > 0 ? x : std::expm1(x);
    case Activation::gelu:
      return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
    case Activation::tanh:
      return std::tanh(x);
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
  }
  return NAN;
}

TEST(Activation, IsItsFormulaEntryByEntry) {
  const Tensor x = torch::linspace(-3, 3, 25, torch::kFloat64);
  for (const auto& [activation, name] : EnumNames<Activation>::names) {
    const Tensor y = activate(activation, x);
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      EXPECT_NEAR(y[i].item<double>(), formula(activation, x[i].item<double>()), 1e-14) << name;
    }
  }
}

TEST(Activation, OddMeansOdd) {
  const Tensor x = torch::linspace(-3, 3, 25, torch::kFloat64);
  for (const auto& [activation, name] : EnumNames<Activation>::names) {
    const bool is_equal =
        (activate(activation, -x) + activate(activation, x)).abs().max().item<double>() < 1e-14;
    EXPECT_EQ(is_odd(activation), is_equal) << name;
  }
}

TEST(Activation, NamesReadBack) {
  for (const auto& [activation, name] : EnumNames<Activation>::names)
    EXPECT_EQ(parse_enum<Activation>(name, "activation"), activation);
  expect_error(Fault::argument, {"activation", "relu", "tanh", "'rleu'"},
               [] { parse_enum<Activation>("rleu", "activation"); });
}

TEST(Activation, GradientsAwayFromTheKink) {
  const Tensor x = torch::tensor({-2.0, -0.5, 0.25, 1.5}, torch::kFloat64);
  for (const auto& entry : EnumNames<Activation>::names)
    expect_gradients([&](const Tensors& in) { return activate(entry.first, in[0]); }, {x});
}

}  // namespace
}  // namespace gsan
