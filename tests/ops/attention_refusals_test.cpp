#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/ops/attention_powers.h"

#include "ops/attention_forms.h"
#include "ops/attention_reference.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

using torch::Tensor;

AttentionProblem problem_on(const PairTables& t) { return pair_problem(t, {2, 3, 2, 1}, true, true); }

template <class Change>
void expect_refused(const PairTables& t, std::initializer_list<std::string> words, const Change& change) {
  ops::AttentionOperands o = problem_on(t).operands;
  change(o);
  expect_error(Fault::argument, words, [&] { ops::attention_powers(o, false); });
}

TEST(AttentionRefuses, BadShapesAndTypes) {
  const PairTables t = circle_pairs(9, 2);
  using O = ops::AttentionOperands;
  expect_refused(t, {"gsan::attention_powers", "taps", "Half"},
                 [](O& o) { o.taps = o.taps.to(torch::kHalf); });
  expect_refused(t, {"taps", "[6]"}, [](O& o) { o.taps = o.taps[0][0]; });
  expect_refused(t, {"receiver", "leading", "[9]"}, [](O& o) { o.receiver = o.receiver.select(-1, 0); });
  expect_refused(t, {"receiver", "Double", "Float"},
                 [](O& o) { o.receiver = o.receiver.to(torch::kDouble); });
  expect_refused(t, {"source", "[9, 2]", "[8, 2]"}, [](O& o) { o.source = o.source.slice(0, 1); });
  expect_refused(t, {"6 features", "4 heads"}, [](O& o) { o.receiver = torch::ones({9, 4}); });
  expect_refused(t, {"at least one tap"}, [](O& o) { o.taps = o.taps.slice(-2, 0, 0); });
  expect_refused(t, {"structure", "got 1"}, [](O& o) { o.structure.resize(1); });
  expect_refused(t, {"mirror", "mask"}, [](O& o) { o.structure.resize(2); });
  expect_refused(t, {"9 rows", "got 8"}, [](O& o) {
    o.taps = o.taps.slice(0, 1), o.receiver = o.receiver.slice(0, 1), o.source = o.source.slice(0, 1);
  });
  expect_refused(t, {"sources", "Int", "Long"},
                 [](O& o) { o.structure[1] = o.structure[1].to(torch::kLong); });
  expect_refused(t, {"mask", "[45, 2]", "[44, 2]"}, [](O& o) { o.mask = o.mask->slice(0, 1); });
  expect_refused(t, {"signs", "45", "44"}, [](O& o) { o.signs = o.signs->slice(0, 1); });
  expect_refused(t, {"signs", "Char", "Int"}, [](O& o) { o.signs = o.signs->to(torch::kInt32); });
  expect_refused(t, {"first_power", "2"}, [](O& o) { o.first_power = 2; });
  expect_refused(t, {"negative_slope", "nan"}, [](O& o) { o.negative_slope = std::nan(""); });
  expect_refused(t, {"faces", "[45]"}, [](O& o) {
    o.structure = {o.structure[1], o.structure[0], o.structure[1], o.structure[1]};
  });
}

TEST(AttentionRefuses, TablesThatAreNone) {
  const PairTables t = circle_pairs(900, 4);
  const ops::AttentionOperands good = problem_on(t).operands;
  const auto kept = ops::attention_powers(good, true);
  const Tensor gradient = torch::ones_like(kept[0]);
  const auto refused = [&](std::size_t table, std::int64_t at, std::int64_t value,
                           std::initializer_list<std::string> words) {
    ops::AttentionOperands o = good;
    o.structure[table] = o.structure[table].clone();
    o.structure[table][at] = value;
    expect_error(Fault::argument, words, [&] { ops::attention_powers(o, false); });
    expect_error(Fault::argument, words, [&] { ops::attention_powers_backward(gradient, o, kept); });
  };
  for (const std::int64_t e : {0, 3000, 8099}) {
    refused(1, e, 900, {"sources", "0 ... 899", "900"});
    refused(1, e, -1, {"sources", "-1"});
    refused(2, e, 8100, {"mirror", "0 ... 8099", "8100"});
  }
  for (const std::int64_t i : {0, 1, 450, 900}) {
    refused(0, i, std::int64_t{1} << 60, {"offsets", "increase"});
    refused(0, i, -7, {"offsets", "increase"});
  }
}

TEST(AttentionRefuses, KeptTensorsOfAnotherCall) {
  const ops::AttentionOperands o = problem_on(circle_pairs(30, 3)).operands;
  const auto kept = ops::attention_powers(o, true);
  const Tensor gradient = torch::ones_like(kept[0]);
  const auto refused = [&](Tensors changed) {
    expect_error(Fault::argument, {"gsan::attention_powers_backward", "kept"},
                 [&] { ops::attention_powers_backward(gradient, o, changed); });
  };
  refused({});
  refused({kept[0]});
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Tensors changed = kept;
    changed[i] = changed[i].slice(0, 1);
    refused(changed);
    changed[i] = kept[i].to(torch::kFloat64);
    refused(changed);
  }
}

TEST(AttentionRefuses, SigmoidsOverStars) {
  const AttentionForms forms = clique_forms(1, 3);
  ops::AttentionOperands o = random_operands(forms.simplices, {2, 3, 1, 1});
  o.structure = forms.stars.structure;
  o.sigmoid = true;
  expect_error(Fault::argument, {"sigmoid", "pass a structure of pairs"},
               [&] { ops::attention_powers(o, false); });
}

TEST(AttentionOnMeta, GivesShapes) {
  ops::AttentionOperands o = problem_on(circle_pairs(12, 2)).operands;
  const auto move = [](const Tensor& x) { return x.to(torch::kMeta); };
  o.taps = move(o.taps), o.receiver = move(o.receiver), o.source = move(o.source);
  o.mask = move(*o.mask), o.signs = move(*o.signs);
  for (Tensor& table : o.structure) table = move(table);
  const Tensor y = ops::attention_powers(o, false)[0];
  EXPECT_TRUE(y.is_meta());
  EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{12, 6}));
  const auto here = ops::attention_powers(problem_on(circle_pairs(12, 2)).operands, true),
             there = ops::attention_powers(o, true);
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(there[i].sizes(), here[i].sizes()) << i;
  const auto gradients = ops::attention_powers_backward(y, o, there);
  EXPECT_EQ(gradients[0].sizes(), o.taps.sizes());
  EXPECT_EQ(gradients[2].sizes(), o.source.sizes());
}

}  // namespace
}  // namespace gsan
