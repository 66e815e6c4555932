#include "gsan/hodge/reordered_complex.h"

#include <map>
#include <thread>

#include <gtest/gtest.h>

#include <torch/csrc/autograd/autograd.h>

#include "gsan/core/check.h"
#include "gsan/hodge/harmonic_basis.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/inner_order.h"
#include "gsan/topology/relabel.h"

#include "hodge/sample_complexes.h"
#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

const OperatorOptions reordering{.order = VertexOrder::cuthill_mckee};

// A sheet whose vertices have lost their order.
SimplicialComplex shuffled_sheet(bool hole = false) {
  const SimplicialComplex complex = sheet(7, 5, false, hole);
  return relabel(complex, random_permutation(complex.count(0), 3)).complex;
}

std::vector<SimplicialComplex> samples() {
  std::vector<SimplicialComplex> all{shuffled_sheet()};
  for (std::uint64_t seed = 0; seed < 16; ++seed) all.push_back(random_complex(seed));
  return all;
}

// Operators that models reorder, as many kinds as there are: plain, re-oriented, without signs, batches.
std::vector<ComplexOperators> reordered_operators() {
  std::vector<ComplexOperators> all, parts;
  std::vector<SimplicialComplex> complexes = samples();
  for (const SimplicialComplex& complex : complexes) {
    const ComplexOperators operators(complex, reordering);
    parts.push_back(operators);
    if (complex.order() < 1) continue;
    const Orientation coins = Orientation::random(complex, RandomStream(1, "coins"));
    for (const ComplexOperators& kind : {operators, operators.oriented(coins), operators.absolute()})
      all.push_back(kind);
  }
  all.emplace_back(disjoint_union(complexes), reordering);
  all.push_back(ComplexOperators::joined(parts, reordering));
  all.push_back(ComplexOperators::joined(parts, reordering)
                    .oriented(Orientation::random(disjoint_union(complexes).complex, RandomStream(2, "c"))));
  all.push_back(all[all.size() - 2].moved(torch::kCPU, [](const Tensor& table) { return table.clone(); }));
  return all;
}

bool is_close(const Tensor& found, const Tensor& expected) {
  return torch::allclose(found, expected, 1e-14, 1e-14);
}

TEST(ReorderedComplex, EveryOperatorCommutesWithTheOrderAndKeepsItsOrientation) {
  for (const ComplexOperators& given : reordered_operators()) {
    const ReorderedComplex* inner = inner_order(given);
    ASSERT_NE(inner, nullptr);
    const ComplexOperators& operators = inner->operators();
    EXPECT_EQ(operators.is_oriented(), given.is_oriented());
    EXPECT_EQ(operators.is_absolute(), given.is_absolute());
    for (int k = 0; k <= given.order(); ++k) {
      const Tensor x = random_signal(given.count(k), 2, concat("x", k), torch::kFloat64);
      const Tensor y = inner->arranged(k, x);
      EXPECT_TRUE(is_close(inner->restored(k, operators.lower_laplacian(k, y)), given.lower_laplacian(k, x)));
      EXPECT_TRUE(is_close(inner->restored(k, operators.upper_laplacian(k, y)), given.upper_laplacian(k, x)));
      if (k > 0) {
        EXPECT_TRUE(is_close(operators.incidence(k).boundary(y),
                             inner->arranged(k - 1, given.incidence(k).boundary(x))));
      }
      // Plain tables stay plain: kernels that know no signs of their own.
      EXPECT_EQ(operators.incidence(k).is_plain(), given.incidence(k).is_plain());
      EXPECT_TRUE(operators.lambda_bound(k).equal(given.lambda_bound(k)));
      if (!given.is_oriented()) {
        EXPECT_TRUE(operators.lambda_max(k).equal(given.lambda_max(k)));
      }
      EXPECT_TRUE(operators.coface_counts(k).equal(
          inner->arranged(k, given.coface_counts(k).unsqueeze(-1)).squeeze(-1)));
      EXPECT_TRUE(operators.part_offsets(k).equal(given.part_offsets(k)));
      EXPECT_TRUE(operators.part_keys(k).equal(given.part_keys(k)));
    }
  }
}

// Pair (receiver, source) in the given numbers → sign, key of the shared simplex, keys of the source.
using Pairs = std::map<std::pair<std::int64_t, std::int64_t>, std::array<std::int64_t, 4>>;

Pairs pairs_of(const ComplexOperators& operators, int k, Side side) {
  const Neighborhood& all = operators.neighborhood(k, side);
  const Tensor receivers = all.receivers();
  const auto at = [](const Tensor& table, std::int64_t i) { return table[i].item<std::int64_t>(); };
  const auto as_given = [&](std::int64_t row) {
    return operators.is_arranged() ? at(operators.sources(k), row) : row;
  };
  Pairs found;
  for (std::int64_t e = 0; e < all.pairs(); ++e) {
    const std::int64_t source = at(all.sources, e);
    found[{as_given(at(receivers, e)), as_given(source)}] = {at(all.signs, e), at(all.shared, e),
                                                             at(operators.local_numbers(k), source),
                                                             at(operators.part_keys(k), source)};
    EXPECT_EQ(at(receivers, at(all.mirror, e)), source);  // the pair the other way round
  }
  return found;
}

TEST(ReorderedComplex, NeighboursKeepTheirSignsAndTheKeysOfTheirMasks) {
  for (const ComplexOperators& given : reordered_operators()) {
    if (given.part_count() > 1 && given.is_oriented()) continue;  // large, and tested by its halves
    const ComplexOperators& operators = inner_order(given)->operators();
    for (int k = 0; k <= std::min(given.order(), 2); ++k)
      for (const Side side : {Side::lower, Side::upper, Side::both})
        ASSERT_EQ(pairs_of(operators, k, side), pairs_of(given, k, side)) << k;
    EXPECT_EQ(operators.neighborhood(given.order() + 1, Side::lower).pairs(), 0);
  }
}

TEST(ReorderedComplex, PairListsIncreaseAsKernelsExpect) {
  const ComplexOperators given(shuffled_sheet(), reordering);
  const PairList& list = inner_order(given)->operators().pair_list(1, Side::lower);
  for (std::int64_t i = 0; i < list.simplices(); ++i) {
    const Tensor row =
        list.sources.slice(0, list.offsets[i].item<std::int64_t>(), list.offsets[i + 1].item<std::int64_t>());
    EXPECT_TRUE(row.diff().gt(0).all().item<bool>());
  }
}

TEST(ReorderedComplex, PartsOfABatchAreArrangedAsIfTheyWereAlone) {
  const std::vector<SimplicialComplex> complexes = samples();
  const ComplexOperators batch(disjoint_union(complexes), reordering);
  for (std::size_t p = 0; p < complexes.size(); ++p) {
    const ComplexOperators alone(complexes[p], reordering);
    const ReorderedComplex* inner = inner_order(alone);
    for (int k = 0; k <= complexes[p].order(); ++k) {
      const Index first = batch.parts(k)[p];
      const Tensor rows = inner_order(batch)->operators().sources(k).narrow(0, first, alone.count(k)) - first;
      EXPECT_TRUE(
          rows.equal(inner != nullptr ? inner->operators().sources(k) : torch::arange(alone.count(k))))
          << p;
    }
  }
}

TEST(ReorderedComplex, HarmonicPartsAreThoseOfTheGivenOrder) {
  const SimplicialComplex complex = shuffled_sheet(true);
  const ComplexOperators plain(complex, reordering);
  for (const ComplexOperators& given :
       {plain, plain.oriented(Orientation::random(complex, RandomStream(1, "coins")))}) {
    const ReorderedComplex* inner = inner_order(given);
    const Tensor x = random_signal(complex.count(1), 2, "x", torch::kFloat64);
    const Tensor expected = harmonic_part(given, 1, x);
    EXPECT_GT(expected.abs().max().item<double>(), 1e-3);
    const Tensor found = inner->restored(1, harmonic_part(inner->operators(), 1, inner->arranged(1, x)));
    EXPECT_LE((found - expected).abs().max().item<double>(), 1e-12);
  }
  expect_error(Fault::argument, {"HodgeSolver", "arranged"},
               [&] { HodgeSolver solver(inner_order(plain)->operators()); });
}

TEST(ReorderedComplex, RestoresWhatItArranged) {
  const ComplexOperators given(shuffled_sheet(), reordering);
  const ReorderedComplex& inner = *inner_order(given);
  for (int k = 0; k <= 2; ++k) {
    const Tensor x = random_signal(given.count(k), 3, "x", torch::kFloat32).expand({2, -1, -1});
    EXPECT_TRUE(inner.restored(k, inner.arranged(k, x)).equal(x));
    EXPECT_FALSE(inner.arranged(k, x).equal(x));
    EXPECT_FALSE(inner.arranged(k, Tensor()).defined());
  }
}

TEST(ReorderedComplex, ArrangingIsDifferentiableTwice) {
  const ComplexOperators given(shuffled_sheet(), reordering);
  const ReorderedComplex& inner = *inner_order(given);
  const Tensor x = random_signal(given.count(0), 2, "x", torch::kFloat64).requires_grad_(),
               weights = random_signal(given.count(0), 2, "w", torch::kFloat64);
  const Tensor y = (inner.arranged(0, x).pow(3) * weights).sum();
  const Tensor first = torch::autograd::grad({y}, {x}, {}, true, true)[0];
  EXPECT_TRUE(torch::allclose(first, 3 * x.pow(2) * inner.restored(0, weights)));
  const Tensor second = torch::autograd::grad({first.sum()}, {x})[0];
  EXPECT_TRUE(torch::allclose(second, 6 * x * inner.restored(0, weights)));
}

TEST(ReorderedComplex, IsMadeOnceAndKeptWithTheOperators) {
  const ComplexOperators given(shuffled_sheet(), reordering);
  std::vector<const ReorderedComplex*> found(4);
  std::vector<std::thread> threads;
  for (const ReorderedComplex*& one : found)
    threads.emplace_back([&] { one = inner_order(ComplexOperators(given)); });
  for (std::thread& thread : threads) thread.join();
  for (const ReorderedComplex* one : found) EXPECT_EQ(one, found.front());
  EXPECT_NE(found.front(), nullptr);
}

TEST(ReorderedComplex, OperatorsThatNobodyHoldsAreFreed) {
  std::weak_ptr<const void> storage;
  {
    const ComplexOperators given(shuffled_sheet(), reordering);
    storage = given.complex().storage();
    inner_order(given)->operators().neighborhood(1, Side::lower);
  }
  EXPECT_TRUE(storage.expired());
}

TEST(ReorderedComplex, TheGivenOrderIsLeftAlone) {
  const SimplicialComplex complex = shuffled_sheet();
  EXPECT_EQ(inner_order(ComplexOperators(complex)), nullptr);  // small
  EXPECT_EQ(inner_order(ComplexOperators(complex, {.order = VertexOrder::given})), nullptr);
  EXPECT_EQ(inner_order(ComplexOperators(SimplicialComplex(), reordering)), nullptr);
  const ComplexOperators padded =
      ComplexOperators(complex, reordering).padded({.rows = {60, 150, 90}, .face_pairs = {200, 3000, 900}});
  EXPECT_EQ(inner_order(padded), nullptr);
  const ComplexOperators given(complex, reordering);
  EXPECT_EQ(inner_order(inner_order(given)->operators()), nullptr);
}

TEST(ReorderedComplex, ArrangedOperatorsAreTheLastOnesOfTheirKind) {
  const SimplicialComplex complex = shuffled_sheet();
  const ComplexOperators given(complex, reordering), arranged = inner_order(given)->operators();
  expect_error(Fault::argument, {"arranged", "re-oriented"},
               [&] { arranged.oriented(Orientation::identity(complex)); });
  expect_error(Fault::argument, {"arranged", "moved"},
               [&] { arranged.moved(torch::kCPU, [](const Tensor& table) { return table; }); });
  const MappedComplex other = relabel(sheet(2, 2), reverse_cuthill_mckee(sheet(2, 2)));
  expect_error(Fault::argument, {"arranged", "vertices"}, [&] { given.arranged(other); });
  expect_error(Fault::argument, {"0 orders"}, [&] { given.sources(0); });
}

// What it is for: neighbours come close.
TEST(ReorderedComplex, ShortensTheWayToNeighbours) {
  const ComplexOperators given(shuffled_sheet(), reordering);
  const auto mean_distance = [](const Tensor& faces) {
    return (faces.select(1, 0) - faces.select(1, 1)).abs().to(torch::kFloat64).mean().item<double>();
  };
  EXPECT_LT(3 * mean_distance(inner_order(given)->operators().incidence(1).faces()),
            mean_distance(given.incidence(1).faces()));
}

}  // namespace
}  // namespace gsan
