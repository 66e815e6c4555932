// The op of a whole attentional term: products, scores and powers.

#include <gtest/gtest.h>

#include "gsan/ops/attention.h"
#include "gsan/ops/pair_dropout.h"

#include "ops/attention_forms.h"
#include "ops/attention_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

using torch::Tensor;

constexpr double negative_slope = 0.2;

struct OpVariant {
  std::int64_t inputs = 3, taps = 2, heads = 2, features = 4, first_power = 1;
  std::vector<std::int64_t> leading = {};
  bool dropout = false, with_signs = false, sigmoid = false;
  torch::ScalarType type = torch::kFloat64;
};

struct OpCase {
  ops::AttentionFilter filter;
  Tensor a;
  AttentionProblem problem;  ///< the same neighbours, mask and signs for the reference

  Tensors inputs() const { return {filter.x, filter.weight, a}; }
  Tensor run(const Tensors& x) const {
    ops::AttentionFilter f = filter;
    f.x = x[0], f.weight = x[1];
    return ops::attention(f, x[2], negative_slope);
  }
};

OpCase op_case(const AttentionForms& forms, bool stars, const OpVariant& v) {
  torch::manual_seed(5);
  const AttentionForm& form = stars ? forms.stars : forms.pairs;
  const auto sizes = [&](std::initializer_list<std::int64_t> last) {
    std::vector<std::int64_t> all = v.leading;
    all.insert(all.end(), last);
    return all;
  };
  OpCase c;
  c.filter.x = torch::randn(sizes({forms.simplices, v.inputs}), v.type);
  c.filter.weight = torch::randn({v.inputs, v.taps, v.heads, v.features}, v.type) / 2;
  c.a = torch::randn({v.heads, 2 * v.taps * v.features}, v.type) / 2;
  c.filter.structure = form.structure;
  c.filter.first_power = v.first_power;
  c.filter.sigmoid = v.sigmoid;
  c.problem.pairs = forms.list;
  if (v.with_signs) c.filter.signs = form.signs, c.problem.pair_signs = forms.pairs.signs;
  if (v.dropout) {
    const std::int64_t signals = c10::multiply_integers(v.leading);
    const Tensor keys = torch::arange(signals, torch::kInt64) + 11;
    c.filter.dropout = {form.keys, 77, 0.4};
    c.filter.dropout.keys.push_back(keys);
    const auto& k = forms.pairs.keys;
    c.problem.pair_mask = ops::pair_dropout_mask(k[0], k[1], k[2], k[3], keys, 77, 0.4, v.heads, v.type)
                              .view(sizes({forms.list.count(), v.heads}));
  }
  return c;
}

// From the definition, in float64.
Tensor reference(const OpCase& c, const Tensors& x) {
  const std::int64_t P = c.filter.weight.size(1), H = c.filter.weight.size(2), F = c.filter.weight.size(3);
  ops::AttentionOperands o;
  o.taps = x[0].matmul(x[1].flatten(1)).unflatten(-1, {P, H * F});
  const Tensor h =
      (c.filter.signs ? o.taps.abs() : o.taps).unflatten(-1, {H, F}).transpose(-3, -2).flatten(-2);
  o.receiver = (h * x[2].narrow(1, 0, P * F)).sum(-1), o.source = (h * x[2].narrow(1, P * F, P * F)).sum(-1);
  o.first_power = c.filter.first_power, o.negative_slope = negative_slope, o.sigmoid = c.filter.sigmoid;
  return reference_powers(c.problem, o);
}

std::vector<OpVariant> variants() {
  return {
      {},
      {.taps = 1, .heads = 1, .features = 1},
      {.taps = 3, .first_power = 0},
      {.inputs = 5, .heads = 3, .leading = {2}, .dropout = true},
      {.with_signs = true},
      {.taps = 3, .leading = {2, 3}, .dropout = true, .with_signs = true},
      {.sigmoid = true},
      {.taps = 3, .first_power = 0, .leading = {2}, .dropout = true, .with_signs = true, .sigmoid = true}};
}

template <class Check>
void for_all(const Check& check) {
  const AttentionForms edges = clique_forms(1, 3), triangles = clique_forms(2, 4);
  for (const OpVariant& v : variants())
    for (const AttentionForms* forms : {&edges, &triangles})
      for (const bool stars : {false, true})
        if (!stars || !v.sigmoid) check(op_case(*forms, stars, v));
}

TEST(AttentionOp, EqualsItsDefinitionOverPairsAndStarsWithGradients) {
  for_all([](const OpCase& c) {
    const Tensors x = gradcheck::leaves(c.inputs()), z = gradcheck::leaves(c.inputs());
    const Tensor y = c.run(x), expected = reference(c, z);
    EXPECT_LE(attention_error(y, expected), 1e-13);
    const Tensors of_x = gradcheck::gradients(y, gradcheck::weight(y), x, false),
                  of_z = gradcheck::gradients(expected, gradcheck::weight(y), z, false);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(attention_error(of_x[i], of_z[i]), 1e-12) << i;
  });
}

TEST(AttentionOp, HasSecondDerivativesOverPairsAndStars) {
  for_all([](const OpCase& c) {
    const auto second = [](const Tensor& y, const Tensors& x) {
      const Tensors first = gradcheck::gradients(y, gradcheck::weight(y), x, true);
      Tensor sum = torch::zeros({}, torch::kFloat64);
      for (const Tensor& g : first) sum = sum + (g * gradcheck::weight(g)).sum();
      return gradcheck::gradients(sum, torch::ones({}, torch::kFloat64), x, false);
    };
    const Tensors x = gradcheck::leaves(c.inputs()), z = gradcheck::leaves(c.inputs());
    const Tensors of_x = second(c.run(x), x), of_z = second(reference(c, z), z);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LE(attention_error(of_x[i], of_z[i]), 1e-11) << i;
  });
}

TEST(AttentionOp, FindsTheMirrorOfAListThatHasNone) {
  OpCase c = op_case(clique_forms(1, 3), false, {.inputs = 2, .features = 2});
  c.filter.structure.pop_back();
  const TensorFunction run = [&](const Tensors& x) { return c.run(x); };
  expect_gradients(run, c.inputs());
  expect_second_gradients(run, c.inputs());
}

TEST(AttentionOp, GivesTheSameBitsWhenItComputesTwice) {
  for_all([](OpCase c) {
    const auto run = [&](bool recompute) {
      c.filter.recompute = recompute;
      const Tensors x = gradcheck::leaves(c.inputs());
      const Tensor y = c.run(x);
      Tensors all = gradcheck::gradients(y, gradcheck::weight(y), x, false);
      all.push_back(y);
      return all;
    };
    const Tensors once = run(false), twice = run(true);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_TRUE(torch::equal(once[i], twice[i])) << i;
  });
}

TEST(AttentionOp, MakesTheSameGradientsOneByOne) {
  for (const bool with_signs : {false, true}) {
    const OpCase c = op_case(clique_forms(1, 3), false, {.with_signs = with_signs});
    const auto gradients = [&](int only) {
      Tensors x = gradcheck::leaves(c.inputs()), wanted;
      for (int i = 0; i < 3; ++i)
        if (only >= 0 && i != only) x[i] = x[i].detach();
      const Tensor y = c.run(x);
      for (const Tensor& input : x)
        if (input.requires_grad()) wanted.push_back(input);
      return gradcheck::gradients(y, gradcheck::weight(y), wanted, false);
    };
    const Tensors all = gradients(-1);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(torch::equal(gradients(i)[0], all[i])) << i;
  }
}

TEST(AttentionOp, WorksOnNothing) {
  OpCase c = op_case(clique_forms(1, 3), false, {.leading = {0}, .dropout = true});
  const Tensors x = gradcheck::leaves(c.inputs());
  const Tensor y = c.run(x);
  EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{0, x[0].size(1), 8}));
  for (const Tensor& g : gradcheck::gradients(y, torch::ones_like(y), x, false))
    EXPECT_EQ(g.abs().sum().item<double>(), 0);
}

TEST(AttentionOp, RefusesWhatDoesNotFit) {
  const OpCase good = op_case(clique_forms(1, 3), false, {.leading = {2}, .dropout = true});
  const auto refused = [&](std::initializer_list<std::string> words, const auto& change) {
    OpCase c = good;
    change(c);
    expect_error(Fault::argument, words, [&] { c.run(c.inputs()); });
  };
  refused({"gsan::attention", "x", "Half"}, [](OpCase& c) { c.filter.x = c.filter.x.to(torch::kHalf); });
  refused({"weight", "[3, 2, 8]"}, [](OpCase& c) { c.filter.weight = c.filter.weight.flatten(2); });
  refused({"weight", "[3, 2, 2, 4]", "[2, 2, 2, 4]"},
          [](OpCase& c) { c.filter.weight = c.filter.weight.slice(0, 1); });
  refused({"a", "[2, 16]", "[2, 15]"}, [](OpCase& c) { c.a = c.a.slice(1, 1); });
  refused({"a", "Float", "Double"}, [](OpCase& c) { c.a = c.a.to(torch::kFloat); });
  refused({"p = 0.4", "keys", "none"}, [](OpCase& c) { c.filter.dropout.keys.clear(); });
  refused({"keys", "got 4"}, [](OpCase& c) { c.filter.dropout.keys.pop_back(); });
  refused({"one key per signal", "2", "[1]"},
          [](OpCase& c) { c.filter.dropout.keys[4] = c.filter.dropout.keys[4].slice(0, 1); });
  refused({"first_power", "2"}, [](OpCase& c) { c.filter.first_power = 2; });
  refused({"mirror", "mask"}, [](OpCase& c) { c.filter.structure.pop_back(); });
}

OpCase on_meta(OpCase c) {
  const auto move = [](Tensor& x) { x = x.to(torch::kMeta); };
  move(c.filter.x), move(c.filter.weight), move(c.a);
  for (auto* list : {&c.filter.structure, &c.filter.dropout.keys})
    std::for_each(list->begin(), list->end(), move);
  return c;
}

TEST(AttentionOpOnMeta, GivesTheShapesOfWhatIsComputed) {
  const OpCase here = op_case(clique_forms(1, 3), false, {.leading = {2}, .dropout = true}),
               there = on_meta(here);
  EXPECT_EQ(there.run(there.inputs()).sizes(), here.run(here.inputs()).sizes());
  const Tensors kept = ops::attention_forward(here.filter, here.a, negative_slope, true),
                shapes = ops::attention_forward(there.filter, there.a, negative_slope, true);
  ASSERT_EQ(kept.size(), shapes.size());
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(shapes[i].sizes(), kept[i].sizes()) << i;
  const std::array<bool, 3> needs{true, false, true};
  const Tensors gradients =
                    ops::attention_backward(kept[0], here.filter, here.a, negative_slope, kept, needs),
                of_shapes =
                    ops::attention_backward(shapes[0], there.filter, there.a, negative_slope, shapes, needs);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(of_shapes[i].sizes(), gradients[i].sizes()) << i;
}

TEST(AttentionOpOnMeta, SaysThatAGradientOverStarsCannotBeTraced) {
  const OpCase c = on_meta(op_case(clique_forms(1, 3), true, {}));
  EXPECT_TRUE(c.run(c.inputs()).is_meta());
  expect_error(Fault::argument, {"stars", "traced", "pairs"},
               [&] { ops::attention_forward(c.filter, c.a, negative_slope, true); });
}

}  // namespace
}  // namespace gsan
