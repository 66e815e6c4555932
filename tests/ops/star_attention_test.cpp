#include "gsan/ops/cpu/attention/star_attention.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "gsan/core/random.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/random_graph.h"

#include "ops/star_attention_reference.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

using torch::Tensor;

struct Case {
  std::int64_t features = 3, heads = 1, taps = 1, first_power = 1;
  std::vector<std::int64_t> leading = {};
  torch::ScalarType type = torch::kFloat64;
  double spread = 1;  ///< of the scores
  bool mask = false, signs = false;
  double slope = 0.2;
};

IncidenceTables cliques(Index vertices, Index edges, int order, std::uint64_t seed) {
  RandomStream random(seed, "graph");
  return incidence_tables(clique_complex(erdos_renyi(vertices, edges, random), vertices, order), order);
}

// One vertex with `size` edges: a star of that size, and stars of one edge.
IncidenceTables hub(Index size) {
  std::vector<Edge> edges;
  for (Index v = 1; v <= size; ++v) edges.push_back({0, v});
  return incidence_tables(clique_complex(edges, size + 1, 1), 1);
}

std::vector<std::int64_t> sizes(const Case& c, std::initializer_list<std::int64_t> last) {
  std::vector<std::int64_t> all = c.leading;
  all.insert(all.end(), last);
  return all;
}

ops::AttentionOperands operands(const IncidenceTables& tables, const Case& c) {
  const std::int64_t N = tables.simplices, incidences = tables.cofaces.size(0);
  torch::manual_seed(7);
  ops::AttentionOperands o;
  o.taps = torch::randn(sizes(c, {N, c.taps, c.heads * c.features}), c.type);
  o.receiver = torch::randn(sizes(c, {N, c.heads}), c.type) * c.spread;
  o.source = torch::randn(sizes(c, {N, c.heads}), c.type) * c.spread;
  o.structure = star_structure(tables);
  if (c.mask) o.mask = torch::rand(sizes(c, {incidences + N, c.heads}), c.type).gt(0.3).to(c.type) / 0.7;
  if (c.signs) o.signs = (torch::randint(0, 2, {incidences}, torch::kInt8) * 2 - 1).to(torch::kInt8);
  o.first_power = c.first_power;
  o.negative_slope = c.slope;
  return o;
}

Tensor gradient_for(const ops::AttentionOperands& o) {
  return torch::randn_like(o.taps.select(-2, 0).contiguous());
}

double largest(const Tensor& x) { return x.numel() == 0 ? 0 : x.abs().max().item<double>(); }
double longest(const Tensor& x) { return x.numel() == 0 ? 0 : x.norm(2, -1).max().item<double>(); }

void expect_near(const Tensor& value, const Tensor& expected, double tolerance, const char* what) {
  ASSERT_EQ(value.sizes(), expected.sizes()) << what;
  EXPECT_LE(largest(value.to(torch::kFloat64) - expected), tolerance) << what;
}

// Errors in units of the rounding of one term: a weight is e to a sum of scores, so its relative error grows
// with the scores; a result of p powers passes p times.
void expect_dense(const ops::AttentionOperands& o, const Tensor& gradient,
                  std::vector<std::int64_t> rows = {}) {
  if (rows.empty()) rows.resize(o.taps.size(-3)), std::iota(rows.begin(), rows.end(), 0);
  const DenseAttention dense = dense_attention(o, gradient, rows);
  const auto kept = ops::star_attention_forward(o, true);
  const auto grads = ops::star_attention_backward(gradient, o, kept);
  ASSERT_EQ(grads.size(), 3u);
  const std::int64_t N = o.taps.size(-3);
  const double epsilon = o.taps.scalar_type() == torch::kFloat32 ? 1.2e-7 : 2.3e-16;
  const double unit = epsilon * (32 + 4 * (largest(o.receiver) + largest(o.source))) * o.taps.size(-2);
  const double factor = o.mask ? std::max(1., largest(*o.mask)) : 1.;
  const double power = std::pow(factor, o.taps.size(-2)),
               columns = std::pow(std::max(1., dense.sources), o.taps.size(-2));
  const double x = longest(o.taps) * o.taps.size(-2), g = longest(gradient);
  const Tensor index = torch::tensor(at::ArrayRef<std::int64_t>(rows), torch::kInt64);
  const Tensor y = kept[0].reshape({-1, N, kept[0].size(-1)}).index_select(1, index);
  expect_near(y, dense.y, unit * power * largest(o.taps) * o.taps.size(-2), "y");
  expect_near(grads[0], dense.taps, unit * largest(gradient) * columns, "taps");
  expect_near(grads[1], dense.receiver, unit * power * x * g * columns, "receiver");
  expect_near(grads[2], dense.source, unit * power * x * g * columns, "source");
  const auto plain = ops::star_attention_forward(o, false);
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_TRUE(plain[0].equal(kept[0])) << "what is kept changes the result";
}

void expect_dense(const IncidenceTables& tables, const Case& c) {
  const auto o = operands(tables, c);
  expect_dense(o, gradient_for(o));
}

TEST(StarAttention, EqualsTheDefinitionInOrdersOneToThree) {
  for (int order = 1; order <= 3; ++order) {
    const auto tables = cliques(14, 60, order, order);
    ASSERT_GT(tables.simplices, 10);
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      SCOPED_TRACE(concat("order ", order, " type ", type));
      expect_dense(tables, {.type = type});
      expect_dense(tables, {.heads = 2, .leading = {2}, .type = type, .mask = true, .signs = true});
    }
  }
}

TEST(StarAttention, EqualsTheDefinitionForEveryWidth) {
  const auto tables = cliques(12, 40, 2, 3);
  for (const std::int64_t features : {1, 3, 16, 17, 31, 64, 256})
    for (const std::int64_t heads : {1, 2, 3})
      for (const auto type : {torch::kFloat32, torch::kFloat64}) {
        SCOPED_TRACE(concat("F ", features, " H ", heads, " type ", type));
        expect_dense(tables, {.features = features, .heads = heads, .type = type});
      }
}

TEST(StarAttention, EqualsTheDefinitionForPowersAndSignals) {
  const auto tables = cliques(12, 40, 2, 4);
  for (std::int64_t taps = 1; taps <= 3; ++taps)
    for (std::int64_t first = 0; first <= 1; ++first)
      for (const bool mask : {false, true}) {
        SCOPED_TRACE(concat("P ", taps, " first ", first, " mask ", mask));
        expect_dense(tables, {.features = 5,
                              .heads = 2,
                              .taps = taps,
                              .first_power = first,
                              .leading = {2, 3},
                              .mask = mask,
                              .signs = !mask});
        expect_dense(tables, {.features = 16,
                              .taps = taps,
                              .first_power = first,
                              .type = torch::kFloat32,
                              .mask = mask,
                              .signs = mask});
      }
}

TEST(StarAttention, EqualsTheDefinitionForEverySlope) {
  const auto tables = cliques(12, 30, 1, 5);
  for (const double slope : {0., 0.5, 1.}) expect_dense(tables, {.spread = 3, .slope = slope});
  auto o = operands(tables, {});
  for (const double slope : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    o.negative_slope = slope;
    expect_error(Fault::argument, {"negative_slope", "[0, 1]"},
                 [&] { ops::star_attention_forward(o, false); });
  }
}

TEST(StarAttention, EqualsTheDefinitionForStarsOfEverySize) {
  // Sizes around the changes of sorting and folding.
  for (const Index size : {1, 2, 23, 24, 25, 127, 128, 129, 255, 256, 257, 600}) {
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      SCOPED_TRACE(concat("size ", size, " type ", type));
      expect_dense(hub(size), {.type = type, .mask = size % 2 == 1});
    }
  }
}

TEST(StarAttention, SumsTwentyThousandTermsToTheSamePrecision) {
  const auto tables = hub(20000);
  std::vector<std::int64_t> rows(40);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = static_cast<std::int64_t>(r * 499);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    auto o = operands(tables, {.type = type});
    o.taps += 10;  // a sum without cancellation is what running sums lose digits in
    const Tensor chosen = torch::tensor(at::ArrayRef<std::int64_t>(rows), torch::kInt64);
    const Tensor gradient =
        torch::zeros_like(gradient_for(o)).index_copy(0, chosen, torch::randn({40, 3}, type));
    expect_dense(o, gradient, rows);
  }
}

TEST(StarAttention, HoldsForHugeScores) {
  const auto tables = cliques(14, 60, 2, 6);
  for (const double spread : {30., 100.})
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      SCOPED_TRACE(concat("spread ", spread, " type ", type));
      auto o = operands(tables, {.features = 4, .type = type, .spread = spread});
      o.receiver = o.receiver.clamp(-300, 300), o.source = o.source.clamp(-300, 300);
      expect_dense(o, gradient_for(o));
      o.receiver = torch::full_like(o.receiver, -300);
      expect_dense(o, gradient_for(o));
      o.receiver = torch::full_like(o.receiver, 300);
      expect_dense(o, gradient_for(o));
    }
}

TEST(StarAttention, TakesTiesAtTheKinkAsNegativeScores) {
  for (const auto& tables : {cliques(14, 60, 2, 8), hub(700)}) {
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      auto o = operands(tables, {.features = 2, .type = type, .mask = true});
      o.receiver = torch::randint(-2, 3, o.receiver.sizes(), type) * 0.5;
      o.source = torch::randint(-2, 3, o.source.sizes(), type) * 0.5;
      expect_dense(o, gradient_for(o));
      o.receiver = torch::zeros_like(o.receiver), o.source = -torch::zeros_like(o.source);  // +0 and −0
      expect_dense(o, gradient_for(o));
    }
  }
}

TEST(StarAttention, TakesStridedRows) {
  const auto tables = cliques(12, 40, 2, 9);
  auto o = operands(tables, {.features = 6, .taps = 2, .leading = {2}});
  const Tensor gradient = gradient_for(o);
  const auto expected = ops::star_attention_backward(gradient, o, ops::star_attention_forward(o, true));
  const Tensor y = ops::star_attention_forward(o, false)[0];
  const Tensor wide = torch::zeros({2, tables.simplices, 3, 9}, torch::kFloat64);
  wide.narrow(2, 1, 2).narrow(3, 2, 6).copy_(o.taps);
  o.taps = wide.narrow(2, 1, 2).narrow(3, 2, 6);
  EXPECT_TRUE(ops::star_attention_forward(o, false)[0].equal(y));
  o.taps = o.taps.permute({3, 2, 1, 0}).contiguous().permute({3, 2, 1, 0});
  const Tensor turned = gradient.transpose(0, 2).contiguous().transpose(0, 2);
  const auto grads = ops::star_attention_backward(turned, o, ops::star_attention_forward(o, true));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(grads[i].equal(expected[i]));
    EXPECT_TRUE(grads[i].is_contiguous());
  }
}

TEST(StarAttention, GivesTheSameBitsForAnyNumberOfThreads) {
  RandomStream random(1, "graph");
  std::vector<Edge> edges = barabasi_albert(400, 4, random);
  for (Index v = 1; v < 400; ++v) edges.push_back({0, v});
  const int before = at::get_num_threads();
  for (const int order : {1, 2}) {
    const auto tables = incidence_tables(clique_complex(edges, 400, order), order);
    for (const Case& c :
         {Case{.features = 1}, Case{.features = 32, .taps = 2},
          Case{.features = 17, .heads = 2, .mask = true}, Case{.features = 96, .type = torch::kFloat32},
          Case{.features = 8, .leading = {5}}}) {
      const auto o = operands(tables, c);
      const Tensor gradient = gradient_for(o);
      at::set_num_threads(1);
      const Tensor y = ops::star_attention_forward(o, false)[0];
      const auto grads = ops::star_attention_backward(gradient, o, ops::star_attention_forward(o, true));
      for (const int threads : {2, 3, 5}) {
        SCOPED_TRACE(concat("order ", order, " F ", c.features, " threads ", threads));
        at::set_num_threads(threads);
        const auto kept = ops::star_attention_forward(o, true);
        const auto again = ops::star_attention_backward(gradient, o, kept);
        EXPECT_TRUE(kept[0].equal(y));
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(again[i].equal(grads[i])) << i;
      }
    }
  }
  at::set_num_threads(before);
}

TEST(StarAttention, AgreesInEveryBuildOfTheKernel) {
  const auto tables = cliques(14, 60, 2, 10);
  const ops::Isa best = ops::supported_isa();
  for (const auto isa : {ops::Isa::portable, ops::Isa::avx2, ops::Isa::avx512}) {
    if (isa > best) continue;
    ops::use_isa(isa);
    for (const std::int64_t features : {1, 7, 32, 40})
      for (const auto type : {torch::kFloat32, torch::kFloat64})
        expect_dense(tables, {.features = features, .heads = 2, .taps = 2, .type = type, .mask = true});
  }
  ops::use_isa(best);
}

TEST(StarAttention, SpreadsNonFiniteNumbersToWhoeverAttendsToThem) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& tables : {cliques(16, 40, 1, 11), cliques(14, 50, 2, 11), hub(300)}) {
    const auto clean = operands(tables, {.features = 3});
    const std::int64_t N = tables.simplices, bad = N / 2;
    std::vector<std::int64_t> all(N);
    std::iota(all.begin(), all.end(), 0);
    const Tensor near = dense_pairs(clean, 1, all).first.select(1, bad) != 0;  // who attends to it
    for (const double value : {infinity, -infinity, std::nan(""), -std::nan("")}) {
      for (const int where : {0, 1, 2}) {
        SCOPED_TRACE(concat("value ", value, " in argument ", where));
        auto o = clean;
        Tensor& argument = where == 0 ? o.taps : where == 1 ? o.receiver : o.source;
        argument = argument.clone();
        argument.select(0, bad).fill_(value);
        const auto kept = ops::star_attention_forward(o, true);
        const Tensor finite = kept[0].isfinite().all(-1);
        const Tensor others = where == 1 ? torch::arange(N) == bad : near;
        EXPECT_TRUE(finite.equal(~others));
        ops::star_attention_backward(gradient_for(o), o, kept);  // returns
      }
    }
  }
}

TEST(StarAttention, WorksOnNothing) {
  const auto tables = cliques(12, 40, 1, 12);
  for (const Case& c : {Case{.leading = {0}}, Case{.features = 0}}) {
    const auto o = operands(tables, c);
    const auto kept = ops::star_attention_forward(o, true);
    EXPECT_EQ(kept[0].sizes(), o.taps.select(-2, 0).sizes());
    EXPECT_EQ(ops::star_attention_backward(kept[0], o, kept)[1].abs().sum().item<double>(), 0);
  }
  const auto none = incidence_tables(SimplicialComplex(), 1);
  const auto o =
      operands({torch::zeros({0, 2}, torch::kInt32), none.offsets, none.cofaces, none.columns, 0, 0}, {});
  EXPECT_EQ(ops::star_attention_forward(o, true)[0].numel(), 0);
}

TEST(StarAttention, RefusesTablesThatAreNone) {
  const auto tables = cliques(12, 40, 2, 13);
  const auto refuses = [&](int table, const auto& damage, const std::string& word) {
    SCOPED_TRACE(word);
    auto o = operands(tables, {});
    o.structure[table] = o.structure[table].clone();
    damage(o.structure[table]);
    expect_error(Fault::argument, {"gsan::attention_powers", word},
                 [&] { ops::star_attention_forward(o, false); });
  };
  const std::int64_t count = tables.cofaces.size(0);
  refuses(
      0, [](Tensor& x) { x[1][0] = 1 << 30; }, "faces");
  refuses(
      0, [](Tensor& x) { x[1][0] = -1; }, "faces");
  refuses(
      0, [](Tensor& x) { x[1][0] = x[1][1]; }, "cofaces");
  refuses(
      1, [](Tensor& x) { x[0] = 1; }, "offsets");
  refuses(
      1, [](Tensor& x) { x[2] = 1 << 30; }, "offsets");
  refuses(
      1, [&](Tensor& x) { x[-1] = count + 1; }, "offsets");
  refuses(
      2, [](Tensor& x) { x[3] = -7; }, "cofaces");
  refuses(
      2, [](Tensor& x) { x[3] = 1 << 30; }, "cofaces");
  const std::int64_t large = tables.offsets.diff().argmax().item<std::int64_t>();
  const std::int64_t first = tables.offsets[large].item<std::int64_t>();
  refuses(
      2, [&](Tensor& x) { x[first + 1] = x[first]; }, "cofaces");
  refuses(
      3, [](Tensor& x) { x[3] = 200; }, "columns");
}

}  // namespace
}  // namespace gsan
