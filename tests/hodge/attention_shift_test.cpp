#include "gsan/hodge/attention_shift.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/polynomial.h"
#include "gsan/ops/segments.h"
#include "gsan/topology/limits.h"

#include "hodge/dense_reference.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

Neighborhood neighborhood(const SimplicialComplex& complex, int k, Side side) {
  return make_neighborhood(complex, k, side, Limits{}.max_memory);
}

// Weights of one head as a dense matrix.
Tensor dense(const Neighborhood& n, const Tensor& weights) {
  Tensor matrix = torch::zeros({n.simplices(), n.simplices()}, torch::kFloat64);
  return matrix.index_put_({n.receivers().to(torch::kInt64), n.sources.to(torch::kInt64)}, weights);
}

TEST(AttentionShift, FiltersEachBlockOfFeaturesByItsHead) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (int k = 0; k <= complex.order(); ++k) {
      for (const Side side : {Side::lower, Side::upper, Side::both}) {
        const Neighborhood n = neighborhood(complex, k, side);
        const Tensor weights = random_signal(n.pairs(), 3, "weights", torch::kFloat64),
                     x = random_signal(n.simplices(), 6, "x", torch::kFloat64);
        const Tensor y = AttentionShift(n, weights).apply(x);
        ASSERT_EQ(y.sizes(), x.sizes());
        for (int h = 0; h < 3; ++h) {
          EXPECT_LT(distance(y.narrow(1, 2 * h, 2), dense(n, weights.select(1, h)).mm(x.narrow(1, 2 * h, 2))),
                    1e-12);
        }
      }
    }
  }
}

TEST(AttentionShift, WithTheEntriesOfTheLaplacianIsTheLaplacian) {
  const SimplicialComplex complex = random_complex(7);
  const Neighborhood n = neighborhood(complex, 1, Side::lower);
  const Tensor self = n.shared.eq(-1).to(torch::kFloat64);
  const Tensor weights = (n.signs.to(torch::kFloat64) + self).unsqueeze(-1);  // (L_1^d)_ii = 2
  const Tensor x = random_cochains(complex, 2)[1];
  EXPECT_LT(distance(AttentionShift(n, weights).apply(x), dense_lower_laplacian(complex, 1).mm(x)), 1e-12);
}

TEST(AttentionShift, ConstantScoresAverageTheNeighbourhood) {
  const SimplicialComplex complex = random_complex(7);
  const Neighborhood n = neighborhood(complex, 1, Side::both);
  const AttentionShift shift(n,
                             ops::segment_softmax(torch::zeros({n.pairs(), 1}, torch::kFloat64), n.offsets));
  const Tensor adjacency = dense(n, torch::ones({n.pairs()}, torch::kFloat64));
  const Tensor x = random_cochains(complex, 3)[1];
  EXPECT_LT(distance(shift.apply(x), (adjacency / adjacency.sum(1, true)).mm(x)), 1e-14);
}

TEST(AttentionShift, SignalsHaveWeightsOfTheirOwn) {
  const SimplicialComplex complex = random_complex(6);
  const Neighborhood n = neighborhood(complex, 0, Side::upper);
  const Tensor weights = random_signal(4 * n.pairs(), 2, "weights", torch::kFloat32).view({4, n.pairs(), 2});
  const Tensor x = random_signal(4 * n.simplices(), 6, "x", torch::kFloat32).view({4, n.simplices(), 6});
  const Tensor y = AttentionShift(n, weights).apply(x);
  for (int b = 0; b < 4; ++b) EXPECT_TRUE(torch::equal(y[b], AttentionShift(n, weights[b]).apply(x[b])));
}

TEST(AttentionShift, ItsPowersDifferentiateInWeightsAndSignal) {
  const SimplicialComplex complex = random_complex(7, {.max_order = 2, .max_vertices = 5});
  const Neighborhood n = neighborhood(complex, 1, Side::lower);
  const auto filter = [&](const Tensors& in) {
    const std::vector<Tensor> taps = {in[1], in[1]};
    return polynomial(AttentionShift(n, in[0]), taps, 1);
  };
  const Tensors inputs = {random_signal(n.pairs(), 2, "weights", torch::kFloat64) * 0.3,
                          random_signal(n.simplices(), 2, "x", torch::kFloat64)};
  expect_gradients(filter, inputs);
  expect_second_gradients(filter, inputs, {.step = 1e-5, .tolerance = 1e-6});
}

TEST(AttentionShift, OfNothingIsNothing) {
  const Neighborhood none = neighborhood(random_complex(1), 2, Side::upper);
  EXPECT_EQ(AttentionShift(none, torch::ones({0, 2})).apply(torch::ones({0, 4})).sizes(),
            at::IntArrayRef({0, 4}));
}

TEST(AttentionShift, RefusesWhatDoesNotFit) {
  const Neighborhood n = neighborhood(random_complex(7), 1, Side::lower);
  const Tensor weights = torch::ones({n.pairs(), 2});
  const AttentionShift shift(n, weights);
  const auto refused = [](std::initializer_list<std::string> words, auto call) {
    expect_error(Fault::argument, words, call);
  };
  const std::string pairs = std::to_string(n.pairs()), rows = std::to_string(n.simplices());
  refused({"AttentionShift", pairs, "3 rows"}, [&] { AttentionShift(n, torch::ones({3, 2})); });
  refused({"AttentionShift", "shape", pairs}, [&] { AttentionShift(n, torch::ones({n.pairs()})); });
  refused({"undefined"}, [&] { AttentionShift(n, Tensor()); });
  refused({"head"}, [&] { AttentionShift(n, torch::ones({n.pairs(), 0})); });
  refused({rows, "got 1"}, [&] { shift.apply(torch::ones({1, 4})); });
  refused({"2 heads", "got 5"}, [&] { shift.apply(torch::ones({n.simplices(), 5})); });
  refused({"leading", "[3, "}, [&] { shift.apply(torch::ones({3, n.simplices(), 4})); });
  refused({"Float", "Double"}, [&] { shift.apply(torch::ones({n.simplices(), 4}, torch::kFloat64)); });
  refused({"undefined"}, [&] { shift.apply(Tensor()); });
}

}  // namespace
}  // namespace gsan
