#include "gsan/ops/row_product.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

namespace gsan {
namespace {

using torch::Tensor;

struct Operands {
  Tensor x, weight, bias;
  explicit Operands(const std::vector<std::int64_t>& rows, bool with_bias, std::int64_t columns = 5) {
    std::vector<std::int64_t> sizes(rows.begin(), rows.end());
    sizes.push_back(3);
    const auto type = torch::dtype(torch::kFloat64).requires_grad(true);
    x = torch::randn(sizes, type), weight = torch::randn({3, columns}, type);
    if (with_bias) bias = torch::randn({columns}, type);
  }
  std::vector<Tensor> all() const {
    return bias.defined() ? std::vector{x, weight, bias} : std::vector{x, weight};
  }
};

Tensor torch_product(const Operands& o) {
  const Tensor product = o.x.matmul(o.weight);
  return o.bias.defined() ? product + o.bias : product;
}

// The gradients of Σ sin(y), and those of the sum of their squares.
std::vector<Tensor> gradients(const Operands& o, const Tensor& y) {
  std::vector<Tensor> first = torch::autograd::grad({y.sin().sum()}, o.all(), {}, true, true);
  Tensor norm = torch::zeros({}, torch::kFloat64);
  for (const Tensor& g : first) norm = norm + g.square().sum();
  const std::vector<Tensor> second = torch::autograd::grad({norm}, o.all());
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(RowProduct, IsTorchsProductWithItsFirstAndSecondGradients) {
  torch::manual_seed(1);
  for (const bool with_bias : {false, true}) {
    for (const auto& rows : {std::vector<std::int64_t>{0}, {1}, {7}, {2, 4}, {2, 0, 3}}) {
      const Operands o(rows, with_bias);
      const Tensor y = ops::row_product(o.x, o.weight, o.bias), expected = torch_product(o);
      EXPECT_TRUE(torch::allclose(y, expected, 1e-12, 1e-14));
      const auto found = gradients(o, y), wanted = gradients(o, expected);
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(torch::allclose(found[i], wanted[i], 1e-11, 1e-13)) << i;
      const auto plain =
          torch::autograd::grad({ops::row_product(o.x, o.weight, o.bias).sin().sum()}, o.all());
      for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_TRUE(torch::allclose(plain[i], wanted[i], 1e-11, 1e-13)) << i;
    }
  }
}

TEST(RowProduct, BitsOfGradientsDoNotDependOnTheThreads) {
  torch::manual_seed(2);
  const int before = at::get_num_threads();
  for (const std::int64_t columns : {1, 5}) {  // torch divides the sum of a single column among threads
    const Operands o({150'001}, true, columns);
    const Tensor g = torch::randn({150'001, columns}, torch::kFloat64);
    std::vector<std::vector<Tensor>> found;
    for (const int threads : {1, 2, 3, 16}) {
      at::set_num_threads(threads);
      found.push_back(torch::autograd::grad({ops::row_product(o.x, o.weight, o.bias)}, o.all(), {g}));
    }
    at::set_num_threads(before);
    for (const auto& gradients : found)
      for (std::size_t i = 0; i < gradients.size(); ++i)
        EXPECT_TRUE(torch::equal(gradients[i], found[0][i])) << i << " of " << columns;
  }
}

TEST(RowProduct, OfWhatItGivesMayBeChangedInPlace) {
  for (const auto& rows : {std::vector<std::int64_t>{7}, {2, 4}}) {
    const Operands o(rows, true);
    Tensor y = ops::row_product(o.x, o.weight, o.bias);
    y.sigmoid_();
    const auto found = torch::autograd::grad({y.sum()}, o.all());
    const auto expected = torch::autograd::grad({torch_product(o).sigmoid().sum()}, o.all());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i]));
  }
}

TEST(RowProduct, CarriesTangentsOfForwardMode) {
  const Operands o({7}, true);
  const Tensor tangent = torch::randn({7, 3}, torch::kFloat64), x = o.x.detach().clone();
  const std::uint64_t level = torch::autograd::forward_ad::enter_dual_level();
  x._set_fw_grad(tangent, level, /*is_inplace_op=*/false);
  const Tensor of_y = ops::row_product(x, o.weight, o.bias)._fw_grad(level);
  EXPECT_TRUE(of_y.defined() && torch::allclose(of_y, tangent.matmul(o.weight)));
  torch::autograd::forward_ad::exit_dual_level(level);
}

}  // namespace
}  // namespace gsan
