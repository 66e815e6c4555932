#include "gsan/laws/laws.h"

#include <limits>

#include <gtest/gtest.h>

#include "gsan/topology/examples.h"

#include "support/random_complex.h"

namespace gsan::laws {
namespace {

TEST(Laws, HoldOnRandomComplexes) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const Law& law : measure_laws(ComplexOperators(random_complex(seed)), {.seed = seed})) {
      EXPECT_FALSE(law.is_broken()) << law.name << ": " << law.measured << " > " << law.bound << ", seed "
                                    << seed;
    }
  }
}

// Over F_2 the projective plane has Betti numbers 1, 1, 1; its Laplacians have kernels 1, 0, 0.
TEST(Laws, OneThatDoesNotHoldIsBroken) {
  LawOptions options;
  options.homology.field = 2;
  std::vector<std::string> broken;
  for (const Law& law : measure_laws(ComplexOperators(example_complex("projective-plane").complex), options))
    if (law.is_broken()) broken.push_back(law.name);
  EXPECT_EQ(broken, std::vector<std::string>{"harmonic dimension is the Betti number"});
}

TEST(Laws, NotANumberBreaksALaw) {
  EXPECT_TRUE((Law{"law", "statement", std::numeric_limits<double>::quiet_NaN(), 1}.is_broken()));
  EXPECT_FALSE((Law{"law", "statement", 1, 1}.is_broken()));
  EXPECT_FALSE((Law{"law", "statement", 2, 1, "too large"}.is_broken()));
}

TEST(Laws, ThoseThatNeedTooMuchMemoryAreSkipped) {
  const ComplexOperators operators(example_complex("torus").complex, {.max_memory = 20 << 10});
  int skipped = 0;
  for (const Law& law : measure_laws(operators))
    skipped += law.skipped.find("max_memory allows 20 KiB") != std::string::npos;
  EXPECT_GT(skipped, 0);
}

}  // namespace
}  // namespace gsan::laws
