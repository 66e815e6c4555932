#include "gsan/hodge/operators.h"

#include <atomic>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <c10/core/InferenceMode.h>

#include "gsan/hodge/shift.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/hodge/spectral/lambda.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// Every shape of random_complex.h, among them nothing at all.
std::vector<SimplicialComplex> sample_parts() {
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t seed = 0; seed < 24; ++seed) parts.push_back(random_complex(seed, {3, 20}));
  return parts;
}

std::vector<std::int64_t> numbers(const Tensor& x) {
  const Tensor list = x.to(torch::kCPU, torch::kInt64).contiguous();
  return {list.data_ptr<std::int64_t>(), list.data_ptr<std::int64_t>() + list.numel()};
}

TEST(ComplexOperators, ASingleComplexIsOnePart) {
  const SimplicialComplex complex = sheet(3, 2);
  const ComplexOperators operators(complex);
  EXPECT_EQ(operators.part_count(), 1);
  for (int k = 0; k <= 2; ++k) {
    const Index count = complex.count(k);
    EXPECT_EQ(std::vector<Index>(operators.parts(k).begin(), operators.parts(k).end()),
              (std::vector<Index>{0, count}));
    EXPECT_EQ(numbers(operators.part_offsets(k)), (std::vector<std::int64_t>{0, count}));
    EXPECT_EQ(distance(operators.local_numbers(k), torch::arange(count, torch::kInt32)), 0);
    EXPECT_EQ(distance(operators.part_keys(k), torch::zeros({count}, torch::kInt32)), 0);
  }
}

TEST(ComplexOperators, EveryRowKnowsItsPart) {
  const DisjointUnion batch = disjoint_union(sample_parts());
  std::vector<std::int32_t> keys;
  for (int p = 0; p < 24; ++p) keys.push_back(1000 - 7 * p);
  const ComplexOperators operators(batch, {}, keys), unnamed(batch);
  EXPECT_EQ(operators.part_count(), 24);
  for (int k = 0; k <= batch.complex.order(); ++k) {
    const auto local = numbers(operators.local_numbers(k)), key = numbers(operators.part_keys(k)),
               number = numbers(unnamed.part_keys(k));
    ASSERT_EQ(static_cast<Index>(local.size()), batch.complex.count(k));
    for (Index i = 0; i < batch.complex.count(k); ++i) {
      const Index part = batch.part_of(k, i);
      EXPECT_EQ(local[i], i - batch.offsets[k][part]);
      EXPECT_EQ(key[i], keys[part]);
      EXPECT_EQ(number[i], part);
    }
  }
}

TEST(ComplexOperators, NumbersOfAPartDoNotDependOnTheBatch) {
  const std::vector<SimplicialComplex> parts = sample_parts();
  const ComplexOperators batch(disjoint_union(parts));
  for (int k = 0; k <= batch.order() + 1; ++k) {
    ASSERT_EQ(batch.lambda_bound(k).sizes(), at::IntArrayRef({24}));
    ASSERT_EQ(batch.lambda_max(k).sizes(), at::IntArrayRef({24}));
    EXPECT_EQ(batch.lambda_max(k).scalar_type(), torch::kFloat64);
    std::vector<Tensor> cofaces;
    for (int p = 0; p < 24; ++p) {
      const ComplexOperators alone(parts[p]);
      EXPECT_EQ(batch.lambda_bound(k)[p].item<double>(), alone.lambda_bound(k).item<double>());
      const double expected = alone.lambda_max(k).item<double>();
      EXPECT_NEAR(batch.lambda_max(k)[p].item<double>(), expected, 1e-12 * expected);
      cofaces.push_back(alone.coface_counts(k));
      EXPECT_EQ(distance(cofaces.back(), dense_upper_laplacian(parts[p], k).diagonal()), 0);
    }
    EXPECT_EQ(distance(batch.coface_counts(k), torch::cat(cofaces)), 0);
  }
}

TEST(ComplexOperators, NeighbourhoodsShareNumbersOfTheirOwnComplex) {
  const std::vector<SimplicialComplex> parts{sheet(2, 2), complete_complex(5, 2), cycle(4), sheet(2, 2)};
  const ComplexOperators batch(disjoint_union(parts));
  for (const Side side : {Side::lower, Side::upper, Side::both}) {
    for (int k = 0; k <= 3; ++k) {
      std::vector<Tensor> shared, signs;
      for (const SimplicialComplex& part : parts) {
        const ComplexOperators alone(part);
        shared.push_back(alone.neighborhood(k, side).shared);
        signs.push_back(alone.neighborhood(k, side).signs);
      }
      EXPECT_TRUE(torch::equal(batch.neighborhood(k, side).shared, torch::cat(shared)));
      EXPECT_TRUE(torch::equal(batch.neighborhood(k, side).signs, torch::cat(signs)));
    }
  }
}

TEST(ComplexOperators, OrdersBeyondTheComplexAreEmpty) {
  const std::vector<SimplicialComplex> parts{cycle(4), SimplicialComplex(), cycle(3)};
  for (const ComplexOperators& operators :
       {ComplexOperators(disjoint_union(parts)), ComplexOperators(disjoint_union({})),
        ComplexOperators(SimplicialComplex()), ComplexOperators(cycle(5))}) {
    const std::int64_t P = operators.part_count();
    for (const int k : {2, 3, 4, 9}) {
      EXPECT_EQ(operators.incidence(k).columns(), 0);
      EXPECT_EQ(operators.incidence(k).rows(), operators.count(k - 1));
      EXPECT_EQ(operators.incidence(k).order(), k);
      EXPECT_EQ(static_cast<std::int64_t>(operators.parts(k).size()), P + 1);
      EXPECT_EQ(operators.parts(k).back(), 0);
      EXPECT_EQ(operators.part_offsets(k).size(0), P + 1);
      EXPECT_EQ(operators.part_keys(k).size(0), 0);
      EXPECT_EQ(operators.local_numbers(k).size(0), 0);
      EXPECT_EQ(operators.coface_counts(k).size(0), 0);
      EXPECT_EQ(distance(operators.lambda_bound(k), torch::zeros({P}, torch::kFloat64)), 0);
      EXPECT_EQ(distance(operators.lambda_max(k), torch::zeros({P}, torch::kFloat64)), 0);
      EXPECT_EQ(operators.laplacian(k, torch::ones({0, 2})).sizes(), at::IntArrayRef({0, 2}));
      EXPECT_EQ(operators.neighborhood(k, Side::both).pairs(), 0);
    }
  }
}

TEST(ComplexOperators, DerivedStructuresAreBuiltOnceForAllThreadsAndCopies) {
  const ComplexOperators operators(sheet(6, 5));
  std::atomic<int> made = 0;
  std::vector<const Tensor*> found(8), bounds(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t, copy = operators] {
      found[t] = &copy.derived<Tensor>({"test", {1, 2}}, [&] {
        ++made;
        return copy.lambda_max(1);  // derived itself
      });
      bounds[t] = &copy.lambda_bound(t % 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  for (int t = 0; t < 8; ++t) {
    EXPECT_EQ(found[t], found[0]);
    EXPECT_EQ(bounds[t], &operators.lambda_bound(t % 3));
  }
  EXPECT_NE(bounds[0], bounds[1]);
}

TEST(ComplexOperators, AFailedDerivationIsTriedAgain) {
  const ComplexOperators operators(cycle(4));
  const DerivedKey key{"test", {}};
  EXPECT_THROW(operators.derived<int>(key, []() -> int { fail(Fault::resource, "too large"); }), Error);
  EXPECT_EQ(operators.derived<int>(key, [] { return 3; }), 3);
  EXPECT_EQ(operators.derived<int>(key, [] { return 4; }), 3);
}

// An inference tensor could not be saved for the backward pass of a later training step.
TEST(ComplexOperators, WhatInferenceBuiltServesTrainingToo) {
  const ComplexOperators operators(sheet(2, 2));
  {
    const c10::InferenceMode inference;
    operators.lambda_bound(0);
    operators.coface_counts(0);
  }
  EXPECT_FALSE(operators.lambda_bound(0).is_inference());
  const Tensor x = torch::ones_like(operators.coface_counts(0)).requires_grad_();
  EXPECT_NO_THROW((x * operators.coface_counts(0)).sum().backward());
}

TEST(ComplexOperators, OperatorsMadeInInferenceModeServeTrainingToo) {
  const auto make = [] {
    const c10::InferenceMode inference;
    return ComplexOperators(sheet(2, 2));
  };
  const auto orient = [](const ComplexOperators& plain) {
    const c10::InferenceMode inference;
    return plain.oriented(Orientation::random(plain.complex(), RandomStream(3, "signs")));
  };
  const ComplexOperators operators = make();
  for (const ComplexOperators& made : {operators, orient(operators)}) {
    for (const Tensor& table : made.incidence(1).tables()) EXPECT_FALSE(table.is_inference());
    const Tensor x = torch::ones({made.count(1), 1}).requires_grad_();
    EXPECT_NO_THROW(made.laplacian(1, x).sum().backward());
    EXPECT_TRUE(torch::equal(x.grad(), made.laplacian(1, torch::ones_like(x))));  // L is symmetric
  }
}

TEST(ComplexOperators, TooManyPairsAreAResourceError) {
  const ComplexOperators operators(complete_complex(30, 1), OperatorOptions{torch::kCPU, 1000});
  EXPECT_EQ(operators.max_memory(), 1000u);
  expect_error(Fault::resource, {"1000"}, [&] { operators.neighborhood(1, Side::lower); });
}

// B_k → diag(o_{k−1}) B_k diag(o_k), in whatever is built of it.
TEST(ComplexOperators, AReorientationConjugatesEveryOperator) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators plain(complex);
    const Orientation coins = Orientation::random(complex, RandomStream(seed, "coins"));
    const ComplexOperators turned = plain.oriented(coins);
    EXPECT_FALSE(plain.is_oriented());
    for (int k = 0; k <= complex.order(); ++k) {
      const auto signs = coins.signs(k);
      const Tensor o =
          torch::tensor(at::ArrayRef<std::int8_t>(signs.data(), signs.size()), torch::kInt8).unsqueeze(-1);
      const Tensor x = random_signal(complex.count(k), 2, concat("x", seed, k), torch::kFloat64);
      EXPECT_TRUE(turned.lower_laplacian(k, o * x).equal(o * plain.lower_laplacian(k, x)));
      EXPECT_TRUE(turned.upper_laplacian(k, o * x).equal(o * plain.upper_laplacian(k, x)));
      EXPECT_TRUE(turned.incidence(k).absolute_boundary(x).equal(plain.incidence(k).absolute_boundary(x)));
      EXPECT_TRUE(turned.lambda_bound(k).equal(plain.lambda_bound(k)));
      for (const Side side : {Side::lower, Side::upper}) {
        const Neighborhood &a = plain.neighborhood(k, side), &b = turned.neighborhood(k, side);
        const Tensor flips =
            o.squeeze(-1).index_select(0, a.receivers()) * o.squeeze(-1).index_select(0, a.sources);
        EXPECT_TRUE(b.signs.equal(a.signs * flips));
      }
      EXPECT_TRUE(turned.oriented(coins).laplacian(k, x).equal(plain.laplacian(k, x)));  // its own inverse
    }
  }
}

TEST(ComplexOperators, RefusesWhatIsNoBatch) {
  const DisjointUnion batch = disjoint_union(std::vector<SimplicialComplex>{cycle(3), cycle(4)});
  DisjointUnion no_offsets = batch, too_few = batch, unsorted = batch;
  no_offsets.offsets.clear();
  too_few.offsets[1].pop_back();
  unsorted.offsets[0] = {0, 8, 7};
  for (const DisjointUnion& bad : {no_offsets, too_few, unsorted})
    expect_error(Fault::argument, {"ComplexOperators", "offsets"}, [&] { ComplexOperators{bad}; });
  expect_error(Fault::argument, {"2 parts", "3"}, [&] { ComplexOperators(batch, {}, {1, 2, 3}); });
  const ComplexOperators operators(batch);
  expect_error(Fault::argument, {"negative", "-1"}, [&] { operators.incidence(-1); });
  expect_error(Fault::argument, {"negative", "-1"}, [&] { operators.parts(-1); });
  expect_error(Fault::argument, {"negative", "-1"}, [&] { operators.neighborhood(-1, Side::upper); });
}

}  // namespace
}  // namespace gsan
