#include "gsan/topology/builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/topology/subcomplex.h"

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// Every non-empty subset of every listed simplex, and the vertices 0 … vertex_count − 1.
std::vector<std::vector<Vertex>> closure_by_subsets(const SimplexList& list) {
  std::vector<std::set<std::vector<Vertex>>> orders(1);
  Index n = list.vertex_count;
  for (std::vector<Vertex> simplex : list.simplices) {
    std::sort(simplex.begin(), simplex.end());
    n = std::max(n, simplex.back() + 1);
    if (orders.size() < simplex.size()) orders.resize(simplex.size());
    for (unsigned subset = 1; subset < 1u << simplex.size(); ++subset) {
      std::vector<Vertex> face;
      for (std::size_t i = 0; i < simplex.size(); ++i) {
        if (subset >> i & 1) face.push_back(simplex[i]);
      }
      orders[face.size() - 1].insert(face);
    }
  }
  for (Vertex v = 0; v < n; ++v) orders[0].insert({v});
  std::vector<std::vector<Vertex>> tables;
  for (const auto& order : orders) {
    tables.emplace_back();
    for (const auto& row : order) tables.back().insert(tables.back().end(), row.begin(), row.end());
  }
  return tables;
}

void expect_fault(Fault fault, const std::string& part, const std::function<void()>& run) {
  try {
    run();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(ComplexBuilder, ClosureIsTheSetOfAllSubsets) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const int max_order : {1, 3, 7}) {  // up to 8 vertices: narrow and wide rows
      const SimplexList list = random_simplex_list(seed, {.max_order = max_order, .max_vertices = 14});
      const auto tables = closure_by_subsets(list);
      const SimplicialComplex complex = list.build();
      for (int k = 0; k < static_cast<int>(tables.size()); ++k) {
        const auto built = complex.vertex_table(k);
        ASSERT_EQ(std::vector<Vertex>(built.begin(), built.end()), tables[k])
            << "seed " << seed << " order " << k;
      }
      ASSERT_EQ(complex, SimplicialComplex::from_sorted_tables(tables)) << "seed " << seed;
    }
  }
}

TEST(ComplexBuilder, ListsInAnyOrderGiveTheSameComplex) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SimplexList list = random_simplex_list(seed);
    const SimplicialComplex complex = list.build();
    std::mt19937_64 engine(seed);
    std::shuffle(list.simplices.begin(), list.simplices.end(), engine);
    for (auto& simplex : list.simplices) std::shuffle(simplex.begin(), simplex.end(), engine);
    const std::size_t size = list.simplices.size();
    for (std::size_t i = 0; i < size / 2; ++i) list.simplices.push_back(list.simplices[i]);
    ASSERT_EQ(list.build(), complex) << "seed " << seed;
  }
}

TEST(ComplexBuilder, IsUnchangedByBuildAndByARejectedSimplex) {
  ComplexBuilder builder;
  builder.add({0, 1, 2});
  const SimplicialComplex before = builder.build();
  EXPECT_THROW(builder.add({7, 8, 7}), Error);
  EXPECT_THROW(builder.add({-1, 9}), Error);
  EXPECT_EQ(builder.build(), before);
}

TEST(ComplexBuilder, SkippedIdsAreIsolatedVertices) {
  const SimplicialComplex complex = ComplexBuilder().add({2, 5}).build();
  EXPECT_EQ(complex.count(0), 6);
  EXPECT_EQ(complex.count(1), 1);
}

TEST(ComplexBuilder, BadVerticesAreErrorsThatShowTheList) {
  expect_fault(Fault::argument, "(3 -2)", [] { ComplexBuilder().add({3, -2}); });
  expect_fault(Fault::argument, "vertex 4 twice in (4 1 4)", [] { ComplexBuilder().add({4, 1, 4}); });
  expect_fault(Fault::argument, "2147483647", [] {
    ComplexBuilder().add({0, std::numeric_limits<Vertex>::max()});
  });
  expect_fault(Fault::argument, "empty", [] { ComplexBuilder().add(std::vector<Vertex>{}); });
  expect_fault(Fault::argument, "-1", [] { ComplexBuilder().add_vertices(-1); });
}

TEST(ComplexBuilder, FacesOfALargeSimplexAreCountedBeforeTheyAreMade) {
  std::vector<Vertex> simplex(60);
  std::iota(simplex.begin(), simplex.end(), 0);
  expect_fault(Fault::resource, "60 vertices", [&] { ComplexBuilder().add(simplex); });
  simplex.resize(20);  // 2^20 − 1 faces
  expect_fault(Fault::resource, "max_simplices = 1000000",
               [&] { ComplexBuilder({.max_simplices = 1'000'000}).add(simplex); });
  expect_fault(Fault::resource, "max_memory", [&] { ComplexBuilder({.max_memory = 1 << 20}).add(simplex); });
  // More orders than the tables can name are an error, too, not a crash.
  simplex.resize(1000);
  std::iota(simplex.begin(), simplex.end(), 0);
  expect_fault(Fault::resource, "1000 vertices", [&] {
    ComplexBuilder({.max_simplices = std::numeric_limits<std::int64_t>::max()}).add(simplex);
  });
}

TEST(ComplexBuilder, ASkeletonIsThatOfTheWholeComplex) {
  const std::vector<std::vector<Vertex>> simplices{
      {4, 1, 0, 9, 6}, {2, 3}, {9, 4, 2, 1}, {12}, {0, 1, 4, 6, 9}};
  for (int order = 0; order <= 5; ++order) {
    ComplexBuilder whole, some;
    for (const auto& simplex : simplices) whole.add(simplex), some.add_skeleton(simplex, order);
    EXPECT_EQ(some.build(), skeleton(whole.build(), order).complex) << order;
  }
  ComplexBuilder large;  // its 2^40 faces are never made, and the same ones are merged
  std::vector<Vertex> many(40);
  std::iota(many.begin(), many.end(), 0);
  for (int i = 0; i < 150; ++i) large.add_skeleton(many, 2);
  EXPECT_EQ(large.build().count(2), 9880);
  ComplexBuilder limited(Limits{9000, std::size_t{1} << 30});
  expect_error(Fault::resource, {"9880", "40 vertices"}, [&] { limited.add_skeleton(many, 2); });
  expect_error(Fault::argument, {"differ", "7"}, [&] {
    limited.add_skeleton(std::vector<Vertex>{7, 1, 7}, 1);
  });
  expect_error(Fault::argument, {"-1"}, [&] { limited.add_skeleton(std::vector<Vertex>{-1, 1, 7}, 1); });
}

TEST(ComplexBuilder, ClosureStopsAtTheLimits) {
  // 100 disjoint triangles: 300 vertices, 300 edges, 100 triangles.
  const auto build = [](Limits limits) {
    ComplexBuilder builder(limits);
    for (Vertex v = 0; v < 300; v += 3) builder.add({v, v + 1, v + 2});
    return builder.build();
  };
  EXPECT_EQ(build({.max_simplices = 700}).count(1), 300);
  expect_fault(Fault::resource, "max_simplices = 699", [&] { build({.max_simplices = 699}); });
  expect_fault(Fault::resource, "max_simplices = 299", [&] { build({.max_simplices = 299}); });
  expect_fault(Fault::resource, "max_memory", [&] { build({.max_memory = 5000}); });
  expect_fault(Fault::resource, "without gaps", [] { ComplexBuilder().add({2'000'000'000}).build(); });
}

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(ComplexBuilderProperty, RebuildingFromAllSimplicesChangesNothing,
              (const SimplicialComplex& complex)) {
  ComplexBuilder builder;
  for (int k = complex.order(); k >= 0; --k) {
    for (Index i = 0; i < complex.count(k); ++i) builder.add(complex.vertices(k, i));
  }
  RC_ASSERT(builder.build() == complex);
}
#endif

}  // namespace
}  // namespace gsan
