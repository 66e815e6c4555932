#include "gsan/ops/own_term.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

using torch::Tensor;

struct OwnTerm : testing::Test {
  void SetUp() override { torch::manual_seed(11); }
  void TearDown() override { at::set_num_threads(threads); }
  int threads = at::get_num_threads();
};

TEST_F(OwnTerm, IsTheProductAndAgreesWithDifferencesToSecondOrder) {
  const Tensor x = torch::randn({2, 3, 4}, torch::kFloat64), epsilon = torch::randn({1}, torch::kFloat64);
  EXPECT_TRUE(torch::equal(ops::own_term(epsilon, x), (1 + epsilon) * x));
  const TensorFunction function = [](const Tensors& in) { return ops::own_term(in[0], in[1]).square(); };
  expect_gradients(function, {epsilon, x}, {.step = 1e-6, .tolerance = 1e-6});
  expect_second_gradients(function, {epsilon, x}, {.step = 1e-5, .tolerance = 1e-5});
}

TEST_F(OwnTerm, GradientOfTheNumberHasTheSameBitsForAnyNumberOfThreads) {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{140'000, 1}, {30'011, 37}}) {
    const Tensor x = torch::randn({rows, columns}), g = torch::randn_like(x),
                 epsilon = torch::tensor({0.3F}).requires_grad_();
    Tensor first;
    for (const int count : {1, 2, 3, 16}) {
      at::set_num_threads(count);
      const Tensor of_epsilon = torch::autograd::grad({ops::own_term(epsilon, x)}, {epsilon}, {g})[0];
      EXPECT_TRUE(torch::allclose(of_epsilon.to(torch::kFloat64),
                                  (g.to(torch::kFloat64) * x.to(torch::kFloat64)).sum(), 1e-4, 1e-2));
      if (!first.defined()) first = of_epsilon;
      EXPECT_TRUE(torch::equal(of_epsilon, first)) << columns << " columns, " << count << " threads";
    }
  }
}

TEST_F(OwnTerm, RefusesOtherSizes) {
  expect_error(Fault::argument, {"epsilon must be [1], got [2]"}, [] {
    ops::own_term(torch::ones({2}), torch::ones({3, 2}));
  });
  expect_error(Fault::argument, {"x must be [..., rows, columns], got [3]"},
               [] { ops::own_term(torch::ones({1}), torch::ones({3})); });
}

}  // namespace
}  // namespace gsan
