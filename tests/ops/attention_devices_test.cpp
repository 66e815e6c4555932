// Attention and narrow products on devices without kernels of their own; and that no op is without an
// implementation there.

#include <gtest/gtest.h>

#include <ATen/Context.h>

#include "gsan/core/check.h"
#include "gsan/ops/attention.h"
#include "gsan/ops/tall_products.h"

#include "ops/attention_forms.h"
#include "ops/attention_reference.h"
#include "ops/elsewhere.h"

namespace gsan {
namespace {

using torch::Tensor;
using Optional = std::optional<Tensor>;
using Powers = Tensors(const Tensor&, const Tensor&, const Tensor&, at::TensorList, const Optional&,
                       const Optional&, std::int64_t, double, bool, bool);
using PowersBackward = Tensors(const Tensor&, const Tensor&, const Tensor&, const Tensor&, at::TensorList,
                               const Optional&, const Optional&, std::int64_t, double, bool, at::TensorList);

Tensors powers_elsewhere(const ops::AttentionOperands& o, bool keep) {
  return elsewhere<Powers>("gsan::attention_powers", o.taps, o.receiver, o.source, o.structure, o.mask,
                           o.signs, o.first_power, o.negative_slope, o.sigmoid, keep);
}

AttentionResult result_elsewhere(const ops::AttentionOperands& o) {
  const Tensors kept = powers_elsewhere(o, true);
  return {kept[0], elsewhere<PowersBackward>("gsan::attention_powers_backward", fixed_gradient(kept[0]),
                                             o.taps, o.receiver, o.source, o.structure, o.mask, o.signs,
                                             o.first_power, o.negative_slope, o.sigmoid, kept)};
}

void expect_near(const AttentionResult& actual, const AttentionResult& expected, const std::string& what) {
  EXPECT_LE(attention_error(actual.y, expected.y), 1e-13) << what;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LE(attention_error(actual.gradients[i], expected.gradients[i]), 1e-12)
        << what << ", gradient " << i;
}

TEST(AttentionElsewhere, ComputesTheSameOverPairs) {
  torch::manual_seed(7);
  for (const PairTables& t :
       {random_pairs(1, 0), random_pairs(14, 1), circle_pairs(300, 5), hub_pairs(700, 2, 3, 2)})
    for (const std::int64_t taps : {1, 3})
      for (const std::int64_t first_power : {0, 1})
        for (const int which : {0, 1, 2, 3, 4, 7}) {
          const int factors = which % 4;
          AttentionVariant v{2, 5, taps, first_power};
          v.type = torch::kFloat64;
          v.sigmoid = which >= 4;
          if (factors == 3) v.leading = {2};
          const auto o = pair_problem(t, v, factors & 1, factors & 2).operands;
          const std::string what =
              concat("N ", t.simplices(), " P ", taps, " from ", first_power, " with ", factors);
          expect_near(result_elsewhere(o), kernel_attention(o), what);
          EXPECT_TRUE(torch::equal(powers_elsewhere(o, false)[0], powers_elsewhere(o, true)[0])) << what;
        }
}

TEST(AttentionElsewhere, ComputesTheSameOverStars) {
  torch::manual_seed(8);
  for (const int order : {1, 2}) {
    const AttentionForms forms = clique_forms(order, 5);
    const std::int64_t rows = forms.stars.keys[0].size(0);
    for (const bool masked : {false, true}) {
      AttentionVariant v{2, 3, 2, 1, {2}};
      v.type = torch::kFloat64;
      ops::AttentionOperands o = random_operands(forms.simplices, v);
      o.structure = forms.stars.structure;
      if (masked)
        o.mask = torch::rand({2, rows, 2}, torch::kFloat64).ge(0.3).to(torch::kFloat64),
        o.signs = forms.stars.signs;
      expect_near(result_elsewhere(o), kernel_attention(o), concat("order ", order, " masked ", masked));
    }
  }
}

// So that Meta, and with it torch.compile, speak for every device.
TEST(AttentionElsewhere, KeepsTensorsOfTheSameShapes) {
  const auto o = pair_problem(circle_pairs(30, 3), {2, 4, 3, 1, {2}}, true, true).operands;
  const Tensors here = ops::attention_powers(o, true), there = powers_elsewhere(o, true);
  ASSERT_EQ(there.size(), here.size());
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(there[i].sizes(), here[i].sizes()) << i;
}

TEST(TallProductsElsewhere, AreTheSame) {
  using Forward = std::tuple<Tensor, Tensor>(const Tensor&, const Tensor&, const Tensor&);
  using Three = std::tuple<Tensor, Tensor, Tensor>;
  using Backward =
      Three(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, std::array<bool, 2>);
  const auto values = [](std::int64_t n, std::int64_t m) { return torch::randn({n, m}, torch::kFloat64); };
  for (const std::int64_t S : {0, 2}) {
    const Tensor x = values(300, 9), W = values(9, 6), V = values(9, S), g = values(300, 6),
                 s = values(300, S);
    const auto here = ops::tall_products(x, W, V);
    const auto [products, scores] = elsewhere<Forward>("gsan::tall_products", x, W, V);
    const auto back = ops::tall_products_backward(g, s, x, W, V, {true, true});
    const auto [of_x, of_W, of_V] =
        elsewhere<Backward>("gsan::tall_products_backward", g, s, x, W, V, std::array<bool, 2>{true, true});
    const Tensor found[] = {products, scores, of_x, of_W, of_V},
                 wanted[] = {here.products, here.scores, back.of_x, back.of_weight, back.of_projection};
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(found[i].sizes(), wanted[i].sizes()) << i;
      if (found[i].numel() > 0) {
        EXPECT_LE(attention_error(found[i], wanted[i]), 1e-13) << i;
      }
    }
  }
}

TEST(EveryOp, HasAnImplementationForAnyDevice) {
  int count = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (!name.name.starts_with("gsan::")) continue;
    ++count;
    const auto op =
        c10::Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
    for (const auto key : {c10::DispatchKey::PrivateUse1, c10::DispatchKey::CUDA, c10::DispatchKey::Meta})
      EXPECT_TRUE(op.hasComputedKernelForDispatchKey(key)) << name.name << " on " << toString(key);
  }
  EXPECT_GE(count, 20);
}

TEST(AttentionElsewhere, CudaComputesTheSame) {
  if (!at::hasCUDA()) GTEST_SKIP() << "torch has no CUDA here";
  torch::manual_seed(9);
  const AttentionForms forms = clique_forms(1, 6);
  for (const AttentionForm* form : {&forms.pairs, &forms.stars}) {
    const auto run = [&](const Tensors& inputs, torch::Device device) {
      const auto move = [&](const Tensor& x) { return x.to(device); };
      ops::AttentionFilter f;
      f.x = move(inputs[0]).requires_grad_(), f.weight = move(inputs[1]).requires_grad_();
      for (const Tensor& table : form->structure) f.structure.push_back(move(table));
      for (const Tensor& keys : form->keys) f.dropout.keys.push_back(move(keys));
      f.dropout.keys.push_back(move(torch::zeros({1}, torch::kInt64)));
      f.dropout.p = 0.3, f.signs = move(form->signs);
      const Tensor a = move(inputs[2]).requires_grad_();
      const Tensor y = ops::attention(f, a, 0.2);
      y.square().sum().backward();
      return Tensors{y.detach().cpu(), f.x.grad().cpu(), f.weight.grad().cpu(), a.grad().cpu()};
    };
    const Tensors inputs = {torch::randn({forms.simplices, 3}, torch::kFloat64),
                            torch::randn({3, 2, 2, 4}, torch::kFloat64),
                            torch::randn({2, 16}, torch::kFloat64)};
    const Tensors here = run({inputs[0].clone(), inputs[1].clone(), inputs[2].clone()}, torch::kCPU),
                  there = run(inputs, torch::kCUDA);
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_LE(attention_error(there[i], here[i]), 1e-12) << i;
  }
}

}  // namespace
}  // namespace gsan
