#include "gsan/ops/column_scale.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

using torch::Tensor;

struct ColumnScale : testing::Test {
  void SetUp() override { torch::manual_seed(11); }
  void TearDown() override { at::set_num_threads(threads); }
  int threads = at::get_num_threads();
};

TEST_F(ColumnScale, IsTheProductAndAgreesWithDifferencesToSecondOrder) {
  const Tensor x = torch::randn({2, 3, 4}, torch::kFloat64), weight = torch::randn({4}, torch::kFloat64),
               bias = torch::randn({4}, torch::kFloat64);
  EXPECT_TRUE(torch::equal(ops::column_scale(x, weight), x * weight));
  EXPECT_TRUE(torch::equal(ops::column_scale(x, weight, bias), x * weight + bias));
  const TensorFunction function = [](const Tensors& in) {
    return ops::column_scale(in[0], in[1], in[2]).square() + ops::column_scale(in[0], in[1]).pow(3);
  };
  expect_gradients(function, {x, weight, bias}, {.step = 1e-6, .tolerance = 1e-6});
  expect_second_gradients(function, {x, weight, bias}, {.step = 1e-5, .tolerance = 1e-5});
}

TEST_F(ColumnScale, GradientsOfTheNumbersHaveTheSameBitsForAnyNumberOfThreads) {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{140'000, 1}, {30'011, 37}}) {
    const Tensor x = torch::randn({rows, columns}), g = torch::randn_like(x),
                 weight = torch::randn({columns}).requires_grad_(),
                 bias = torch::randn({columns}).requires_grad_();
    torch::autograd::variable_list first;
    for (const int count : {1, 2, 3, 16}) {
      at::set_num_threads(count);
      const auto made = torch::autograd::grad({ops::column_scale(x, weight, bias)}, {weight, bias}, {g});
      if (first.empty()) first = made;
      for (const int i : {0, 1})
        EXPECT_TRUE(torch::equal(made[i], first[i])) << columns << " columns, " << count << " threads";
    }
    const Tensor exact = (g.to(torch::kFloat64) * x.to(torch::kFloat64)).sum(0);
    EXPECT_TRUE(torch::allclose(first[0].to(torch::kFloat64), exact, 1e-4, 1e-2));
  }
}

TEST_F(ColumnScale, RefusesOtherSizes) {
  expect_error(Fault::argument, {"weight and bias must be [2], got [3]"}, [] {
    ops::column_scale(torch::ones({3, 2}), torch::ones({3}));
  });
  expect_error(Fault::argument, {"weight and bias must be [2], got [1]"}, [] {
    ops::column_scale(torch::ones({3, 2}), torch::ones({2}), torch::ones({1}));
  });
  expect_error(Fault::argument, {"x must be [..., rows, columns], got [3]"},
               [] { ops::column_scale(torch::ones({3}), torch::ones({3})); });
}

}  // namespace
}  // namespace gsan
