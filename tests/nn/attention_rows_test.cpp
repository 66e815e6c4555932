// Attention weights of some rows, without the pairs of the others.

#include "gsan/nn/attention_rows.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "nn/layer_samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

std::vector<LayerSample> attentional_samples() {
  std::vector<LayerSample> found;
  for (const LayerSample& s : layer_samples())
    if (s.options.uses(ShiftKind::attention)) found.push_back(s);
  for (const LayerSample& s : signed_samples())
    if (s.name == "gatv2") found.push_back({"gatv2_signed", s.options});
  found.push_back(sample("sigmoid", sample_options(ShiftKind::attention),
                         [](SimplicialLayerOptions& o) { o.gate = Gate::sigmoid; }));
  return found;
}

class AttentionRows : public testing::TestWithParam<LayerSample> {};
INSTANTIATE_TEST_SUITE_P(Layers, AttentionRows, testing::ValuesIn(attentional_samples()),
                         sample_name<testing::TestParamInfo<LayerSample>>);

TEST_P(AttentionRows, AreThoseOfAWholePass) {
  const torch::NoGradGuard no_grad;
  SimplicialLayer layer = make_layer(GetParam().options);
  const ComplexOperators operators(solid_sample());
  const Cochains x = sample_signals(operators.complex(), GetParam().options);
  ForwardContext context;
  context.return_attention_weights = true;
  const LayerOutput whole = layer->forward(operators, x, context);
  for (int k = 0; k <= 3; ++k) {
    std::vector<Index> rows;
    for (Index i = 0; i < operators.count(k); i += 2) rows.push_back(operators.count(k) - 1 - i);
    const std::vector<AttentionWeights> some = attention_rows(*layer, operators, x, k, rows);
    std::vector<const AttentionWeights*> of_order;
    for (const AttentionWeights& entry : whole.attention)
      if (entry.order == k) of_order.push_back(&entry);
    ASSERT_EQ(some.size(), of_order.size()) << "order " << k;
    for (std::size_t t = 0; t < some.size(); ++t) {
      EXPECT_EQ(some[t].side, of_order[t]->side);
      EXPECT_EQ(some[t].use, of_order[t]->use);
      std::int64_t pairs = 0;
      for (const Index i : rows) {
        for (int head = -1; head < GetParam().options.heads; ++head) {
          const auto found = attended_by(some[t], i, head), expected = attended_by(*of_order[t], i, head);
          ASSERT_EQ(found.size(), expected.size()) << "order " << k << ", row " << i;
          std::map<std::int64_t, double> weights;  // equal weights come in any order
          for (const AttendedSimplex& one : expected) weights[one.simplex] = one.weight;
          for (const AttendedSimplex& one : found) {
            ASSERT_TRUE(weights.contains(one.simplex));
            EXPECT_NEAR(one.weight, weights[one.simplex], 1e-12);
          }
          if (head < 0) pairs += static_cast<std::int64_t>(found.size());
        }
      }
      EXPECT_EQ(some[t].receivers.numel(), pairs);  // no other row is listed
      EXPECT_EQ(pair_weights(some[t], -1).size(), static_cast<std::size_t>(pairs));
    }
  }
}

TEST(AttendedBy, OrdersByWeightWithNoNumberLast) {
  const AttentionWeights attention{1,
                                   Side::lower,
                                   Use::own,
                                   torch::tensor({2, 2, 2, 0}, torch::kInt32),
                                   torch::tensor({5, 6, 7, 8}, torch::kInt32),
                                   torch::tensor({{0.2}, {std::nan("")}, {0.5}, {1.0}}, torch::kFloat64)};
  std::vector<std::int64_t> order;
  for (const AttendedSimplex& one : attended_by(attention, 2, 0)) order.push_back(one.simplex);
  EXPECT_EQ(order, (std::vector<std::int64_t>{7, 5, 6}));
  expect_error(Fault::argument, {"heads are 0 ... 0", "got 1"}, [&] { attended_by(attention, 2, 1); });
}

TEST(RowsWithPairs, AreAllOfThemOrAnEvenSample) {
  const SimplicialComplex complex = solid_sample();
  EXPECT_EQ(rows_with_pairs(complex, 1, 1'000'000).size(), static_cast<std::size_t>(complex.count(1)));
  const std::vector<Index> some = rows_with_pairs(complex, 1, count_pairs(complex, 1, Side::lower) / 2);
  EXPECT_EQ(some.size(), static_cast<std::size_t>(complex.count(1) / 2));
  EXPECT_TRUE(std::adjacent_find(some.begin(), some.end(), std::greater_equal<>()) == some.end());
  EXPECT_EQ(rows_with_pairs(complex, 1, 1).size(), 1U);
  EXPECT_TRUE(rows_with_pairs(complex, 7, 1).empty());
}

}  // namespace
}  // namespace gsan
