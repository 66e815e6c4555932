#include "gsan/topology/examples.h"

#include <string>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/topology/homology.h"

namespace gsan {
namespace {

using Betti = std::vector<Index>;

TEST(Examples, HaveTheBettiNumbersTheyAnnounce) {
  for (const Example& example : examples()) {
    EXPECT_EQ(betti_numbers(example_complex(example.name).complex), example.betti) << example.name;
  }
}

TEST(Examples, TheFirstIsTheAnnulusWithTwoHoles) {
  EXPECT_EQ(examples()[0].name, "annulus");
  EXPECT_EQ(examples()[0].betti, (Betti{1, 2, 0}));
}

TEST(Examples, TorsionShowsOverTheFieldOfTwo) {
  EXPECT_EQ(betti_numbers(example_complex("klein-bottle").complex, {.field = 2}), (Betti{1, 2, 1}));
  EXPECT_EQ(betti_numbers(example_complex("projective-plane").complex, {.field = 2}), (Betti{1, 1, 1}));
}

TEST(Examples, ClosedSurfacesHaveTwoTrianglesAtEveryEdge) {
  for (const char* name : {"klein-bottle", "projective-plane", "sphere", "torus"}) {
    const SimplicialComplex complex = example_complex(name).complex;
    for (Index e = 0; e < complex.count(1); ++e) EXPECT_EQ(complex.cofaces(1, e).size(), 2u) << name;
  }
}

TEST(Examples, HaveAPointPerVertexOrNone) {
  for (const Example& example : examples()) {
    const EmbeddedComplex made = example_complex(example.name);
    EXPECT_GT(made.complex.count(0), 0) << example.name;
    EXPECT_EQ(made.points.size(), static_cast<std::size_t>(made.complex.count(0)) * made.dimension)
        << example.name;
  }
  EXPECT_EQ(example_complex("annulus").dimension, 2);
}

TEST(Examples, AnUnknownNameListsTheKnownOnes) {
  try {
    example_complex("moebius");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("moebius-strip"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gsan
