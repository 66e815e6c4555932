#include "gsan/ops/incidence.h"

#include <gtest/gtest.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/isa.h"

#include "hodge/sample_complexes.h"
#include "ops/incidence_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

using torch::Tensor;

const std::vector<std::int64_t> widths = {1, 2, 3, 8, 16, 17, 32, 64, 100};

Tensor product(const Tensor& x, const IncidenceTables& t, bool boundary, bool absolute = false) {
  return boundary ? ops::boundary(x, t.faces, t.offsets, t.cofaces, t.columns, absolute)
                  : ops::coboundary(x, t.faces, t.offsets, t.cofaces, t.columns, absolute);
}

Tensor random_input(const IncidenceTables& t, bool boundary, std::int64_t features,
                    torch::ScalarType type = torch::kFloat32) {
  return torch::randn({boundary ? t.simplices : t.rows, features}, type);
}

void expect_bits(const Tensor& actual, const Tensor& expected, const std::string& what) {
  EXPECT_EQ(actual.sizes(), expected.sizes()) << what;
  EXPECT_TRUE(torch::equal(actual, expected)) << what;
}

struct Incidence : testing::Test {
  void SetUp() override { torch::manual_seed(7); }
  void TearDown() override { at::set_num_threads(threads), ops::use_isa(ops::supported_isa()); }
  int threads = at::get_num_threads();
};

TEST_F(Incidence, EqualsItsDefinitionForEveryOrderWidthAndType) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 0; k <= complex.order() + 2; ++k) {
      const auto tables = incidence_tables(complex, k);
      for (const auto type : {torch::kFloat32, torch::kFloat64}) {
        for (const std::int64_t features : widths) {
          for (const bool boundary : {true, false}) {
            const Tensor x = random_input(tables, boundary, features, type);
            for (const bool absolute : {false, true}) {
              expect_bits(product(x, tables, boundary, absolute),
                          reference_product(x, tables, boundary, absolute),
                          concat("seed ", seed, " k ", k, " F ", features, boundary ? " B" : " B^T"));
            }
          }
        }
      }
    }
  }
}

TEST_F(Incidence, HandlesSimplicesOfHighOrder) {
  const auto complex = random_complex(4, {.max_order = 7, .max_vertices = 9});
  ASSERT_GE(complex.order(), 5);
  for (int k = 4; k <= complex.order(); ++k) {
    const auto tables = incidence_tables(complex, k);
    for (const bool boundary : {true, false}) {
      const Tensor x = random_input(tables, boundary, 16);
      expect_bits(product(x, tables, boundary), reference_product(x, tables, boundary, false),
                  concat("k ", k));
    }
  }
}

TEST_F(Incidence, LeadingDimensionsAreSignalsOfTheirOwn) {
  const auto tables = incidence_tables(random_complex(7), 1);
  for (const bool boundary : {true, false}) {
    const std::int64_t rows = boundary ? tables.simplices : tables.rows;
    const Tensor x = torch::randn({2, 3, rows, 5});
    const Tensor y = product(x, tables, boundary);
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 3; ++b) expect_bits(y[a][b], product(x[a][b], tables, boundary), "slice");
    }
  }
}

TEST_F(Incidence, ManySignalsOnASmallComplexAreSharedByThreads) {
  const auto tables = incidence_tables(random_complex(6), 1);
  const Tensor x = torch::randn({5000, tables.simplices, 4});
  at::set_num_threads(3);
  const Tensor y = product(x, tables, true);
  for (const int signal : {0, 1666, 1667, 3333, 4999}) {
    expect_bits(y[signal], reference_product(x[signal], tables, true, false), concat("signal ", signal));
  }
}

TEST_F(Incidence, TakesAnyStrides) {
  const auto tables = incidence_tables(random_complex(7), 2);
  ASSERT_GT(tables.simplices, 1);
  for (const bool boundary : {true, false}) {
    const std::int64_t rows = boundary ? tables.simplices : tables.rows;
    const Tensor wide = torch::randn({6, 2 * rows});
    for (const Tensor& x : {wide.t().slice(0, 0, 2 * rows, 2), torch::randn({rows, 1}).expand({rows, 6}),
                            torch::randn({2, rows, 12}).slice(2, 1, 12, 2).select(0, 1)}) {
      ASSERT_FALSE(x.is_contiguous());
      expect_bits(product(x, tables, boundary), product(x.contiguous(), tables, boundary), "strided");
    }
  }
}

TEST_F(Incidence, TakesTablesWithAnyStrides) {
  auto tables = incidence_tables(random_complex(7), 1);
  const Tensor x = random_input(tables, false, 3);
  const Tensor expected = product(x, tables, false);
  tables.faces = tables.faces.t().contiguous().t();
  expect_bits(product(x, tables, false), expected, "column-major faces");
}

TEST_F(Incidence, EmptyInputsGiveEmptyOrZeroOutputs) {
  const auto complex = from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1}, {2}});
  const auto edges = incidence_tables(complex, 1), above = incidence_tables(complex, 2),
             below = incidence_tables(complex, 0), nothing = incidence_tables(SimplicialComplex(), 1);
  EXPECT_EQ(product(torch::ones({1, 0}), edges, true).sizes(), at::IntArrayRef({3, 0}));
  EXPECT_EQ(product(torch::ones({0, 1, 4}), edges, true).sizes(), at::IntArrayRef({0, 3, 4}));
  expect_bits(product(torch::ones({0, 4}), above, true), torch::zeros({1, 4}), "B_2 without triangles");
  expect_bits(product(torch::ones({1, 4}), above, false), torch::zeros({0, 4}), "its transpose");
  expect_bits(product(torch::ones({3, 4}), below, true), torch::zeros({0, 4}), "B_0");
  expect_bits(product(torch::ones({0, 4}), below, false), torch::zeros({3, 4}), "its transpose");
  expect_bits(product(torch::ones({0, 4}), nothing, true), torch::zeros({0, 4}), "the empty complex");
  expect_bits(product(torch::ones({1, 2}), edges, true)[2], torch::zeros({2}), "a vertex without edges");
}

// Long results take every path of the kernel: shared by threads, written past the caches.
TEST_F(Incidence, GivesTheSameBitsForAnyNumberOfThreadsAndInstructionSet) {
  struct Case {
    Index width;
    std::int64_t features;
    torch::ScalarType type;
  };
  const auto f32 = torch::kFloat32, f64 = torch::kFloat64;
  for (const auto& [width, features, type] :
       {Case{200, 1, f32}, {200, 1, f64}, {200, 5, f32}, {100, 48, f32}, {100, 12, f64}, {300, 32, f32}}) {
    const auto complex = sheet(width, 200);
    for (int k = 1; k <= 2; ++k) {
      const auto tables = incidence_tables(complex, k);
      for (const bool boundary : {true, false}) {
        const Tensor x = random_input(tables, boundary, features, type);
        const Tensor expected = reference_product(x, tables, boundary, false);
        for (int isa = 0; isa <= static_cast<int>(ops::supported_isa()); ++isa) {
          ops::use_isa(static_cast<ops::Isa>(isa));
          for (const int count : {1, 2, 3}) {
            at::set_num_threads(count);
            expect_bits(product(x, tables, boundary), expected,
                        concat("k ", k, " F ", features, " isa ", isa, " threads ", count));
          }
        }
      }
    }
  }
}

TEST_F(Incidence, EveryInstructionSetEqualsThePortableOne) {
  const auto tables = incidence_tables(random_complex(15, {.max_order = 3, .max_vertices = 30}), 2);
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    for (std::int64_t features = 1; features <= 70; ++features) {
      for (const bool boundary : {true, false}) {
        const Tensor x = random_input(tables, boundary, features, type);
        ops::use_isa(ops::Isa::portable);
        const Tensor expected = product(x, tables, boundary);
        for (int isa = 1; isa <= static_cast<int>(ops::supported_isa()); ++isa) {
          ops::use_isa(static_cast<ops::Isa>(isa));
          expect_bits(product(x, tables, boundary), expected, concat("F ", features, " isa ", isa));
        }
      }
    }
  }
}

TEST_F(Incidence, InfinityAndNanStayInTheirOwnRows) {
  const auto complex = sheet(4, 4);
  const auto tables = incidence_tables(complex, 1);
  for (const std::int64_t features : {1, 4}) {
    Tensor x = torch::ones({tables.simplices, features}, torch::kFloat64);
    x[5].fill_(std::numeric_limits<double>::quiet_NaN());
    const Tensor y = product(x, tables, true);
    for (Index v = 0; v < complex.count(0); ++v) {
      const auto edges = complex.cofaces(0, v);
      const bool touched = std::find(edges.begin(), edges.end(), 5) != edges.end();
      EXPECT_EQ(y[v][0].isnan().item<bool>(), touched) << "vertex " << v;
    }
  }
}

TEST_F(Incidence, IsAdjointAndChainsToZero) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 1; k <= complex.order(); ++k) {
      const auto tables = incidence_tables(complex, k), above = incidence_tables(complex, k + 1);
      const Tensor x = random_input(tables, true, 3, torch::kFloat64),
                   y = random_input(tables, false, 3, torch::kFloat64);
      const double left = product(x, tables, true).mul(y).sum().item<double>();
      const double right = product(y, tables, false).mul(x).sum().item<double>();
      EXPECT_NEAR(left, right, 1e-12 * (1 + x.norm().item<double>() * y.norm().item<double>() * (k + 1)));
      // Integers: the sums cancel exactly.
      const Tensor z = torch::randint(-9, 9, {above.simplices, 2}, torch::kFloat32);
      EXPECT_EQ(product(product(z, above, true), tables, true).count_nonzero().item<std::int64_t>(), 0)
          << complex;
    }
  }
}

TEST_F(Incidence, GradientsAgreeWithDifferencesToSecondOrder) {
  const auto complex = random_complex(7, {.max_order = 3, .max_vertices = 6});
  for (int k = 1; k <= complex.order(); ++k) {
    const auto tables = incidence_tables(complex, k);
    for (const bool boundary : {true, false}) {
      for (const bool absolute : {false, true}) {
        const Tensor x = torch::randn({2, boundary ? tables.simplices : tables.rows, 2}, torch::kFloat64);
        // Squares make the second derivative of the composition non-zero.
        const auto square = [&](const Tensors& in) {
          return product(in[0].square(), tables, boundary, absolute).square();
        };
        expect_gradients(square, {x * 0.3});
        expect_second_gradients(square, {x * 0.3}, {.step = 1e-5, .tolerance = 1e-6});
      }
    }
  }
}

TEST_F(Incidence, RecordsAGraphOnlyWhenAsked) {
  const auto tables = incidence_tables(random_complex(7), 1);
  const Tensor x = random_input(tables, true, 2).requires_grad_();
  EXPECT_TRUE(product(x, tables, true).requires_grad());
  EXPECT_FALSE(product(x.detach(), tables, true).requires_grad());
  torch::NoGradGuard no_grad;
  EXPECT_FALSE(product(x, tables, true).requires_grad());
}

TEST_F(Incidence, MetaTensorsGiveShapes) {
  const auto tables = incidence_tables(random_complex(7), 2);
  const auto meta = [](const Tensor& t) { return t.to(torch::kMeta); };
  const IncidenceTables on_meta{meta(tables.faces),   meta(tables.offsets), meta(tables.cofaces),
                                meta(tables.columns), tables.simplices,     tables.rows};
  const Tensor x = torch::empty({3, tables.simplices, 5}, torch::dtype(torch::kFloat64).device(torch::kMeta));
  const Tensor y = product(x, on_meta, true);
  EXPECT_TRUE(y.is_meta());
  EXPECT_EQ(y.scalar_type(), torch::kFloat64);
  EXPECT_EQ(y.sizes(), at::IntArrayRef({3, tables.rows, 5}));
  EXPECT_EQ(product(y, on_meta, false).sizes(), x.sizes());
  EXPECT_THROW(product(x, on_meta, false), Error);
}

TEST_F(Incidence, DevicesWithoutAKernelComputeTheSame) {
  // PrivateUse1 has no kernel of its own: its entry is the composition for any other device.
  using Product = Tensor(const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, bool);
  const c10::DispatchKeySet elsewhere(c10::DispatchKey::PrivateUse1);
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 0; k <= complex.order() + 1; ++k) {
      const auto t = incidence_tables(complex, k);
      for (const bool boundary : {true, false}) {
        const auto op = c10::Dispatcher::singleton()
                            .findSchemaOrThrow(boundary ? "gsan::boundary" : "gsan::coboundary", "")
                            .typed<Product>();
        const Tensor x = torch::randn({2, boundary ? t.simplices : t.rows, 3}, torch::kFloat64);
        for (const bool absolute : {false, true}) {
          const Tensor y = op.redispatch(elsewhere, x, t.faces, t.offsets, t.cofaces, t.columns, absolute);
          EXPECT_TRUE(torch::allclose(y, product(x, t, boundary, absolute), 1e-14, 1e-14));
        }
      }
    }
  }
}

TEST_F(Incidence, CudaComputesTheSame) {
  if (!at::hasCUDA()) GTEST_SKIP() << "torch has no CUDA here";
  const auto there = [](const Tensor& t) { return t.to(torch::kCUDA); };
  const auto t = incidence_tables(sheet(40, 30), 2);
  const IncidenceTables moved{there(t.faces),   there(t.offsets), there(t.cofaces),
                              there(t.columns), t.simplices,      t.rows};
  for (const bool boundary : {true, false}) {
    const Tensor x = torch::randn({2, boundary ? t.simplices : t.rows, 7}, torch::kFloat64);
    const Tensor on_device = there(x).requires_grad_(), y = product(on_device, moved, boundary);
    EXPECT_TRUE(torch::allclose(y.cpu(), product(x, t, boundary), 1e-14, 1e-14));
    y.sum().backward();
    EXPECT_TRUE(
        torch::allclose(on_device.grad().cpu(), product(torch::ones_like(y.detach().cpu()), t, !boundary)));
  }
}

template <class Call>
void expect_refused(Call call, std::initializer_list<std::string> words) {
  expect_error(Fault::argument, words, call);
}

TEST_F(Incidence, RefusesBadShapesAndTypes) {
  const auto complex = from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1, 2}, {2, 3}});
  const auto t = incidence_tables(complex, 1);  // 4 vertices, 4 edges
  const auto boundary = [&](const Tensor& x) { return [&, x] { product(x, t, true); }; };
  expect_refused(boundary(torch::ones({5, 2})), {"gsan::boundary", "4 rows", "got 5"});
  expect_refused([&] { product(torch::ones({3, 2}), t, false); }, {"gsan::coboundary", "4 rows", "got 3"});
  expect_refused(boundary(torch::ones({4})), {"[4]", "unsqueeze"});
  expect_refused(boundary(torch::ones({4, 2}, torch::kInt32)), {"float32 or float64", "Int"});
  expect_refused(boundary(torch::ones({4, 2}, torch::kHalf)), {"float32 or float64", "Half"});
  expect_refused(boundary(torch::ones({4, 2}).to_sparse()), {"dense", "Sparse"});
  expect_refused(boundary(torch::empty({4, 2}, torch::kMeta)), {"cpu", "meta"});
  const auto with = [&](auto change) {
    IncidenceTables changed = t;
    change(changed);
    return [changed] { product(torch::ones({4, 2}), changed, true); };
  };
  expect_refused(with([](auto& c) { c.faces = c.faces.to(torch::kInt64); }), {"faces", "Int", "Long"});
  expect_refused(with([](auto& c) { c.faces = c.faces.view({-1}); }), {"faces", "2 dimension", "[8]"});
  expect_refused(with([](auto& c) { c.offsets = c.offsets.slice(0, 0, 0); }), {"offsets", "got none"});
  expect_refused(with([](auto& c) { c.cofaces = c.cofaces.slice(0, 1); }), {"cofaces", "8", "7"});
}

TEST_F(Incidence, RefusesTablesThatAreNone) {
  const auto complex = sheet(60, 60);
  const auto t = incidence_tables(complex, 1);
  const auto with = [&](bool boundary, auto change) {
    IncidenceTables changed = t;
    changed.faces = t.faces.clone(), changed.offsets = t.offsets.clone(), changed.cofaces = t.cofaces.clone();
    changed.columns = t.columns.clone();
    change(changed);
    return [=] {
      product(torch::ones({boundary ? changed.simplices : changed.rows, 33}), changed, boundary);
    };
  };
  for (const int row : {0, 700, 5000}) {
    expect_refused(with(false, [&](auto& c) { c.faces[row][1] = 3721; }), {"faces", "0 ... 3720", "3721"});
    expect_refused(with(false, [&](auto& c) { c.faces[row][0] = -1; }), {"faces", "-1"});
    expect_refused(with(true, [&](auto& c) { c.cofaces[row] = 2000000000; }), {"cofaces", "2000000000"});
    expect_refused(with(true, [&](auto& c) { c.cofaces[row] = -2000000000; }), {"cofaces", "-2000000000"});
    expect_refused(with(true, [&](auto& c) { c.columns[row] = 2; }), {"columns", "0 ... 1", "got 2"});
  }
  for (const int row : {0, 1, 2000, 3721}) {
    expect_refused(with(true, [&](auto& c) { c.offsets[row] = std::int64_t{1} << 60; }),
                   {"offsets", "increase"});
    expect_refused(with(true, [&](auto& c) { c.offsets[row] = -7; }), {"offsets", "increase"});
  }
  expect_refused(with(true, [](auto& c) { c.offsets.zero_(); }), {"offsets", "increase"});
}

TEST(Isa, RefusesWhatTheMachineLacks) {
  EXPECT_THROW(ops::use_isa(static_cast<ops::Isa>(99)), Error);
  EXPECT_EQ(ops::current_isa(), ops::supported_isa());
}

}  // namespace
}  // namespace gsan
