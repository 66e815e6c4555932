// One small call of every kernel that meets in shared memory or across blocks: short enough for
// compute-sanitizer.

#include <gtest/gtest.h>

#include <torch/cuda.h>

#include "gsan/ops/narrow_products.h"
#include "gsan/ops/pairs.h"
#include "gsan/ops/segments.h"
#include "gsan/ops/sum_activation.h"

#include "ops/attention_forms.h"
#include "ops/attention_reference.h"

namespace gsan {
namespace {

using torch::Tensor;

Tensor random(std::vector<std::int64_t> sizes) { return torch::randn(sizes, torch::kCUDA); }

void attend(ops::AttentionOperands o) {
  for (Tensor* x : {&o.taps, &o.receiver, &o.source}) *x = x->to(torch::kCUDA);
  for (Tensor& table : o.structure) table = table.to(torch::kCUDA);
  const Tensors kept = ops::attention_powers(o, true);
  const Tensors gradients = ops::attention_powers_backward(kept[0], o, kept);
  for (const Tensor& gradient : gradients) EXPECT_TRUE(gradient.isfinite().all().item<bool>());
}

TEST(CudaSmall, RunsEveryKernelThatShares) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "there is no GPU here";
  torch::manual_seed(3);
  const PairTables list = hub_pairs(5000, 2, 13, 1);  // more than 2^17 pairs, and rows for whole blocks
  ASSERT_GE(list.count(), std::int64_t{1} << 17);
  attend(pair_problem(list, {1, 8, 1, 1}, false, false).operands);
  const AttentionForms forms = clique_forms(2, 3);
  ops::AttentionOperands stars = random_operands(forms.simplices, {1, 8, 1, 1});
  stars.structure = forms.stars.structure;
  attend(stars);

  const auto table = [](const Tensor& x) { return x.to(torch::kCUDA); };
  const Tensor offsets = table(list.offsets), sources = table(list.sources), mirror = table(list.mirror);
  const Tensor side = random({5000, 1, 8}).requires_grad_(), v = random({1, 8}).requires_grad_();
  const Tensor scores = ops::gatv2_scores(side, side.detach(), v, offsets, sources, mirror, 0.2);
  ops::weighted_gather(ops::segment_softmax(scores, offsets), side, offsets, sources, mirror)
      .sum()
      .backward();
  EXPECT_TRUE(side.grad().isfinite().all().item<bool>());

  const Tensor x = random({3000, 24}), y = random({3000, 4});
  EXPECT_TRUE(ops::narrow_product(x, random({24, 4})).isfinite().all().item<bool>());
  EXPECT_TRUE(ops::narrow_gram(x, y).isfinite().all().item<bool>());
  EXPECT_TRUE(ops::tall_gram(x, x).isfinite().all().item<bool>());
  const Tensor parts = table(torch::tensor({0, 1200, 1200, 2900}, torch::kInt64));
  EXPECT_TRUE(ops::segment_sum(x, parts).isfinite().all().item<bool>());
  EXPECT_TRUE(ops::segment_softmax(x, parts).isfinite().all().item<bool>());
  EXPECT_TRUE((ops::segment_argmax(x, parts) < 3000).all().item<bool>());
  const auto [of_terms, of_bias] = ops::sum_activation_backward(x, x, "relu", true);
  EXPECT_TRUE(of_bias.isfinite().all().item<bool>());
}

}  // namespace
}  // namespace gsan
