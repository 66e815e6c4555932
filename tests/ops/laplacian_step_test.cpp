#include "gsan/ops/laplacian_step.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/detail/laplacian_step_checks.h"
#include "gsan/topology/disjoint_union.h"

#include "hodge/sample_complexes.h"
#include "ops/elsewhere.h"
#include "ops/incidence_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

using torch::Tensor;

std::vector<Tensor> tables_of(const IncidenceTables& t) { return {t.faces, t.offsets, t.cofaces, t.columns}; }

struct Sides {
  IncidenceTables lower, upper;
  Sides(const SimplicialComplex& complex, int k)
      : lower(incidence_tables(complex, k)), upper(incidence_tables(complex, k + 1)) {}
  std::int64_t rows() const { return lower.simplices; }
  ops::LaplacianStep step(bool down, bool up) const {
    ops::LaplacianStep s;
    if (down) s.lower = tables_of(lower);
    if (up) s.upper = tables_of(upper);
    return s;
  }
};

// By definition, in float64, for x [N, F].
Tensor reference(const Sides& sides, const ops::LaplacianStep& s, const Tensor& x_, const Tensor& base) {
  Tensor x = x_.to(torch::kFloat64);
  const auto factors = [](double common, const Tensor& rows) {
    const Tensor one = torch::full({1, 1}, common, torch::kFloat64);
    return rows.defined() ? one * rows.to(torch::kFloat64).unsqueeze(-1) : one;
  };
  for (std::int64_t step = 0; step < s.steps; ++step) {
    Tensor L = torch::zeros_like(x);
    if (!s.lower.empty())
      L += reference_product(reference_product(x, sides.lower, true, s.absolute), sides.lower, false,
                             s.absolute);
    if (!s.upper.empty())
      L += reference_product(reference_product(x, sides.upper, false, s.absolute), sides.upper, true,
                             s.absolute);
    x = factors(s.alpha, s.row_alpha) * x + factors(s.beta, s.row_beta) * L;
  }
  return base.defined() ? base.to(torch::kFloat64) + x : x;
}

double distance(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  return a.numel() == 0 ? 0 : (a.to(torch::kFloat64) - b).abs().max().item<double>();
}

struct LaplacianStep : testing::Test {
  void SetUp() override { torch::manual_seed(3); }
  void TearDown() override { at::set_num_threads(threads), ops::use_isa(ops::supported_isa()); }
  int threads = at::get_num_threads();
};

TEST_F(LaplacianStep, EqualsItsDefinitionForEveryOrderSideWidthAndType) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 0; k <= complex.order() + 1; ++k) {
      const Sides sides(complex, k);
      for (const auto type : {torch::kFloat32, torch::kFloat64}) {
        for (const std::int64_t features : {1, 3, 16, 17, 64, 100}) {
          for (int which = 0; which < 4; ++which) {
            ops::LaplacianStep s = sides.step(which & 1, which & 2);
            s.alpha = seed % 2 ? 0.5 : 0;
            s.beta = -0.25;
            s.steps = static_cast<std::int64_t>(seed % 3) + 1;
            s.absolute = seed % 5 < 2;
            const Tensor x = torch::randn({sides.rows(), features}, type);
            const Tensor base = seed % 4 == 0 ? torch::randn_like(x) : Tensor();
            const Tensor y = ops::laplacian_step(x, s, base), expected = reference(sides, s, x, base);
            const double size = expected.numel() ? expected.abs().max().item<double>() : 0;
            EXPECT_EQ(y.scalar_type(), type);
            EXPECT_LE(distance(y, expected), (type == torch::kFloat32 ? 1e-5 : 1e-14) * (10 + 10 * size))
                << "seed " << seed << " k " << k << " F " << features << " sides " << which;
          }
        }
      }
    }
  }
}

TEST_F(LaplacianStep, RowsHaveFactorsOfTheirOwn) {
  const Sides sides(random_complex(7), 1);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const std::int64_t numbers : {sides.rows(), std::int64_t{1}}) {
      ops::LaplacianStep s = sides.step(true, true);
      s.alpha = 2, s.beta = -0.5;
      s.row_alpha = torch::randn({numbers}, type);
      s.row_beta = torch::rand({numbers}, type);
      const Tensor x = torch::randn({sides.rows(), 5}, type);
      EXPECT_LE(distance(ops::laplacian_step(x, s), reference(sides, s, x, {})),
                type == torch::kFloat32 ? 1e-4 : 1e-12);
    }
  }
}

TEST_F(LaplacianStep, StepsAreRepeatedSteps) {
  const Sides sides(random_complex(7), 1);
  ops::LaplacianStep s = sides.step(true, true);
  s.alpha = 1, s.beta = -0.1;
  const Tensor x = torch::randn({2, sides.rows(), 6}), base = torch::randn_like(x);
  Tensor y = x;
  for (s.steps = 0; s.steps <= 5; ++s.steps) {
    EXPECT_TRUE(torch::equal(ops::laplacian_step(x, s), y)) << s.steps;
    EXPECT_TRUE(torch::allclose(ops::laplacian_step(x, s, base), base + y)) << s.steps;
    ops::LaplacianStep one = s;
    one.steps = 1;
    y = ops::laplacian_step(y, one);
  }
  s.steps = 0;
  EXPECT_FALSE(ops::laplacian_step(x, s).is_same(x));
}

TEST_F(LaplacianStep, LeadingDimensionsAndStridesAreSignalsOfTheirOwn) {
  const Sides sides(random_complex(7), 1);
  ops::LaplacianStep s = sides.step(true, true);
  s.alpha = 1, s.beta = -0.1;
  const Tensor products = torch::randn({2, 3, sides.rows(), 4, 7});
  const Tensor x = products.select(-2, 1), base = products.select(-2, 2);  // taps of stacked products
  ASSERT_FALSE(x.is_contiguous());
  const Tensor y = ops::laplacian_step(x, s, base);
  EXPECT_TRUE(torch::equal(y, ops::laplacian_step(x.contiguous(), s, base.contiguous())));
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      EXPECT_TRUE(torch::equal(y[a][b], ops::laplacian_step(x[a][b], s, base[a][b])));
  const Tensor odd = torch::randn({5, sides.rows()}).t();
  EXPECT_TRUE(torch::equal(ops::laplacian_step(odd, s), ops::laplacian_step(odd.contiguous(), s)));
  const Tensor expanded = torch::randn({sides.rows(), 1}).expand({sides.rows(), 5});
  EXPECT_TRUE(torch::equal(ops::laplacian_step(expanded, s), ops::laplacian_step(expanded.contiguous(), s)));
}

// Long results take every path of the kernel: shared by threads, written past the caches.
TEST_F(LaplacianStep, GivesTheSameBitsForAnyNumberOfThreadsAndInstructionSet) {
  for (const auto& [features, type] : {std::pair{std::int64_t{1}, torch::kFloat32},
                                       {5, torch::kFloat32},
                                       {48, torch::kFloat32},
                                       {24, torch::kFloat64}}) {
    const Sides sides(sheet(180, 180), 1);
    ops::LaplacianStep s = sides.step(true, true);
    s.alpha = 0.7, s.beta = -0.3, s.steps = 2;
    s.row_beta = torch::rand({sides.rows()}, type);
    const Tensor x = torch::randn({sides.rows(), features}, type), base = torch::randn_like(x);
    ops::use_isa(ops::Isa::portable);
    at::set_num_threads(1);
    const Tensor expected = ops::laplacian_step(x, s, base);
    EXPECT_LE(distance(expected, reference(sides, s, x, base)), type == torch::kFloat32 ? 1e-3 : 1e-12);
    for (int isa = 0; isa <= static_cast<int>(ops::supported_isa()); ++isa) {
      ops::use_isa(static_cast<ops::Isa>(isa));
      for (const int count : {1, 2, 3}) {
        at::set_num_threads(count);
        EXPECT_TRUE(torch::equal(ops::laplacian_step(x, s, base), expected))
            << "F " << features << " isa " << isa << " threads " << count;
      }
    }
  }
}

TEST_F(LaplacianStep, EveryInstructionSetEqualsThePortableOne) {
  const Sides sides(random_complex(15, {.max_order = 3, .max_vertices = 20}), 1);
  ops::LaplacianStep s = sides.step(true, true);
  s.alpha = 0.9, s.beta = -0.3;
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (const std::int64_t features : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 70}) {
      const Tensor x = torch::randn({sides.rows(), features}, type);
      ops::use_isa(ops::Isa::portable);
      const Tensor expected = ops::laplacian_step(x, s, x);
      for (int isa = 1; isa <= static_cast<int>(ops::supported_isa()); ++isa) {
        ops::use_isa(static_cast<ops::Isa>(isa));
        EXPECT_TRUE(torch::equal(ops::laplacian_step(x, s, x), expected))
            << "F " << features << " isa " << isa;
      }
    }
  }
}

TEST_F(LaplacianStep, GradientsAgreeWithDifferencesToSecondOrder) {
  // Two parts with an ε each.
  const std::vector<SimplicialComplex> parts{complete_complex(4, 2), cycle(4)};
  const DisjointUnion both = disjoint_union(parts);
  const Sides sides(both.complex, 1);
  ops::LaplacianStep s = sides.step(true, true);
  s.alpha = 1, s.beta = -1, s.steps = 2;
  s.row_alpha = torch::rand({sides.rows()}, torch::kFloat64);
  s.row_beta = torch::full({sides.rows()}, 0.1, torch::kFloat64);
  s.row_beta.slice(0, both.offsets[1][1]).fill_(0.2);
  const Tensor x = torch::randn({sides.rows(), 2}, torch::kFloat64), base = torch::randn_like(x);
  const TensorFunction function = [&](const Tensors& in) {
    return ops::laplacian_step(in[0].square(), s, in[1]).square();
  };
  expect_gradients(function, {x * 0.5, base});
  expect_second_gradients(function, {x * 0.5, base}, {.step = 1e-5, .tolerance = 1e-6});
  s.absolute = true;
  expect_gradients(function, {x * 0.5, base});
  expect_second_gradients(function, {x * 0.5, base}, {.step = 1e-5, .tolerance = 1e-6});
}

TEST_F(LaplacianStep, RecordsAGraphOnlyWhenAsked) {
  const Sides sides(random_complex(7), 1);
  const ops::LaplacianStep s = sides.step(true, false);
  const Tensor x = torch::randn({sides.rows(), 2}), leaf = torch::randn_like(x).requires_grad_();
  EXPECT_FALSE(ops::laplacian_step(x, s, x).requires_grad());
  EXPECT_TRUE(ops::laplacian_step(leaf, s).requires_grad());
  EXPECT_TRUE(ops::laplacian_step(x, s, leaf).requires_grad());
  torch::NoGradGuard no_grad;
  EXPECT_FALSE(ops::laplacian_step(leaf, s).requires_grad());
}

TEST_F(LaplacianStep, EmptyOrdersGiveZerosOrNothing) {
  const auto complex = from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1}, {2}});
  const Sides vertices(complex, 0), edges(complex, 1), above(complex, 2);
  EXPECT_TRUE(torch::equal(ops::laplacian_step(torch::ones({1, 4}), edges.step(true, true)),
                           torch::full({1, 4}, 2)));  // (−1, 1) on one edge
  EXPECT_EQ(ops::laplacian_step(torch::ones({0, 4}), above.step(true, true)).sizes(),
            at::IntArrayRef({0, 4}));
  EXPECT_EQ(ops::laplacian_step(torch::ones({3, 0}), vertices.step(true, true)).sizes(),
            at::IntArrayRef({3, 0}));
  EXPECT_TRUE(torch::equal(ops::laplacian_step(torch::ones({3, 4}), vertices.step(true, false)),
                           torch::zeros({3, 4})));
}

TEST_F(LaplacianStep, MetaTensorsGiveShapesAndOtherDevicesComputeTheSame) {
  const Sides sides(random_complex(7), 1);
  ops::LaplacianStep s = sides.step(true, true);
  s.alpha = 0.5, s.beta = 2, s.steps = 3;
  s.row_beta = torch::rand({sides.rows()}, torch::kFloat64);
  const Tensor x = torch::randn({2, sides.rows(), 3}, torch::kFloat64), base = torch::randn_like(x);
  for (const bool absolute : {true, false}) {
    s.absolute = absolute;
    const Tensor there =
        elsewhere<ops::LaplacianStepSignature>("gsan::laplacian_step", x, base, s.lower, s.upper, s.alpha,
                                               s.beta, std::nullopt, s.row_beta, s.steps, absolute);
    EXPECT_TRUE(torch::allclose(there, ops::laplacian_step(x, s, base), 1e-12, 1e-12));
  }
  ops::LaplacianStep on_meta = s;
  for (auto* tables : {&on_meta.lower, &on_meta.upper})
    for (Tensor& t : *tables) t = t.to(torch::kMeta);
  on_meta.row_beta = s.row_beta.to(torch::kMeta);
  EXPECT_EQ(ops::laplacian_step(x.to(torch::kMeta), on_meta).sizes(), x.sizes());
}

TEST_F(LaplacianStep, RefusesBadShapesAndTables) {
  const Sides sides(sheet(60, 60), 1);
  const Tensor x = torch::ones({sides.rows(), 33});
  const ops::LaplacianStep fine = sides.step(true, true);
  const auto refused = [&](auto change, std::initializer_list<std::string> words) {
    ops::LaplacianStep s = fine;
    for (auto* tables : {&s.lower, &s.upper})
      for (Tensor& t : *tables) t = t.clone();
    change(s);
    expect_error(Fault::argument, words, [&] { ops::laplacian_step(x, s); });
  };
  refused([](auto& s) { s.steps = -1; }, {"steps", "-1"});
  refused([](auto& s) { s.lower.pop_back(); }, {"lower", "four tables", "3"});
  refused([](auto& s) { s.upper = s.lower; }, {"rows"});
  refused([](auto& s) { s.row_beta = torch::ones({7}); }, {"row_beta", "[7]"});
  refused([](auto& s) { s.row_alpha = torch::ones({1}, torch::kFloat64); }, {"row_alpha", "Double"});
  refused([](auto& s) { s.row_beta = torch::ones({1}).requires_grad_(); }, {"row_beta", "detach"});
  expect_error(Fault::argument, {"base"}, [&] { ops::laplacian_step(x, fine, x[0]); });
  expect_error(Fault::argument, {"float32 or float64"},
               [&] { ops::laplacian_step(x.to(torch::kHalf), fine); });
  const std::int64_t entries = fine.upper[2].size(0);
  for (const std::int64_t row : {std::int64_t{0}, std::int64_t{700}, sides.rows() - 1}) {
    refused([&](auto& s) { s.lower[0][row][1] = 1 << 30; }, {"faces", "1073741824"});
    refused([&](auto& s) { s.lower[0][row][0] = -1; }, {"faces", "-1"});
    refused([&](auto& s) { s.lower[2][row] = -5; }, {"cofaces", "-5"});
    refused([&](auto& s) { s.upper[2][row % entries] = 2000000000; }, {"cofaces", "2000000000"});
    refused([&](auto& s) { s.upper[0][row % 7200][2] = -9; }, {"faces", "-9"});
    refused([&](auto& s) { s.upper[1][row] = std::int64_t{1} << 60; }, {"offsets", "increase"});
    refused([&](auto& s) { s.upper[1][row + 1] = -7; }, {"offsets", "increase"});
  }
}

}  // namespace
}  // namespace gsan
