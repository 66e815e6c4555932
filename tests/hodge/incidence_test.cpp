#include "gsan/hodge/incidence.h"

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/hodge/operators.h"

#include "hodge/dense_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

SimplicialComplex kite() {  // two triangles on a common edge, and a loose vertex 4
  return from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1, 2}, {1, 2, 3}, {4}});
}

Tensor signal(std::int64_t rows, std::int64_t features = 3, std::string_view purpose = "signal") {
  return random_signal(rows, features, purpose, torch::kFloat64);
}

Tensor factors(std::int64_t rows, std::string_view purpose) { return signal(rows, 1, purpose).select(1, 0); }

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(actual.sizes(), expected.sizes());
  EXPECT_TRUE(torch::allclose(actual, expected, 1e-13, 1e-13)) << actual << "\nexpected " << expected;
}

TEST(Incidence, IsTheBoundaryMatrixOfEveryOrder) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 0; k <= complex.order() + 3; ++k) {
      const Incidence B(complex, k);
      const Tensor dense = dense_boundary(complex, k);
      EXPECT_EQ(B.order(), k);
      EXPECT_EQ(B.rows(), complex.count(k - 1));
      EXPECT_EQ(B.columns(), complex.count(k));
      const Tensor x = signal(B.columns()), y = signal(B.rows());
      expect_close(B.boundary(x), dense.mm(x));
      expect_close(B.coboundary(y), dense.t().mm(y));
      expect_close(B.absolute_boundary(x), dense.abs().mm(x));
      expect_close(B.absolute_coboundary(y), dense.abs().t().mm(y));
    }
  }
}

TEST(Incidence, ViewsTheTablesAndKeepsThemAlive) {
  auto complex = std::make_unique<SimplicialComplex>(kite());
  const void* faces = complex->face_table(1).data();
  const Incidence B(*complex, 1);
  EXPECT_EQ(B.faces().data_ptr(), faces);
  EXPECT_EQ(B.cofaces().data_ptr(), static_cast<const void*>(complex->coface_table(0).data()));
  const std::weak_ptr<const void> storage = complex->storage();
  complex.reset();
  EXPECT_FALSE(storage.expired());
  EXPECT_EQ(B.boundary(torch::ones({5, 1})).sum().item<float>(), 0);
}

TEST(Incidence, LetsGoOfTheTables) {
  std::weak_ptr<const void> storage;
  {
    const auto complex = kite();
    storage = complex.storage();
    const ComplexOperators operators(complex);
  }
  EXPECT_TRUE(storage.expired());
}

TEST(Incidence, ScaledMultipliesRowsAndColumns) {
  const auto complex = kite();
  const Incidence B(complex, 1);
  const Tensor dense = dense_boundary(complex, 1);
  const Tensor r = factors(B.rows(), "rows"), c = factors(B.columns(), "columns");
  const Tensor x = signal(B.columns()), y = signal(B.rows());
  const auto check = [&](const Incidence& scaled, const Tensor& expected) {
    expect_close(scaled.boundary(x), expected.mm(x));
    expect_close(scaled.coboundary(y), expected.t().mm(y));
    expect_close(scaled.absolute_boundary(x), expected.abs().mm(x));
    expect_close(scaled.absolute_coboundary(y), expected.abs().t().mm(y));
  };
  const Tensor both = torch::diag(r).mm(dense).mm(torch::diag(c));
  check(B.scaled(r, c), both);
  check(B.scaled(r, {}), torch::diag(r).mm(dense));
  check(B.scaled({}, c), dense.mm(torch::diag(c)));
  check(B.scaled({}, {}), dense);
  check(B.scaled(r, {}).scaled(r, c), torch::diag(r).mm(both));
  check(B, dense);
}

TEST(Incidence, ScaledBySignsIsTheReorientedOperator) {
  const auto complex = kite();
  const Tensor o1 = torch::tensor({1., -1., -1., 1., -1.}, torch::kFloat64),
               o2 = torch::tensor({-1., 1.}, torch::kFloat64);
  const Incidence B1 = Incidence(complex, 1).scaled({}, o1), B2 = Incidence(complex, 2).scaled(o1, o2);
  const Tensor x = signal(2);
  expect_close(B1.boundary(B2.boundary(x)), torch::zeros({5, 3}, torch::kFloat64));
  expect_close(B2.boundary(x), Incidence(complex, 2).boundary(x * o2.unsqueeze(1)) * o1.unsqueeze(1));
}

TEST(Incidence, ScaledIsDifferentiableInEveryArgument) {
  const auto complex = kite();
  for (int k = 1; k <= 2; ++k) {
    const Incidence B(complex, k);
    const Tensor r = factors(B.rows(), "rows"), c = factors(B.columns(), "columns");
    const TensorFunction down = [&](const Tensors& in) { return B.scaled(in[0], in[1]).boundary(in[2]); };
    const TensorFunction up = [&](const Tensors& in) { return B.scaled(in[0], in[1]).coboundary(in[2]); };
    expect_gradients(down, {r, c, signal(B.columns(), 2)});
    expect_gradients(up, {r, c, signal(B.rows(), 2)});
    expect_second_gradients(down, {r, c, signal(B.columns(), 2)});
    expect_second_gradients(up, {r, c, signal(B.rows(), 2)});
  }
}

// Columns of head h of a signal with H heads.
Tensor head(const Tensor& x, std::int64_t h, std::int64_t heads) {
  const std::int64_t width = x.size(-1) / heads;
  return x.narrow(-1, h * width, width);
}

TEST(Incidence, GroupedScalingIsALoopOverSignalsAndHeads) {
  const std::int64_t signals = 2, heads = 3, width = 2;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const auto complex = random_complex(seed);
    for (int k = 0; k <= complex.order() + 1; ++k) {
      const Incidence B(complex, k);
      const auto grouped = [&](std::int64_t rows, std::string_view purpose) {
        return signal(signals * rows, heads, purpose).view({signals, rows, heads});
      };
      const auto many = [&](std::int64_t rows) {
        return signal(signals * rows, heads * width, "many").view({signals, rows, heads * width});
      };
      const Tensor r = grouped(B.rows(), "rows"), c = grouped(B.columns(), "columns");
      const Tensor r0 = factors(B.rows(), "plain"), x = many(B.columns()), y = many(B.rows());
      const Tensor one = c.narrow(-1, 0, 1).select(0, 0);  // [N, 1]
      const Incidence all = B.scaled(r, c), mixed = B.scaled(r0, {}).scaled(r.select(0, 0), one);
      for (std::int64_t b = 0; b < signals; ++b) {
        for (std::int64_t h = 0; h < heads; ++h) {
          const auto check = [&](const Incidence& scaled, const Incidence& alone) {
            const Tensor xh = head(x[b], h, heads), yh = head(y[b], h, heads);
            const auto part = [&](const Tensor& z) { return head(z[b], h, heads); };
            EXPECT_EQ(distance(part(scaled.boundary(x)), alone.boundary(xh)), 0);
            EXPECT_EQ(distance(part(scaled.coboundary(y)), alone.coboundary(yh)), 0);
            EXPECT_EQ(distance(part(scaled.absolute_boundary(x)), alone.absolute_boundary(xh)), 0);
            EXPECT_EQ(distance(part(scaled.absolute_coboundary(y)), alone.absolute_coboundary(yh)), 0);
          };
          check(all, B.scaled(r[b].select(-1, h), c[b].select(-1, h)));
          check(mixed, B.scaled(r0 * r[0].select(-1, h), one.select(-1, 0)));
        }
      }
    }
  }
}

TEST(Incidence, GroupedScalingMakesManySignalsOfOne) {
  const Incidence B(kite(), 1);
  const Tensor r = signal(4 * B.rows(), 2, "rows").view({4, B.rows(), 2}), x = signal(B.columns(), 6);
  const Tensor y = B.scaled(r, {}).boundary(x);
  ASSERT_EQ(y.sizes(), at::IntArrayRef({4, B.rows(), 6}));
  for (int b = 0; b < 4; ++b) EXPECT_EQ(distance(y[b], B.scaled(r[b], {}).boundary(x)), 0);
}

// Wide groups are one op, narrow ones scaling, product and scaling: the same numbers in the same order.
TEST(Incidence, WideGroupsEqualNarrowOnesBitForBit) {
  const std::int64_t signals = 2, heads = 3, wide = 8, narrow = 2;
  for (const auto& complex : {kite(), random_complex(7)}) {
    for (int k = 1; k <= complex.order(); ++k) {
      const Incidence B(complex, k);
      const auto grouped = [&](std::int64_t rows, std::int64_t width, const char* purpose) {
        return signal(signals * rows, width, purpose).view({signals, rows, width});
      };
      const Tensor r = grouped(B.rows(), heads, "rows"), c = signal(B.columns(), 1, "columns");
      for (const Incidence& scaled : {B.scaled(r, c), B.scaled(r, c.squeeze(-1)), B.scaled(r, {})}) {
        for (const bool transposed : {false, true}) {
          const auto apply = [&](const Tensor& x) {
            return transposed ? scaled.coboundary(x) : scaled.boundary(x);
          };
          const auto slice = [&](const Tensor& x, std::int64_t first) {
            return x.unflatten(-1, {heads, wide}).narrow(-1, first, narrow).flatten(-2);
          };
          const Tensor x = grouped(transposed ? B.rows() : B.columns(), heads * wide, "x"), y = apply(x);
          for (std::int64_t first = 0; first < wide; first += narrow)
            EXPECT_EQ(distance(slice(y, first), apply(slice(x, first))), 0);
        }
      }
    }
  }
}

TEST(Incidence, GroupedScalingIsDifferentiableInEveryArgument) {
  const auto complex = kite();
  const Incidence B(complex, 2);
  const Tensor r = signal(2 * B.rows(), 2, "rows").view({2, B.rows(), 2});
  const Tensor c = signal(B.columns(), 2, "columns");  // shared by the signals
  const TensorFunction down = [&](const Tensors& in) { return B.scaled(in[0], in[1]).boundary(in[2]); };
  const TensorFunction up = [&](const Tensors& in) { return B.scaled(in[0], in[1]).coboundary(in[2]); };
  expect_gradients(down, {r, c, signal(B.columns(), 4)});
  expect_gradients(up, {r, c, signal(2 * B.rows(), 4).view({2, B.rows(), 4})});
  expect_second_gradients(down, {r, c, signal(B.columns(), 4)});
  expect_second_gradients(up, {r.select(0, 0), c, signal(B.rows(), 4)});
  // Groups wide enough for one op.
  const Tensor many = signal(2 * B.columns(), 8).view({2, B.columns(), 8});
  expect_gradients(down, {r, c, many});
  expect_gradients(up, {r.select(0, 0), c.select(1, 0), signal(B.rows(), 8)});
  expect_second_gradients(down, {r, c, many});
}

TEST(Incidence, LeadingDimensionsAndFloat32) {
  const Incidence B(kite(), 2);
  const Tensor x = torch::randn({3, 4, 2, 6});
  EXPECT_EQ(B.boundary(x).sizes(), at::IntArrayRef({3, 4, 5, 6}));
  EXPECT_EQ(B.boundary(x).scalar_type(), torch::kFloat32);
  EXPECT_TRUE(torch::equal(B.boundary(x)[2][1], B.boundary(x[2][1])));
}

TEST(ComplexOperators, LaplaciansEqualTheirMatrices) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const auto complex = random_complex(seed);
    const ComplexOperators operators(complex);
    EXPECT_EQ(operators.order(), complex.order());
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor x = signal(complex.count(k));
      expect_close(operators.lower_laplacian(k, x), dense_lower_laplacian(complex, k).mm(x));
      expect_close(operators.upper_laplacian(k, x), dense_upper_laplacian(complex, k).mm(x));
      expect_close(operators.laplacian(k, x), dense_laplacian(complex, k).mm(x));
    }
  }
}

template <class Call>
void expect_refused(Call call, std::initializer_list<std::string> words) {
  expect_error(Fault::argument, words, call);
}

TEST(Incidence, RefusesBadArguments) {
  const auto complex = kite();  // 5 vertices, 5 edges, 2 triangles
  const Incidence B(complex, 2);
  expect_refused([&] { Incidence(complex, -1); }, {"negative", "-1"});
  expect_refused(
      [&] {
        B.boundary(torch::ones({5, 1}));
      },
      {"Incidence::boundary", "2 rows", "2-simplices", "got 5"});
  expect_refused(
      [&] {
        B.coboundary(torch::ones({2, 1}));
      },
      {"Incidence::coboundary", "5 rows", "1-simplices", "got 2"});
  expect_refused([&] { B.boundary(torch::ones({2})); }, {"[2]", "unsqueeze"});
  expect_refused([&] { B.boundary({}); }, {"undefined"});
  expect_refused([&] { B.boundary(torch::empty({2, 1}, torch::kMeta)); }, {"meta", "cpu"});
  expect_refused([&] { B.boundary(torch::ones({2, 1}, torch::kInt64)); }, {"float32 or float64", "Long"});
  expect_refused([&] { B.scaled(torch::ones({4}), {}); }, {"Incidence::scaled", "row", "[5]", "[4]"});
  expect_refused([&] { B.scaled({}, torch::ones({3, 1})); }, {"column", "[2]", "[3, 1]"});
  expect_refused([&] { B.scaled({}, torch::ones({2}, torch::kInt64)); }, {"column", "Long"});
  expect_refused(
      [&] {
        B.scaled({}, torch::ones({2}, torch::kFloat64)).boundary(torch::ones({2, 1}));
      },
      {"Float", "Double"});
  const Tensor three = torch::ones({2, 3});
  expect_refused([&] { B.scaled({}, three).boundary(torch::ones({2, 4})); }, {"multiple of 3", "got 4"});
  expect_refused([&] { B.scaled(torch::ones({5, 2}), three); }, {"groups", "[5, 2]", "[2, 3]"});
  expect_refused([&] { B.scaled({}, three).scaled({}, torch::ones({2, 2})); }, {"[2, 3]", "[2, 2]"});
  expect_refused([&] { B.scaled({}, torch::ones({2, 0})); }, {"column", "[2, 0]"});
  expect_refused([&] { B.scaled(torch::ones({5}), torch::ones({2}, torch::kFloat64)); }, {"Float", "Double"});
  expect_refused(
      [&] {
        B.scaled(torch::ones({4, 5, 3}), torch::ones({3, 2, 3}));
      },
      {"[4, 5, 3]", "broadcast"});
  expect_refused(
      [&] {
        B.scaled({}, torch::ones({4, 2, 3})).boundary(torch::ones({3, 2, 3}));
      },
      {"Incidence::boundary", "[4, 2, 3]", "broadcast"});
  expect_refused([&] { ComplexOperators(complex).incidence(-1); }, {"negative", "-1"});
}

#ifdef GSAN_HAVE_RAPIDCHECK
// Small integers: every sum is exact, so the laws hold to the last bit.
Tensor integer_signal(std::int64_t rows) {
  const auto values =
      *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(rows), rc::gen::inRange(-50, 50));
  return torch::tensor(values, torch::kFloat64).reshape({rows, 1});
}

RC_GTEST_PROP(IncidenceLaw, BoundaryOfABoundaryVanishes, (const SimplicialComplex& complex)) {
  const ComplexOperators operators(complex);
  for (int k = 1; k <= complex.order(); ++k) {
    const Tensor x = integer_signal(complex.count(k + 1)), y = integer_signal(complex.count(k - 1));
    const Incidence &B = operators.incidence(k), &above = operators.incidence(k + 1);
    RC_ASSERT(B.boundary(above.boundary(x)).count_nonzero().item<std::int64_t>() == 0);
    RC_ASSERT(above.coboundary(B.coboundary(y)).count_nonzero().item<std::int64_t>() == 0);
  }
}

RC_GTEST_PROP(IncidenceLaw, CoboundaryIsTheAdjointOfBoundary, (const SimplicialComplex& complex)) {
  const ComplexOperators operators(complex);
  for (int k = 0; k <= complex.order() + 1; ++k) {
    const Incidence& B = operators.incidence(k);
    const Tensor x = integer_signal(B.columns()), y = integer_signal(B.rows());
    RC_ASSERT(B.boundary(x).mul(y).sum().item<double>() == B.coboundary(y).mul(x).sum().item<double>());
  }
}
#endif

}  // namespace
}  // namespace gsan
