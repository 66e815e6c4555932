#include "gsan/hodge/degrees.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

TEST(Degrees, CountTheSimplicesAroundEachOne) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (int k = 0; k <= complex.order(); ++k)
      for (int m = k; m <= complex.order() + 1; ++m) {
        const Tensor found = degrees(operators, k, m);
        ASSERT_EQ(found.sizes(), (std::vector<std::int64_t>{complex.count(k), 1}));
        for (Index i = 0; i < complex.count(k); ++i) {
          int count = 0;
          for (Index j = 0; j < complex.count(m); ++j)
            count += std::ranges::includes(complex.vertices(m, j), complex.vertices(k, i));
          EXPECT_DOUBLE_EQ(found[i][0].item<double>(), count) << seed << ": " << k << ", " << m << ", " << i;
        }
      }
  }
  expect_error(Fault::argument, {"degrees", "got 0 and 1"},
               [] { degrees(ComplexOperators(SimplicialComplex()), 1, 0); });
}

TEST(StructuralFeatures, AreLogarithmsOfDegreesAndOneAtTheTop) {
  const SimplicialComplex complex = random_complex(3);
  const ComplexOperators operators(complex);
  const int top = complex.order();
  for (int k = 0; k < top; ++k) {
    const Tensor features = structural_features(operators, k, top);
    ASSERT_EQ(features.size(1), top - k);
    for (int m = k + 1; m <= top; ++m)
      EXPECT_TRUE(features.select(1, m - k - 1).equal(degrees(operators, k, m).select(1, 0).log1p()));
  }
  EXPECT_TRUE(structural_features(operators, top, top).eq(1).all().item<bool>());
}

}  // namespace
}  // namespace gsan
