#include "gsan/hodge/neighborhood/neighborhood.h"

#include <algorithm>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/limits.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/expect_error.h"
#include "support/memory_meter.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

constexpr std::size_t plenty = Limits{}.max_memory;

Neighborhood neighborhood(const SimplicialComplex& complex, int k, Side side) {
  return make_neighborhood(complex, k, side, plenty);
}

template <class Check>
void for_all_neighborhoods(const Check& check) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (int k = 0; k <= complex.order(); ++k) {
      for (const Side side : {Side::lower, Side::upper, Side::both}) {
        SCOPED_TRACE(concat("seed ", seed, " k ", k, " side ", static_cast<int>(side)));
        check(complex, k, side, neighborhood(complex, k, side));
      }
    }
  }
}

// The Laplacian whose pattern and signs a side has.
Tensor laplacian_of(const SimplicialComplex& complex, int k, Side side) {
  const bool lower = side == Side::lower || (side == Side::both && k > 0);
  return lower ? dense_lower_laplacian(complex, k) : dense_upper_laplacian(complex, k);
}

bool same(const Neighborhood& a, const Neighborhood& b) {
  return torch::equal(a.offsets, b.offsets) && torch::equal(a.sources, b.sources) &&
         torch::equal(a.mirror, b.mirror) && torch::equal(a.shared, b.shared) &&
         torch::equal(a.signs, b.signs);
}

// Receivers and sources in order, from the dense Laplacian.
PairList dense_pair_list(const SimplicialComplex& complex, int k, Side side) {
  const Tensor pattern = laplacian_of(complex, k, side).fill_diagonal_(1).ne(0);
  const Tensor offsets = torch::cat({torch::zeros({1}, torch::kInt64), pattern.sum(1).cumsum(0)});
  return {offsets, pattern.nonzero().select(1, 1).to(torch::kInt32)};
}

bool same(const PairList& a, const PairList& b) {
  return torch::equal(a.offsets, b.offsets) && torch::equal(a.sources, b.sources);
}

// Dense [N, N] with value_e at (receiver, source).
Tensor dense(const Neighborhood& n, const Tensor& values) {
  Tensor matrix = torch::zeros({n.simplices(), n.simplices()}, torch::kFloat64);
  return matrix.index_put_({n.receivers().to(torch::kInt64), n.sources.to(torch::kInt64)},
                           values.to(torch::kFloat64));
}

TEST(Neighborhood, HasThePatternAndTheSignsOfTheLaplacian) {
  for_all_neighborhoods([](const SimplicialComplex& complex, int k, Side side, const Neighborhood& n) {
    Tensor expected = laplacian_of(complex, k, side).sign();
    expected.fill_diagonal_(1);
    EXPECT_EQ(n.simplices(), complex.count(k));
    EXPECT_EQ(n.pairs(), expected.count_nonzero().item<std::int64_t>()) << complex;
    EXPECT_TRUE(torch::equal(dense(n, n.signs), expected)) << complex;
  });
}

TEST(Neighborhood, TheUnionIsTheLowerOneOrThatOfVertices) {
  for_all_neighborhoods([](const SimplicialComplex& complex, int k, Side side, const Neighborhood& n) {
    if (side != Side::both) return;
    EXPECT_TRUE(same(n, neighborhood(complex, k, k > 0 ? Side::lower : Side::upper)));
    // Which is the union indeed.
    const Tensor either = dense_lower_laplacian(complex, k).abs() + dense_upper_laplacian(complex, k).abs();
    const Tensor pattern = either.ne(0).to(torch::kFloat64).fill_diagonal_(1);
    // Both Laplacians cancel nowhere in absolute value, so the pattern is N^d ∪ N^u.
    EXPECT_TRUE(torch::equal(dense(n, torch::ones({n.pairs()})), pattern));
  });
}

// Simplices of every order, also beyond those with code of their own.
TEST(PairList, IsThePatternOfTheLaplacianInRows) {
  std::vector<SimplicialComplex> complexes{complete_complex(8, 6), complete_complex(7, 4), cycle(5),
                                           sheet(4, 3)};
  for (std::uint64_t seed = 0; seed < 20; ++seed) complexes.push_back(random_complex(seed));
  for (const SimplicialComplex& complex : complexes) {
    for (int k = 0; k <= complex.order(); ++k) {
      for (const Side side : {Side::lower, Side::upper, Side::both}) {
        SCOPED_TRACE(concat(" k ", k, " side ", static_cast<int>(side)));
        const PairList pairs = make_pair_list(complex, k, side, plenty);
        EXPECT_TRUE(same(pairs, dense_pair_list(complex, k, side))) << complex;
        const Neighborhood n = make_neighborhood(complex, k, side, pairs, plenty);
        EXPECT_TRUE(n.sources.is_alias_of(pairs.sources) && n.offsets.is_alias_of(pairs.offsets));
        EXPECT_TRUE(same(n, neighborhood(complex, k, side)));
      }
    }
  }
}

TEST(PairList, HoldsFourBytesAPairAndStopsBeforeItAllocatesMoreThanAllowed) {
  const SimplicialComplex complex = sheet(200, 200);  // 120400 edges
  const std::int64_t pairs = count_pairs(complex, 1, Side::lower);
  const MemoryMeter meter;
  expect_error(Fault::resource, {"make_pair_list", std::to_string(pairs), "120400", "max_memory = 1 MiB"},
               [&] { make_pair_list(complex, 1, Side::lower, std::size_t{1} << 20); });
  EXPECT_EQ(meter.peak(), 0);
  const PairList list = make_pair_list(complex, 1, Side::lower, 4 * pairs + 8 * 120400 + 8);
  EXPECT_LE(meter.peak(), 4 * pairs + 8 * 120401 + 2 * 64);
}

TEST(PairList, OfAnotherComplexMakesNoNeighbourhood) {
  expect_error(Fault::argument, {"make_neighborhood", "5 rows", "15 pairs", "got 4 and 12"}, [&] {
    make_neighborhood(cycle(5), 1, Side::lower, make_pair_list(cycle(4), 1, Side::lower, plenty), plenty);
  });
}

TEST(Neighborhood, EverySimplexIsItsOwnNeighbourAndRowsIncrease) {
  for_all_neighborhoods([](const SimplicialComplex&, int, Side, const Neighborhood& n) {
    const auto offsets = n.offsets.accessor<std::int64_t, 1>();
    const auto sources = n.sources.accessor<std::int32_t, 1>(), shared = n.shared.accessor<std::int32_t, 1>();
    for (std::int64_t i = 0; i < n.simplices(); ++i) {
      int selves = 0;
      for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e) {
        selves += sources[e] == i;
        EXPECT_EQ(shared[e] == -1, sources[e] == i);
        if (e > offsets[i]) {
          EXPECT_LT(sources[e - 1], sources[e]);
        }
      }
      EXPECT_EQ(selves, 1);
    }
  });
}

TEST(Neighborhood, MirrorIsTheTransposeAndAnInvolution) {
  for_all_neighborhoods([](const SimplicialComplex&, int, Side, const Neighborhood& n) {
    const Tensor mirror = n.mirror.to(torch::kInt64), receivers = n.receivers();
    EXPECT_TRUE(torch::equal(mirror.index_select(0, mirror), torch::arange(n.pairs(), torch::kInt64)));
    EXPECT_TRUE(torch::equal(n.sources.index_select(0, mirror), receivers));
    EXPECT_TRUE(torch::equal(receivers.index_select(0, mirror), n.sources));
    EXPECT_TRUE(torch::equal(n.shared.index_select(0, mirror), n.shared));
    EXPECT_TRUE(torch::equal(n.signs.index_select(0, mirror), n.signs));
  });
}

TEST(Neighborhood, NamesTheSharedSimplex) {
  for_all_neighborhoods([](const SimplicialComplex& complex, int k, Side side, const Neighborhood& n) {
    const bool lower = side == Side::lower || (side == Side::both && k > 0);
    const Tensor receivers = n.receivers();
    const auto to = receivers.accessor<Index, 1>(), from = n.sources.accessor<Index, 1>(),
               number = n.shared.accessor<Index, 1>();
    for (std::int64_t e = 0; e < n.pairs(); ++e) {
      const Index i = to[e], j = from[e], shared = number[e];
      if (i == j) continue;
      const auto a = complex.vertices(k, i), b = complex.vertices(k, j);
      std::vector<Vertex> common;
      if (lower)
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      else
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      const auto found = complex.vertices(lower ? k - 1 : k + 1, shared);
      EXPECT_TRUE(std::equal(common.begin(), common.end(), found.begin(), found.end()));
    }
  });
}

TEST(Neighborhood, IsCountedWithoutBeingBuilt) {
  for_all_neighborhoods([](const SimplicialComplex& complex, int k, Side side, const Neighborhood& n) {
    EXPECT_EQ(count_pairs(complex, k, side), n.pairs());
  });
  EXPECT_EQ(count_pairs(complete_complex(40, 2), 1, Side::lower), 780 * (1 + 2 * 38));
  EXPECT_EQ(count_pairs(complete_complex(40, 2), 1, Side::upper), 780 * (1 + 2 * 38));
  EXPECT_EQ(count_pairs(complete_complex(40, 2), 2, Side::upper), 9880);
  EXPECT_EQ(count_pairs(SimplicialComplex(), 0, Side::both), 0);
  EXPECT_EQ(count_pairs(cycle(5), 7, Side::both), 0);
  EXPECT_THROW(count_pairs(cycle(5), -1, Side::both), Error);
}

TEST(Neighborhood, OrdersWithoutSimplicesOrNeighbours) {
  for (const Side side : {Side::lower, Side::upper, Side::both}) {
    const Neighborhood none = neighborhood(cycle(5), 2, side);
    EXPECT_EQ(none.simplices(), 0);
    EXPECT_EQ(none.pairs(), 0);
    EXPECT_EQ(none.receivers().numel(), 0);
  }
  for (const Neighborhood& selves :
       {neighborhood(cycle(5), 0, Side::lower), neighborhood(cycle(5), 1, Side::upper)}) {
    EXPECT_TRUE(torch::equal(selves.sources, torch::arange(5, torch::kInt32)));
    EXPECT_TRUE(torch::equal(selves.mirror, selves.sources));
    EXPECT_TRUE(torch::equal(selves.shared, torch::full({5}, -1, torch::kInt32)));
    EXPECT_TRUE(torch::equal(selves.signs, torch::ones({5}, torch::kInt8)));
  }
}

TEST(Neighborhood, TablesHaveTheTypesOfTheOps) {
  const Neighborhood n = neighborhood(sheet(3, 3), 1, Side::lower);
  EXPECT_EQ(n.offsets.scalar_type(), torch::kInt64);
  for (const Tensor& table : {n.sources, n.mirror, n.shared, n.receivers()})
    EXPECT_EQ(table.scalar_type(), torch::kInt32);
  EXPECT_EQ(n.signs.scalar_type(), torch::kInt8);
}

TEST(Neighborhood, DoesNotDependOnThreads) {
  const SimplicialComplex complex = sheet(60, 60);
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const Neighborhood one = neighborhood(complex, 1, Side::lower);
  at::set_num_threads(3);
  EXPECT_TRUE(same(one, neighborhood(complex, 1, Side::lower)));
  at::set_num_threads(threads);
}

// A batch: the pairs of the parts, one block after the other, with shared numbers of each part's own.
TEST(Neighborhood, OfADisjointUnionIsThatOfItsParts) {
  std::vector<SimplicialComplex> parts = {sheet(2, 2),       SimplicialComplex(),    cycle(4),
                                          random_complex(7), complete_complex(1, 0), random_complex(15)};
  const DisjointUnion batch = disjoint_union(parts);
  for (int k = 0; k <= batch.complex.order(); ++k) {
    for (const Side side : {Side::lower, Side::upper, Side::both}) {
      const bool lower = side == Side::lower || (side == Side::both && k > 0);
      const int shared_order = lower ? k - 1 : k + 1;
      const bool exists = shared_order >= 0 && shared_order <= batch.complex.order();
      const std::vector<Index> zeros(parts.size() + 1, 0);
      const Neighborhood all =
          make_neighborhood(batch.complex, k, side, plenty, exists ? batch.offsets[shared_order] : zeros);
      std::int64_t row = 0, pair = 0;
      for (const SimplicialComplex& part : parts) {
        const Neighborhood own = neighborhood(part, k, side);
        const auto block = [&](const Tensor& table) { return table.slice(0, pair, pair + own.pairs()); };
        EXPECT_TRUE(torch::equal(block(all.sources) - row, own.sources));
        EXPECT_TRUE(torch::equal(block(all.mirror) - pair, own.mirror));
        EXPECT_TRUE(torch::equal(block(all.shared), own.shared));
        EXPECT_TRUE(torch::equal(block(all.signs), own.signs));
        row += own.simplices(), pair += own.pairs();
      }
      EXPECT_EQ(pair, all.pairs());
    }
  }
}

TEST(Neighborhood, StopsBeforeItAllocatesMoreThanAllowed) {
  const SimplicialComplex complex = sheet(200, 200);  // 120400 edges
  const std::int64_t pairs = count_pairs(complex, 1, Side::lower);
  const MemoryMeter meter;
  expect_error(Fault::resource,
               {"make_neighborhood", std::to_string(pairs), "120400", "MiB", "max_memory = 1 MiB"},
               [&] { make_neighborhood(complex, 1, Side::lower, std::size_t{1} << 20); });
  expect_error(Fault::resource, {"max_memory = 3 bytes", "bytes for"},
               [&] { make_neighborhood(cycle(4), 0, Side::upper, 3); });
  EXPECT_EQ(meter.peak(), 0);
  const Neighborhood n = make_neighborhood(complex, 1, Side::lower, std::size_t{64} << 20);
  EXPECT_LE(meter.current(), 13 * pairs + 12 * 120400 + 5 * 64);
}

// A star of 50000 edges has 2.5e9 pairs of edges: they are counted, and refused, at once.
TEST(Neighborhood, RefusesMorePairsThanInt32Numbers) {
  ComplexBuilder builder;
  for (Vertex v = 1; v <= 50000; ++v) builder.add({0, v});
  const SimplicialComplex star = builder.build();
  EXPECT_EQ(count_pairs(star, 1, Side::both), std::int64_t{50000} * 50000);
  expect_error(Fault::resource, {"2500000000", "2147483647"},
               [&] { make_neighborhood(star, 1, Side::lower, std::numeric_limits<std::size_t>::max()); });
  EXPECT_EQ(neighborhood(star, 0, Side::upper).pairs(), 50001 + 2 * 50000);
}

TEST(Neighborhood, RefusesPartsThatDoNotFit) {
  const std::vector<Index> wrong = {0, 4};
  expect_error(Fault::argument, {"make_neighborhood", "parts", "5", "4"},
               [&] { make_neighborhood(cycle(5), 1, Side::lower, plenty, wrong); });
}

}  // namespace
}  // namespace gsan
