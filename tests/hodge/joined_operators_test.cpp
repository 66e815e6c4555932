// The operators of a batch from those of its parts are those of the disjoint union.

#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/neighborhood/detail/joined_neighborhoods.h"
#include "gsan/hodge/operators.h"
#include "gsan/hodge/solve/random_signal.h"

#include "hodge/sample_complexes.h"
#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

void expect_equal(const Tensor& a, const Tensor& b, const char* what) {
  EXPECT_EQ(a.scalar_type(), b.scalar_type()) << what;
  EXPECT_TRUE(torch::equal(a, b)) << what;
}

// Parts of orders 0 … 3, empty ones, and every third part once more.
std::vector<SimplicialComplex> random_parts(std::uint64_t seed, int count) {
  std::vector<SimplicialComplex> parts;
  for (int p = 0; p < count; ++p)
    parts.push_back(p % 3 == 2 ? parts[static_cast<std::size_t>(p / 2)]
                               : random_complex(31 * seed + static_cast<std::uint64_t>(p), {p % 4, 9}));
  return parts;
}

std::vector<ComplexOperators> operators_of(const std::vector<SimplicialComplex>& parts) {
  std::vector<ComplexOperators> all;
  for (const SimplicialComplex& part : parts) all.emplace_back(part);
  return all;
}

void expect_same_tables(const SimplicialComplex& a, const SimplicialComplex& b) {
  ASSERT_EQ(a, b);
  for (int k = 0; k <= a.order(); ++k) {
    EXPECT_TRUE(std::ranges::equal(a.coface_offsets(k), b.coface_offsets(k)));
    EXPECT_TRUE(std::ranges::equal(a.coface_table(k), b.coface_table(k)));
    EXPECT_TRUE(std::ranges::equal(a.coface_columns(k), b.coface_columns(k)));
    EXPECT_TRUE(std::ranges::equal(a.vertex_table(k), b.vertex_table(k)));
  }
}

void expect_same_structures(const ComplexOperators& a, const ComplexOperators& b) {
  ASSERT_EQ(a.part_count(), b.part_count());
  expect_same_tables(a.complex(), b.complex());
  for (int k = 0; k <= b.order() + 2; ++k) {
    SCOPED_TRACE(concat("k ", k));
    EXPECT_TRUE(std::ranges::equal(a.parts(k), b.parts(k)));
    expect_equal(a.part_offsets(k), b.part_offsets(k), "part_offsets");
    expect_equal(a.part_keys(k), b.part_keys(k), "part_keys");
    expect_equal(a.local_numbers(k), b.local_numbers(k), "local_numbers");
    expect_equal(a.lambda_bound(k), b.lambda_bound(k), "lambda_bound");
    expect_equal(a.coface_counts(k), b.coface_counts(k), "coface_counts");
    EXPECT_TRUE(torch::allclose(a.lambda_max(k), b.lambda_max(k), 1e-5, 0));
    for (const Side side : {Side::lower, Side::upper, Side::both}) {
      SCOPED_TRACE(static_cast<int>(side));
      const Neighborhood &found = a.neighborhood(k, side), &expected = b.neighborhood(k, side);
      expect_equal(a.pair_list(k, side).offsets, b.pair_list(k, side).offsets, "offsets of the list");
      expect_equal(a.pair_list(k, side).sources, b.pair_list(k, side).sources, "sources of the list");
      expect_equal(found.offsets, expected.offsets, "offsets");
      expect_equal(found.sources, expected.sources, "sources");
      expect_equal(found.mirror, expected.mirror, "mirror");
      expect_equal(found.shared, expected.shared, "shared");
      expect_equal(found.signs, expected.signs, "signs");
    }
    const Tensor x = random_signal(b.count(k), 2, concat("x", k), torch::kFloat64);
    expect_equal(a.laplacian(k, x), b.laplacian(k, x), "laplacian");
  }
}

TEST(JoinedOperators, AreThoseOfTheDisjointUnionBitForBit) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(concat("seed ", seed));
    const auto parts = random_parts(seed, static_cast<int>(3 * seed));
    std::vector<std::int32_t> keys;
    for (std::size_t p = 0; p < parts.size(); ++p) keys.push_back(static_cast<std::int32_t>(100 - 3 * p));
    const ComplexOperators united(disjoint_union(parts), {}, keys);
    expect_same_structures(ComplexOperators::joined(operators_of(parts), {}, keys), united);
    expect_same_structures(ComplexOperators::joined(operators_of(parts)),
                           ComplexOperators(disjoint_union(parts)));
  }
}

TEST(JoinedOperators, AreReorientedAsTheDisjointUnionIs) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const auto parts = random_parts(seed, 8);
    const ComplexOperators united(disjoint_union(parts));
    const Orientation coins = Orientation::random(united.complex(), RandomStream(seed, "coins"));
    const ComplexOperators joined = ComplexOperators::joined(operators_of(parts));
    expect_same_structures(joined.oriented(coins), united.oriented(coins));
    expect_same_structures(joined.oriented(coins).oriented(coins), united.oriented(coins).oriented(coins));
  }
}

TEST(JoinedOperators, TakeEachEigenvalueFromThePartItself) {
  const auto parts = random_parts(3, 7);
  const auto own = operators_of(parts);
  const ComplexOperators joined = ComplexOperators::joined(own);
  for (int k = 0; k <= 3; ++k)
    for (std::size_t p = 0; p < parts.size(); ++p)
      expect_equal(joined.lambda_max(k).narrow(0, static_cast<std::int64_t>(p), 1), own[p].lambda_max(k),
                   "lambda_max");
}

// The second batch finds what the first one derived.
TEST(JoinedOperators, DeriveEveryPartOnce) {
  const auto own = operators_of({sheet(3, 2), cycle(4)});
  ComplexOperators::joined(own).neighborhood(1, Side::lower);
  const void* list = own[0].neighborhood(1, Side::lower).sources.const_data_ptr();
  const std::size_t keys = own[0].derived_keys().size();
  ComplexOperators::joined({own[1], own[0], own[0]}).neighborhood(1, Side::lower);
  EXPECT_EQ(own[0].neighborhood(1, Side::lower).sources.const_data_ptr(), list);
  EXPECT_EQ(own[0].derived_keys().size(), keys);
}

TEST(JoinedOperators, OneThreadMayAssembleWhileAnotherComputes) {
  const auto own = operators_of(random_parts(2, 12));
  const ComplexOperators expected = ComplexOperators::joined(own);
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const ComplexOperators batch = ComplexOperators::joined(own);
      for (int k = 0; k <= 3; ++k)
        same[t] +=
            batch.neighborhood(k, Side::upper).shared.equal(expected.neighborhood(k, Side::upper).shared) &&
            batch.lambda_bound(k).equal(expected.lambda_bound(k));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(4, 4));
}

TEST(JoinedOperators, DeriveAheadWhatAnotherBatchAskedFor) {
  const auto own = operators_of(random_parts(5, 6));
  const ComplexOperators asked = ComplexOperators::joined(own);
  asked.neighborhood(1, Side::lower);
  asked.neighborhood(0, Side::upper);
  asked.pair_list(2, Side::lower);
  asked.lambda_bound(1);
  asked.lambda_max(0);
  asked.part_keys(1);
  asked.local_numbers(2);
  asked.part_offsets(0);
  asked.coface_counts(0);
  asked.derived<int>({"test", {7}}, [] { return 3; });
  const ComplexOperators ahead = ComplexOperators::joined(own);
  ahead.derive(asked.derived_keys());
  const auto found = ahead.derived_keys();
  std::set<DerivedKey> expected;
  for (const DerivedKey& key : asked.derived_keys())
    if (key.name != "test") expected.insert(key);
  EXPECT_EQ(std::set<DerivedKey>(found.begin(), found.end()), expected);
  EXPECT_EQ(ahead.derived<int>({"test", {7}}, [] { return 4; }), 4);
}

TEST(JoinedOperators, RefuseWhatIsNoPart) {
  const auto own = operators_of({cycle(3), cycle(4)});
  const Orientation coins = Orientation::random(own[0].complex(), RandomStream(0, "coins"));
  expect_error(Fault::argument, {"part 1 of 2", "got 2 on"}, [&] {
    ComplexOperators::joined({own[0], ComplexOperators::joined(own)});
  });
  expect_error(Fault::argument, {"part 0 of 1", "re-orient the batch"},
               [&] { ComplexOperators::joined({own[0].oriented(coins)}); });
  expect_error(Fault::argument, {"2 parts", "1"}, [&] { ComplexOperators::joined(own, {}, {4}); });
}

TEST(JoinedOperators, StopBeforeTheyAllocateMoreThanAllowed) {
  const std::vector<ComplexOperators> own(20, ComplexOperators(complete_complex(8, 1)));
  const ComplexOperators batch = ComplexOperators::joined(own, OperatorOptions{torch::kCPU, 20000});
  expect_error(Fault::resource, {"join_pair_lists", "7280 neighbour pairs", "560 simplices"},
               [&] { batch.pair_list(1, Side::lower); });
  const PairList& pairs = own[0].pair_list(1, Side::lower);
  expect_error(Fault::argument, {"join_neighborhoods", "28 rows", "got 4 and 12"}, [&] {
    const Neighborhood one[] = {own[0].neighborhood(1, Side::lower)};
    join_neighborhoods(one, ComplexOperators(cycle(4)).pair_list(1, Side::lower), 1, 1 << 20);
  });
  EXPECT_EQ(pairs.simplices(), 28);
}

}  // namespace
}  // namespace gsan
