#include "gsan/nn/norm.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include "gsan/nn/input_scaler.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

Tensor numbers(at::IntArrayRef sizes, std::uint64_t seed = 1) {
  torch::manual_seed(seed);
  return torch::randn(sizes, torch::kFloat64);
}

TEST(Norm, HasMeanZeroAndSpreadOneOrKeepsTheSign) {
  const Tensor x = 5 + 3 * numbers({2, 7, 16});
  Norm layer(NormKind::layer, 16), rms(NormKind::rms, 16);
  layer->to(torch::kFloat64), rms->to(torch::kFloat64);
  const Tensor y = layer->forward(x);
  EXPECT_LE(y.mean(-1).abs().max().item<double>(), 1e-12);
  EXPECT_LE((y.square().mean(-1) - 1).abs().max().item<double>(), 1e-4);
  EXPECT_LE((rms->forward(x).square().mean(-1) - 1).abs().max().item<double>(), 1e-4);
  EXPECT_TRUE(torch::equal(rms->forward(-x), -rms->forward(x)));
  EXPECT_EQ(layer->parameters().size(), 2u);
  EXPECT_EQ(rms->parameters().size(), 1u);
}

TEST(Norm, GradientsHaveTheSameBitsForAnyNumberOfThreads) {
  const int threads = at::get_num_threads();
  for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
    for (const auto& [rows, channels] : {std::pair{300, 8}, {20'011, 37}}) {
      torch::manual_seed(4);
      Norm norm(kind, channels);
      const Tensor x = torch::randn({rows, channels}).requires_grad_(), g = torch::randn({rows, channels});
      std::vector<Tensor> inputs = norm->parameters(), first;
      inputs.push_back(x);
      for (const int count : {1, 2, 3, 16}) {
        at::set_num_threads(count);
        const auto gradients = torch::autograd::grad({norm->forward(x)}, inputs, {g});
        if (first.empty()) first = gradients;
        for (std::size_t i = 0; i < inputs.size(); ++i)
          EXPECT_TRUE(torch::equal(gradients[i], first[i])) << rows << " rows, " << count << " threads";
      }
    }
  }
  at::set_num_threads(threads);
}

// Hands over `all` in two batches.
auto batches(const Cochains& all) {
  return [&](const std::function<void(const Cochains&)>& add) {
    for (int half = 0; half < 2; ++half) {
      Cochains part;
      for (const Tensor& x : all)
        part.push_back(x.defined() ? x.slice(0, half ? x.size(0) / 2 : 0, half ? x.size(0) : x.size(0) / 2)
                                   : x);
      add(part);
    }
  };
}

TEST(InputScaler, BringsEachFeatureOfEachOrderToMeanZeroAndSpreadOne) {
  const Cochains x{1e6 + 10 * numbers({2, 9, 2}), Tensor(), numbers({5, 3}, 2) * 1e-3};
  InputScaler scaler(std::vector<int>{2, 0, 3}, true);
  scaler->to(torch::kFloat64);
  EXPECT_TRUE(torch::equal(scaler->forward(x)[0], x[0]));  // before it is fitted
  scaler->fit(batches(x));
  const Cochains y = scaler->forward(x);
  EXPECT_FALSE(y[1].defined());
  for (const int k : {0, 2}) {
    const Tensor rows = y[k].reshape({-1, y[k].size(-1)});
    EXPECT_LE(rows.mean(0).abs().max().item<double>(), 1e-9) << k;
    EXPECT_LE((rows.square().mean(0) - 1).abs().max().item<double>(), 1e-9) << k;
  }
}

TEST(InputScaler, KeepsSignsAndZeroWhereItOnlyScales) {
  const Cochains x{Tensor(), numbers({8, 1}) * 40};
  InputScaler scaler(std::vector<int>{0, 1}, false);
  scaler->to(torch::kFloat64);
  scaler->fit(batches(x));
  const Tensor y = scaler->forward(x)[1];
  EXPECT_NEAR(y.square().mean().item<double>(), 1, 1e-9);
  EXPECT_TRUE(torch::equal(scaler->forward({Tensor(), -x[1]})[1], -y));
  EXPECT_EQ(scaler->buffers().size(), 1u);
}

TEST(InputScaler, AConstantFeatureStaysAsItIsAndWhatIsNotFiniteIsRefused) {
  InputScaler scaler(std::vector<int>{1}, true);
  scaler->to(torch::kFloat64);
  scaler->fit(batches({torch::full({6, 1}, 0.1, torch::kFloat64)}));
  const Tensor y = scaler->forward({torch::full({1, 1}, 2.1, torch::kFloat64)})[0];
  EXPECT_EQ(y.item<double>(), 2.1);
  expect_error(Fault::argument, {"order 0 must have 1 features", "[6, 2]"}, [&] {
    scaler->fit(batches({torch::ones({12, 2}, torch::kFloat64)}));
  });
  expect_error(Fault::numeric, {"standardize", "order 0", "not finite"}, [&] {
    scaler->fit(batches({torch::full({6, 1}, std::nan(""), torch::kFloat64)}));
  });
}

}  // namespace
}  // namespace gsan
