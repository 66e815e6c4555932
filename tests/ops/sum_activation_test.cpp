#include "gsan/ops/sum_activation.h"

#include <limits>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "gsan/core/check.h"

#include "ops/elsewhere.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

using torch::Tensor;

const std::vector<std::string> names = {"identity", "relu", "leaky_relu", "elu", "gelu", "tanh", "sigmoid"};

Tensor activated(const std::string& name, const Tensor& x) {
  if (name == "relu") return torch::relu(x);
  if (name == "leaky_relu") return torch::leaky_relu(x, 0.01);
  if (name == "elu") return torch::elu(x);
  if (name == "gelu") return torch::gelu(x);
  if (name == "tanh") return torch::tanh(x);
  if (name == "sigmoid") return torch::sigmoid(x);
  return x;
}

Tensor reference(const std::vector<Tensor>& terms, const Tensor& bias, const std::string& name) {
  Tensor sum = terms[0];
  for (std::size_t t = 1; t < terms.size(); ++t) sum = sum + terms[t];
  return activated(name, bias.defined() ? sum + bias : sum);
}

struct SumActivation : testing::Test {
  void SetUp() override { torch::manual_seed(5); }
  void TearDown() override { at::set_num_threads(threads); }
  int threads = at::get_num_threads();
};

TEST_F(SumActivation, EqualsTorchForEveryActivationAndShape) {
  for (const auto& name : names) {
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      for (const int count : {1, 5}) {
        for (const auto& sizes : std::vector<std::vector<std::int64_t>>{
                 {1, 1}, {7, 3}, {300, 32}, {3, 5, 9}, {2, 3, 40, 33}, {2, 9000}, {0, 4}, {4, 0}}) {
          std::vector<Tensor> terms;
          for (int t = 0; t < count; ++t) terms.push_back(torch::randn(sizes, type));
          for (const Tensor& bias : {torch::randn({sizes.back()}, type), Tensor()}) {
            const Tensor y = ops::sum_activation(terms, bias, name), expected = reference(terms, bias, name);
            ASSERT_EQ(y.sizes(), expected.sizes());
            EXPECT_FALSE(y.is_same(terms[0]));
            EXPECT_TRUE(torch::allclose(y, expected, type == torch::kFloat32 ? 1e-6 : 1e-14, 1e-7)) << name;
          }
        }
      }
    }
  }
}

TEST_F(SumActivation, TakesTapsAndAnyStrides) {
  const Tensor products = torch::randn({2, 50, 3, 8}), bias = torch::randn({8});
  std::vector<Tensor> terms = products.unbind(-2);
  terms.push_back(torch::randn({8, 50, 2}).permute({2, 1, 0}));
  terms.push_back(torch::randn({50, 1}).expand({2, 50, 8}));
  EXPECT_TRUE(
      torch::allclose(ops::sum_activation(terms, bias, "relu"), reference(terms, bias, "relu"), 1e-6, 1e-6));
}

TEST_F(SumActivation, GradientsAreThoseOfTorch) {
  for (const auto& name : names) {
    for (const auto& sizes : std::vector<std::vector<std::int64_t>>{{700, 32}, {2, 3, 40, 33}, {0, 4}}) {
      std::vector<Tensor> ours, theirs;
      for (int t = 0; t < 3; ++t) {
        ours.push_back(torch::randn(sizes, torch::kFloat64).requires_grad_(t != 1));
        theirs.push_back(ours.back().detach().clone().requires_grad_(t != 1));
      }
      Tensor bias = torch::randn({sizes.back()}, torch::kFloat64), their_bias = bias.clone();
      bias.requires_grad_(), their_bias.requires_grad_();
      const Tensor g = torch::randn(sizes, torch::kFloat64);
      ops::sum_activation(ours, bias, name).mul(g).sum().backward();
      reference(theirs, their_bias, name).mul(g).sum().backward();
      EXPECT_TRUE(torch::allclose(ours[0].grad(), theirs[0].grad(), 1e-12, 1e-14)) << name;
      EXPECT_TRUE(torch::allclose(ours[2].grad(), theirs[2].grad(), 1e-12, 1e-14)) << name;
      EXPECT_FALSE(ours[1].grad().defined());
      EXPECT_TRUE(torch::allclose(bias.grad(), their_bias.grad(), 1e-11, 1e-12)) << name;
    }
  }
}

TEST_F(SumActivation, GradientsAgreeWithDifferencesToSecondOrder) {
  for (const auto& name : names) {
    const TensorFunction function = [&](const Tensors& in) {
      return ops::sum_activation({in[0], in[1].square()}, in[2], name).square();
    };
    const Tensors inputs{torch::randn({3, 2}, torch::kFloat64), torch::randn({3, 2}, torch::kFloat64),
                         torch::randn({2}, torch::kFloat64)};
    expect_gradients(function, inputs, {.step = 1e-6, .tolerance = 1e-6});
    expect_second_gradients(function, inputs, {.step = 1e-5, .tolerance = 1e-5});
  }
}

TEST_F(SumActivation, EveryTermGetsTheSameTensor) {
  const Tensor a = torch::randn({4, 3}).requires_grad_(), b = torch::randn({4, 3}).requires_grad_();
  for (const std::string name : {"relu", "identity"}) {
    const Tensor y = ops::sum_activation({a, b}, {}, name);
    const auto g = torch::autograd::grad({y}, {a, b}, {torch::ones_like(y)});
    EXPECT_EQ(g[0].const_data_ptr(), g[1].const_data_ptr()) << name;
  }
}

// More numbers than caches hold, so that results are written past them.
TEST_F(SumActivation, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const auto& [rows, channels] : {std::pair<std::int64_t, std::int64_t>{140000, 32}, {20001, 7}}) {
    const Tensor a = torch::randn({rows, channels}), b = torch::randn({rows, channels}),
                 g = torch::randn_like(a);
    const Tensor bias = torch::randn({channels});
    for (const std::string name : {"relu", "tanh", "gelu"}) {
      at::set_num_threads(1);
      const Tensor y = ops::sum_activation({a, b}, bias, name);
      const auto [slope, sums] = ops::sum_activation_backward(g, y, name, true);
      EXPECT_TRUE(torch::allclose(y, reference({a, b}, bias, name), 1e-6, 1e-6));
      EXPECT_TRUE(torch::allclose(sums, slope.to(torch::kFloat64).sum(0).to(torch::kFloat32), 1e-4, 1e-2));
      for (const int count : {2, 3}) {
        at::set_num_threads(count);
        EXPECT_TRUE(torch::equal(ops::sum_activation({a, b}, bias, name), y));
        const auto [again, sums_again] = ops::sum_activation_backward(g, y, name, true);
        EXPECT_TRUE(torch::equal(again, slope));
        EXPECT_TRUE(torch::equal(sums_again, sums));
      }
    }
  }
}

// Lengths that leave rests behind whole vectors, in every thread's share and in every block.
TEST_F(SumActivation, OfOneTermHasTheSameBitsForAnyNumberOfThreads) {
  for (const auto& name : names) {
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{750'005}, {4, 20'001, 7}, {100, 32}, {3, 100'001}}) {
      const Tensor x = torch::randn(sizes).requires_grad_(), g = torch::randn(sizes);
      Tensor y, slope;
      for (const int count : {1, 2, 3, 16}) {
        at::set_num_threads(count);
        const Tensor again = ops::activation(x, name);
        const Tensor slope_again = torch::autograd::grad({again}, {x}, {g})[0];
        if (!y.defined()) y = again, slope = slope_again;
        EXPECT_TRUE(torch::equal(again, y)) << name;
        EXPECT_TRUE(torch::equal(slope_again, slope)) << name;
      }
      at::set_num_threads(1);
      EXPECT_TRUE(torch::allclose(y, reference({x}, {}, name), 1e-6, 1e-6)) << name;
    }
  }
}

// A thread that torch starts inside a kernel would compute with flushed numbers from then on.
TEST_F(SumActivation, LeavesOtherThreadsTheirSmallNumbers) {
  at::set_num_threads(24);  // more than were ever started here
  for (const auto& name : names) {
    const Tensor x = torch::randn({100, 32}).requires_grad_();
    torch::autograd::grad({ops::sum_activation({x}, {}, name).sum()}, {x});
  }
  const Tensor small = torch::full({200'000}, 1e-40) * 1.0;
  EXPECT_EQ((small == 0).sum().item<std::int64_t>(), 0);
}

TEST_F(SumActivation, NanPassesThrough) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& name : names) {
    const Tensor x = torch::tensor({{1.0F, nan}}).requires_grad_();
    const Tensor y = ops::sum_activation({x}, {}, name);
    EXPECT_TRUE(y[0][1].isnan().item<bool>()) << name;
    EXPECT_FALSE(y[0][0].isnan().item<bool>()) << name;
  }
}

TEST_F(SumActivation, RunsInInferenceModeAndRecordsOnlyWhenAsked) {
  const Tensor a = torch::randn({100000, 8});
  const Tensor leaf = torch::randn({8}).requires_grad_();
  EXPECT_FALSE(ops::sum_activation({a, a}, {}, "relu").requires_grad());
  EXPECT_TRUE(ops::sum_activation({a, a}, leaf, "gelu").requires_grad());
  const c10::InferenceMode inference;
  for (const auto& name : names)
    EXPECT_FALSE(ops::sum_activation({a, a}, leaf, name).requires_grad()) << name;
}

TEST_F(SumActivation, MetaTensorsGiveShapesAndOtherDevicesComputeTheSame) {
  using Forward = Tensor(at::TensorList, const std::optional<Tensor>&, std::string_view);
  using Backward = std::tuple<Tensor, Tensor>(const Tensor&, const Tensor&, std::string_view, bool);
  const Tensor a = torch::randn({2, 5, 3}, torch::kFloat64), bias = torch::randn({3}, torch::kFloat64);
  const Tensor m = a.to(torch::kMeta);
  EXPECT_EQ(ops::sum_activation({m, m}, bias.to(torch::kMeta), "relu").sizes(), a.sizes());
  EXPECT_EQ(std::get<1>(ops::sum_activation_backward(m, m, "relu", true)).sizes(), bias.sizes());
  const std::vector<Tensor> terms{a, a.sin()};
  for (const auto& name : names) {
    const Tensor y = ops::sum_activation(terms, bias, name);
    EXPECT_TRUE(
        torch::allclose(elsewhere<Forward>("gsan::sum_activation", terms, bias, name), y, 1e-13, 1e-14));
    const auto [slope, sums] = ops::sum_activation_backward(a, y, name, true);
    const auto [s, c] = elsewhere<Backward>("gsan::sum_activation_backward", a, y, name, true);
    EXPECT_TRUE(torch::allclose(s, slope, 1e-13, 1e-14)) << name;
    EXPECT_TRUE(torch::allclose(c, sums, 1e-13, 1e-14)) << name;
  }
}

TEST_F(SumActivation, RefusesWhatHasNoMeaning) {
  const Tensor a = torch::ones({4, 3});
  const auto refused = [](const std::vector<Tensor>& terms, const Tensor& bias, const char* name,
                          std::initializer_list<std::string> words) {
    expect_error(Fault::argument, words, [&] { ops::sum_activation(terms, bias, name); });
  };
  refused({}, {}, "relu", {"at least one term"});
  refused({a, a.t()}, {}, "relu", {"[4, 3]", "[3, 4]"});
  refused({a, a.to(torch::kFloat64)}, {}, "relu", {"Float", "Double"});
  refused({a}, torch::ones({4}), "relu", {"bias", "[3]", "[4]"});
  refused({a}, {}, "swish", {"leaky_relu", "swish"});
  refused({a[0]}, {}, "relu", {"[..., simplices, channels]"});
}

}  // namespace
}  // namespace gsan
