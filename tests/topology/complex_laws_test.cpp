// Laws of every SimplicialComplex (spec 1), over random complexes.

#include <algorithm>
#include <map>
#include <thread>

#include <gtest/gtest.h>
#ifdef GSAN_HAVE_RAPIDCHECK
#include <rapidcheck/gtest.h>
#endif

#include "gsan/core/check.h"
#include "gsan/topology/clique_complex.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

std::vector<std::vector<Vertex>> vertex_tables(const SimplicialComplex& complex) {
  std::vector<std::vector<Vertex>> tables;
  for (int k = 0; k <= complex.order(); ++k) {
    const auto table = complex.vertex_table(k);
    tables.emplace_back(table.begin(), table.end());
  }
  return tables;
}

bool rows_increase_and_stand_in_order(const SimplicialComplex& complex) {
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      const auto row = complex.vertices(k, i);
      if (!std::is_sorted(row.begin(), row.end(), std::less_equal<>())) return false;
      if (i > 0 && !std::ranges::lexicographical_compare(complex.vertices(k, i - 1), row)) return false;
    }
  }
  return true;
}

bool face_j_omits_vertex_j(const SimplicialComplex& complex) {
  for (int k = 1; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      for (int j = 0; j <= k; ++j) {
        const auto row = complex.vertices(k, i);
        std::vector<Vertex> face(row.begin(), row.end());
        face.erase(face.begin() + j);
        if (!std::ranges::equal(complex.vertices(k - 1, complex.faces(k, i)[j]), face)) return false;
      }
    }
  }
  return true;
}

bool boundary_of_boundary_is_zero(const SimplicialComplex& complex) {
  for (int k = 2; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      std::map<Index, int> sum;
      for (int j = 0; j <= k; ++j) {
        const Index face = complex.faces(k, i)[j];
        for (int l = 0; l < k; ++l) sum[complex.faces(k - 1, face)[l]] += face_sign(j) * face_sign(l);
      }
      if (std::ranges::any_of(sum, [](const auto& entry) { return entry.second != 0; })) return false;
    }
  }
  return true;
}

bool every_simplex_is_found(const SimplicialComplex& complex) {
  for (int k = 0; k <= complex.order(); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      if (complex.find(complex.vertices(k, i)) != i) return false;
    }
  }
  return true;
}

bool cofaces_transpose_faces(const SimplicialComplex& complex) {
  for (int k = 0; k <= complex.order(); ++k) {
    std::size_t seen = 0;
    for (Index i = 0; i < complex.count(k); ++i) {
      const auto cofaces = complex.cofaces(k, i);
      if (!std::is_sorted(cofaces.begin(), cofaces.end(), std::less_equal<>())) return false;
      for (std::size_t n = 0; n < cofaces.size(); ++n, ++seen) {
        const int column = complex.coface_columns(k)[complex.coface_offsets(k)[i] + n];
        if (complex.faces(k + 1, cofaces[n])[column] != i) return false;
      }
    }
    if (seen != complex.face_table(k + 1).size()) return false;
  }
  return true;
}

TEST(ComplexLaws, HoldForRandomComplexes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SimplicialComplex complex = random_complex(seed, {.max_order = 5, .max_vertices = 15});
    ASSERT_TRUE(rows_increase_and_stand_in_order(complex)) << seed;
    ASSERT_TRUE(face_j_omits_vertex_j(complex)) << seed;
    ASSERT_TRUE(boundary_of_boundary_is_zero(complex)) << seed;
    ASSERT_TRUE(every_simplex_is_found(complex)) << seed;
    ASSERT_TRUE(cofaces_transpose_faces(complex)) << seed;
    ASSERT_EQ(SimplicialComplex::from_sorted_tables(vertex_tables(complex)), complex) << seed;
  }
}

TEST(ComplexLaws, DroppingAnyFaceIsAnError) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const SimplicialComplex complex = random_complex(seed, {.max_order = 4, .max_vertices = 8});
    for (int k = 1; k < complex.order(); ++k) {
      for (Index i = 0; i < complex.count(k); ++i) {
        auto tables = vertex_tables(complex);
        const auto row = tables[k].begin() + std::ptrdiff_t{i} * (k + 1);
        tables[k].erase(row, row + k + 1);
        if (complex.cofaces(k, i).empty())
          EXPECT_NO_THROW(SimplicialComplex::from_sorted_tables(tables));
        else
          EXPECT_THROW(SimplicialComplex::from_sorted_tables(tables), Error) << "seed " << seed;
      }
    }
  }
}

TEST(ComplexLaws, SwappedOrRepeatedRowsAreErrors) {
  const SimplicialComplex complex = ComplexBuilder().add({0, 1, 2, 3}).add({2, 3, 4}).build();
  for (int k = 0; k <= 2; ++k) {
    const auto tables = vertex_tables(complex);
    auto swapped = tables;
    std::swap_ranges(swapped[k].begin(), swapped[k].begin() + k + 1, swapped[k].begin() + k + 1);
    EXPECT_THROW(SimplicialComplex::from_sorted_tables(swapped), Error) << k;
    auto repeated = tables;
    const std::vector<Vertex> row(tables[k].begin(), tables[k].begin() + k + 1);
    repeated[k].insert(repeated[k].begin(), row.begin(), row.end());
    EXPECT_THROW(SimplicialComplex::from_sorted_tables(repeated), Error) << k;
    auto cut = tables;
    cut[2].pop_back();
    EXPECT_THROW(SimplicialComplex::from_sorted_tables(cut), Error);
  }
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{0, 1, 3}}), Error);
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{}, {0, 1}}), Error);
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{0, 1}, {-1, 1}}), Error);
}

// What is built on first use is the same from any thread.
TEST(ComplexLaws, TablesBuiltOnFirstUseAreSafeFromManyThreads) {
  std::vector<Edge> edges;
  for (Vertex a = 0; a < 12; ++a) {
    for (Vertex b = a + 1; b < 12; ++b) edges.push_back({a, b});
  }
  const SimplicialComplex complex = clique_complex(edges, 12, 5);
  std::vector<std::size_t> sums(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t& sum : sums) {
    threads.emplace_back([&] {
      for (int k = 5; k >= 0; --k) {
        for (const Vertex v : complex.vertex_table(k)) sum += v;
        for (const Index i : complex.coface_table(k)) sum += i;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(std::ranges::all_of(sums, [&](std::size_t sum) { return sum == sums[0]; }));
  EXPECT_TRUE(every_simplex_is_found(complex));
}

#ifdef GSAN_HAVE_RAPIDCHECK
RC_GTEST_PROP(ComplexLawsProperty, BoundaryOfBoundaryIsZero, (const SimplicialComplex& complex)) {
  RC_ASSERT(boundary_of_boundary_is_zero(complex));
}

RC_GTEST_PROP(ComplexLawsProperty, FacesAreTheRowsWithoutOneVertex, (const SimplicialComplex& complex)) {
  RC_ASSERT(rows_increase_and_stand_in_order(complex));
  RC_ASSERT(face_j_omits_vertex_j(complex));
  RC_ASSERT(every_simplex_is_found(complex));
}

RC_GTEST_PROP(ComplexLawsProperty, CofacesTransposeFaces, (const SimplicialComplex& complex)) {
  RC_ASSERT(cofaces_transpose_faces(complex));
}
#endif

}  // namespace
}  // namespace gsan
