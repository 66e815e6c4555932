#include "gsan/topology/complex.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"

namespace gsan {
namespace {

TEST(Complex, EmptyComplexWorks) {
  const SimplicialComplex complex = ComplexBuilder().build();
  EXPECT_EQ(complex.order(), -1);
  EXPECT_EQ(complex.count(0), 0);
  EXPECT_EQ(complex.count(-1), 0);
  EXPECT_FALSE(complex.find(std::vector<Vertex>{0}).has_value());
}

TEST(Complex, BuilderClosesSortsAndMerges) {
  const SimplicialComplex complex = ComplexBuilder().add({3, 1, 2}).add({2, 3, 1}).add({0, 1}).build();
  EXPECT_EQ(complex.order(), 2);
  EXPECT_EQ(complex.count(0), 4);
  EXPECT_EQ(complex.count(1), 4);  // 01 12 13 23
  EXPECT_EQ(complex.count(2), 1);
  EXPECT_EQ(complex.find(std::vector<Vertex>{1, 3}), 2);
  EXPECT_FALSE(complex.find(std::vector<Vertex>{0, 3}).has_value());
  const auto faces = complex.faces(2, 0);  // of (1 2 3): 23, 13, 12
  EXPECT_EQ(std::vector<Index>(faces.begin(), faces.end()), (std::vector<Index>{3, 2, 1}));
}

TEST(Complex, CofacesListEverySimplexAboveWithItsColumn) {
  const SimplicialComplex complex = ComplexBuilder().add({0, 1, 2}).add({1, 2, 3}).add({4, 5}).build();
  for (int k = 0; k < complex.order(); ++k) {
    std::size_t seen = 0;
    for (Index i = 0; i < complex.count(k); ++i) {
      const Offset first = complex.coface_offsets(k)[i];
      for (std::size_t n = 0; n < complex.cofaces(k, i).size(); ++n, ++seen) {
        const Index coface = complex.cofaces(k, i)[n];
        EXPECT_EQ(complex.faces(k + 1, coface)[complex.coface_columns(k)[first + n]], i);
      }
    }
    EXPECT_EQ(seen, complex.face_table(k + 1).size());
  }
  EXPECT_TRUE(complex.coface_table(complex.order()).empty());
}

TEST(Complex, RepeatedVertexIsAnErrorThatShowsTheList) {
  try {
    ComplexBuilder().add({1, 2, 1});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("vertex 1 twice in (1 2 1)"), std::string::npos) << error.what();
  }
}

TEST(Complex, MissingFaceIsAnError) {
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{0, 1, 2}, {0, 1, 0, 2}, {0, 1, 2}}), Error);
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{0, 1}, {0, 1, 0, 1}}), Error);
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{0, 1}, {1, 0}}), Error);
  EXPECT_THROW(SimplicialComplex::from_sorted_tables({{0, 1}, {0, 2}}), Error);
}

}  // namespace
}  // namespace gsan
