#include "gsan/hodge/reordered_complex.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/relabel.h"

#include "hodge/sample_complexes.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

// A sheet whose vertices have lost their order.
SimplicialComplex shuffled_sheet() {
  const SimplicialComplex complex = sheet(7, 5);
  return relabel(complex, random_permutation(complex.count(0), 3)).complex;
}

std::vector<SimplicialComplex> samples() {
  std::vector<SimplicialComplex> all{shuffled_sheet(), SimplicialComplex()};
  for (std::uint64_t seed = 0; seed < 16; ++seed) all.push_back(random_complex(seed));
  return all;
}

TEST(ReorderedComplex, EveryOperatorCommutesWithTheOrderAndKeepsItsOrientation) {
  for (const SimplicialComplex& complex : samples()) {
    const ComplexOperators plain(complex);
    const ReorderedComplex reordered(complex, VertexOrder::cuthill_mckee);
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor x = random_signal(complex.count(k), 2, concat("x", k), torch::kFloat64);
      const Tensor y = reordered.arranged(k, x);
      const auto close = [&](const Tensor& found, const Tensor& expected) {
        return torch::allclose(found, expected, 1e-14, 1e-14);
      };
      EXPECT_TRUE(close(reordered.restored(k, reordered.operators().lower_laplacian(k, y)),
                        plain.lower_laplacian(k, x)));
      EXPECT_TRUE(close(reordered.restored(k, reordered.operators().upper_laplacian(k, y)),
                        plain.upper_laplacian(k, x)));
      EXPECT_TRUE(
          close(reordered.operators().incidence(k).boundary(y),
                k > 0 ? reordered.arranged(k - 1, plain.incidence(k).boundary(x)) : x.narrow(0, 0, 0)));
      EXPECT_TRUE(reordered.operators().lambda_bound(k).equal(plain.lambda_bound(k)));
    }
  }
}

TEST(ReorderedComplex, RestoresWhatItArranged) {
  const SimplicialComplex complex = shuffled_sheet();
  const ReorderedComplex reordered(complex, VertexOrder::cuthill_mckee);
  for (int k = 0; k <= 2; ++k) {
    const Tensor x = random_signal(complex.count(k), 3, "x", torch::kFloat32).expand({2, -1, -1});
    EXPECT_TRUE(reordered.restored(k, reordered.arranged(k, x)).equal(x));
    EXPECT_FALSE(reordered.arranged(k, x).equal(x));
    // Row i of the data stands in row places(i).
    const Tensor rows = torch::tensor({{3, 0, 5}, {1, 1, 2}}, torch::kInt64);
    const Tensor places = reordered.places(k, rows);
    ASSERT_EQ(places.sizes(), rows.sizes());
    EXPECT_TRUE(
        reordered.arranged(k, x).index_select(1, places.flatten()).equal(x.index_select(1, rows.flatten())));
    EXPECT_FALSE(reordered.arranged(k, Tensor()).defined());
  }
}

TEST(ReorderedComplex, ArrangesAReorientation) {
  const SimplicialComplex complex = shuffled_sheet();
  const ReorderedComplex reordered(complex, VertexOrder::cuthill_mckee);
  const Orientation coins = Orientation::random(complex, RandomStream(1, "coins"));
  const ComplexOperators turned = ComplexOperators(complex).oriented(coins);
  const ComplexOperators other = reordered.operators().oriented(reordered.arranged(coins));
  const Tensor x = random_signal(complex.count(1), 2, "x", torch::kFloat64);
  EXPECT_TRUE(torch::allclose(reordered.restored(1, other.laplacian(1, reordered.arranged(1, x))),
                              turned.laplacian(1, x), 1e-14, 1e-14));
}

TEST(ReorderedComplex, TheGivenOrderIsLeftAlone) {
  const SimplicialComplex complex = sheet(3, 3);
  const ReorderedComplex same(complex, VertexOrder::given);
  EXPECT_EQ(same.operators().complex().storage(), complex.storage());
  const Tensor x = torch::ones({complex.count(1), 1}), rows = torch::arange(4);
  EXPECT_TRUE(same.arranged(1, x).is_same(x) && same.restored(1, x).is_same(x));
  EXPECT_TRUE(same.places(1, rows).is_same(rows));
  EXPECT_EQ(same.arranged(Orientation::identity(complex)), Orientation::identity(complex));
}

// What it is for: neighbours come close.
TEST(ReorderedComplex, NarrowsTheBandOfTheEdges) {
  const auto band = [](const SimplicialComplex& complex) {
    Index widest = 0;
    for (Index i = 0; i < complex.count(1); ++i)
      widest = std::max(widest, complex.vertices(1, i)[1] - complex.vertices(1, i)[0]);
    return widest;
  };
  const SimplicialComplex complex = shuffled_sheet();
  const ReorderedComplex reordered(complex, VertexOrder::cuthill_mckee);
  EXPECT_LT(3 * band(reordered.operators().complex()), band(complex));
}

}  // namespace
}  // namespace gsan
