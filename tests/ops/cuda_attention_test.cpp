// Attention on a GPU against the kernels of the CPU: pairs with and without what leaves the common case, rows
// of very many pairs, stars with hubs, scores far apart, bfloat16, and the same bits in every run.

#include <gtest/gtest.h>

#include <torch/cuda.h>

#include "gsan/core/check.h"

#include "ops/attention_forms.h"
#include "ops/attention_reference.h"

namespace gsan {
namespace {

using torch::Tensor;

class CudaAttention : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "there is no GPU here";
    torch::manual_seed(11);
  }

  static ops::AttentionOperands moved(ops::AttentionOperands o) {
    const auto move = [](Tensor& x) { x = x.to(torch::kCUDA); };
    move(o.taps), move(o.receiver), move(o.source);
    for (Tensor& table : o.structure) move(table);
    if (o.mask) move(*o.mask);
    if (o.signs) move(*o.signs);
    return o;
  }

  static AttentionResult on_gpu(const ops::AttentionOperands& o) {
    const ops::AttentionOperands there = moved(o);
    const Tensors kept = ops::attention_powers(there, true);
    const Tensor gradient = fixed_gradient(kept[0].cpu()).to(torch::kCUDA);
    Tensors gradients = ops::attention_powers_backward(gradient, there, kept);
    for (Tensor& g : gradients) g = g.cpu();
    // Branches are summed apart only where they are kept.
    const double tolerance = o.taps.scalar_type() == torch::kFloat64   ? 1e-13
                             : o.taps.scalar_type() == torch::kFloat32 ? 1e-5
                                                                       : 1e-2;
    EXPECT_LE(attention_error(ops::attention_powers(there, false)[0].cpu(), kept[0].cpu()), tolerance);
    return {kept[0].cpu(), gradients};
  }

  static void expect_near(const ops::AttentionOperands& o, const std::string& what) {
    const double tolerance = o.taps.scalar_type() == torch::kFloat64 ? 1e-12 : 2e-5;
    const AttentionResult here = kernel_attention(o), there = on_gpu(o);
    EXPECT_LE(attention_error(there.y, here.y), tolerance) << what;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LE(attention_error(there.gradients[i], here.gradients[i]), tolerance)
          << what << ", gradient " << i;
  }
};

TEST_F(CudaAttention, ComputesTheSameOverPairs) {
  const std::vector<PairTables> lists = {random_pairs(1, 0), random_pairs(14, 1), circle_pairs(300, 20)};
  for (std::size_t list = 0; list < lists.size(); ++list)
    for (const auto type : {torch::kFloat64, torch::kFloat32})
      for (const std::int64_t features : {1, 3, 4, 17, 32, 64, 256})
        for (const int which : {0, 1, 2, 3, 4, 7}) {
          AttentionVariant v{features == 32 ? 1 : 2, features, which == 0 ? 3 : 1, which % 2};
          v.type = type, v.sigmoid = which >= 4;
          if (which % 4 == 3) v.leading = {2};
          expect_near(pair_problem(lists[list], v, which & 1, which & 2).operands,
                      concat("list ", list, ", F ", features, ", case ", which, ", ", type));
        }
}

// A dimension of size 1 may have any stride, also between the signals and their rows.
TEST_F(CudaAttention, ReadsViewsWhoseDimensionsWereSwapped) {
  const PairTables list = circle_pairs(40, 3);
  AttentionVariant v{1, 8, 1, 1, {1, 3}};
  v.type = torch::kFloat64;
  ops::AttentionOperands o = pair_problem(list, v, false, false).operands;
  for (Tensor* x : {&o.taps, &o.receiver, &o.source}) *x = x->transpose(0, 1);
  const ops::AttentionOperands there = moved(o);
  const Tensor y = ops::attention_powers(o, false)[0], z = ops::attention_powers(there, false)[0];
  EXPECT_LE(attention_error(z.cpu(), y), 1e-13);
}

// More than 2^17 pairs, the rows of the hubs among them.
TEST_F(CudaAttention, TakesRowsOfManyPairsByWholeBlocks) {
  const PairTables list = hub_pairs(6000, 3, 12, 2);
  ASSERT_GE(list.count(), std::int64_t{1} << 17);
  for (const std::int64_t features : {5, 32, 48})
    for (const int which : {0, 3, 4}) {
      AttentionVariant v{which == 0 ? 1 : 2, features, 2, 1};
      v.type = torch::kFloat64, v.sigmoid = which >= 4;
      expect_near(pair_problem(list, v, which & 1, which & 2).operands,
                  concat("F ", features, ", case ", which));
    }
}

// The bound by the largest source of all is far above the scores of most rows.
TEST_F(CudaAttention, IsExactWhereOneSourceIsFarAboveTheOthers) {
  for (const PairTables& list : {circle_pairs(200, 4), circle_pairs(16000, 5)})
    for (const auto type : {torch::kFloat64, torch::kFloat32}) {
      AttentionVariant v{1, 32, 1, 1};
      v.type = type;
      ops::AttentionOperands o = pair_problem(list, v, false, false).operands;
      o.source[7] = 300;
      expect_near(o, concat(list.count(), " pairs, ", type));
    }
}

TEST_F(CudaAttention, ComputesTheSameOverStars) {
  for (const int order : {1, 2}) {
    const AttentionForms forms = clique_forms(order, 5);
    const std::int64_t rows = forms.stars.keys[0].size(0);
    for (const auto type : {torch::kFloat64, torch::kFloat32})
      for (const std::int64_t features : {1, 3, 8, 32, 40, 70})
        for (const bool masked : {false, true}) {
          AttentionVariant v{2, features, 3, order % 2, {2}};
          v.type = type;
          ops::AttentionOperands o = random_operands(forms.simplices, v);
          o.structure = forms.stars.structure;
          if (masked) o.mask = torch::rand({2, rows, 2}, type).ge(0.3).to(type), o.signs = forms.stars.signs;
          expect_near(o, concat("order ", order, ", F ", features, masked ? ", masked, " : ", ", type));
        }
  }
}

// A star that many blocks of places share.
TEST_F(CudaAttention, SumsLargeStars) {
  std::vector<Edge> edges;
  for (Index i = 1; i < 1500; ++i) edges.push_back({0, i});
  for (Index i = 1; i < 1499; i += 3) edges.push_back({i, i + 1});
  const IncidenceTables tables = incidence_tables(clique_complex(edges, 1500, 1), 1);
  for (const auto type : {torch::kFloat64, torch::kFloat32}) {
    AttentionVariant v{1, 32, 1, 1};
    v.type = type;
    ops::AttentionOperands o = random_operands(tables.simplices, v);
    o.structure = {tables.faces, tables.offsets, tables.cofaces, tables.columns};
    expect_near(o, concat(type));
  }
}

TEST_F(CudaAttention, StoresBfloat16WithSumsInFloat32) {
  const AttentionForms forms = clique_forms(1, 6);
  for (const AttentionForm* form : {&forms.pairs, &forms.stars})
    for (const std::int64_t features : {3, 32}) {
      AttentionVariant v{1, features, 2, 1};
      v.type = torch::kFloat32;
      ops::AttentionOperands wide = random_operands(forms.simplices, v);
      wide.structure = form->structure;
      wide.taps = wide.taps.to(torch::kBFloat16).to(torch::kFloat32);
      ops::AttentionOperands narrow = wide;
      narrow.taps = wide.taps.to(torch::kBFloat16);
      const AttentionResult expected = kernel_attention(wide), actual = on_gpu(narrow);
      EXPECT_EQ(actual.y.scalar_type(), torch::kBFloat16);
      EXPECT_EQ(actual.gradients[1].scalar_type(), torch::kFloat32);
      EXPECT_LE(attention_error(actual.y.to(torch::kFloat32), expected.y), 0.02);
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LE(attention_error(actual.gradients[i].to(torch::kFloat32), expected.gradients[i]), 0.03) << i;
    }
}

TEST_F(CudaAttention, CudaRepeatsItsBits) {
  const PairTables list = hub_pairs(6000, 3, 12, 4);
  const AttentionForms forms = clique_forms(2, 7);
  AttentionVariant v{2, 32, 2, 1};
  v.type = torch::kFloat32;
  ops::AttentionOperands stars = random_operands(forms.simplices, v);
  stars.structure = forms.stars.structure;
  for (const auto& o :
       {pair_problem(list, v, true, true).operands, pair_problem(list, v, false, false).operands, stars}) {
    const ops::AttentionOperands there = moved(o);
    Tensors first;
    for (int repetition = 0; repetition < 100; ++repetition) {
      const Tensors kept = ops::attention_powers(there, true);
      Tensors made = ops::attention_powers_backward(kept[0] * 2, there, kept);
      made.push_back(kept[0]);
      if (first.empty()) first = made;
      for (std::size_t i = 0; i < made.size(); ++i)
        ASSERT_TRUE(torch::equal(made[i], first[i])) << repetition;
    }
  }
}

}  // namespace
}  // namespace gsan
