#include "gsan/topology/disjoint_union.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"

#include "support/random_complex.h"

namespace gsan {
namespace {

std::vector<SimplicialComplex> random_parts(std::uint64_t seed) {
  std::vector<SimplicialComplex> parts;
  for (std::uint64_t p = 0; p < seed % 7; ++p) {
    parts.push_back(random_complex(31 * seed + p, {.max_order = static_cast<int>(p % 4), .max_vertices = 8}));
  }
  return parts;
}

// Every simplex of every part, shifted, through the builder.
SimplicialComplex rebuilt(const std::vector<SimplicialComplex>& parts) {
  ComplexBuilder builder;
  Vertex shift = 0;
  for (const SimplicialComplex& part : parts) {
    for (int k = 0; k <= part.order(); ++k) {
      for (Index i = 0; i < part.count(k); ++i) {
        std::vector<Vertex> simplex;
        for (const Vertex v : part.vertices(k, i)) simplex.push_back(v + shift);
        builder.add(simplex);
      }
    }
    shift += part.count(0);
  }
  return builder.build();
}

TEST(DisjointUnion, EqualsTheShiftedPartsThroughTheBuilder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<SimplicialComplex> parts = random_parts(seed);
    const SimplicialComplex joined = disjoint_union(parts).complex;
    const SimplicialComplex expected = rebuilt(parts);
    ASSERT_EQ(joined, expected);
    for (int k = 1; k <= expected.order(); ++k) {
      ASSERT_TRUE(std::ranges::equal(joined.face_table(k), expected.face_table(k)));
    }
  }
}

// Coface lists that were copied are those that are counted.
TEST(DisjointUnion, CopiesTheCofaceListsOfItsParts) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<SimplicialComplex> parts = random_parts(seed);
    const SimplicialComplex copied = disjoint_union(parts, true).complex;
    const std::size_t memory = copied.memory();
    const SimplicialComplex counted = disjoint_union(parts).complex;
    for (int k = 0; k <= counted.order(); ++k) {
      ASSERT_TRUE(std::ranges::equal(copied.coface_offsets(k), counted.coface_offsets(k)));
      ASSERT_TRUE(std::ranges::equal(copied.coface_table(k), counted.coface_table(k)));
      ASSERT_TRUE(std::ranges::equal(copied.coface_columns(k), counted.coface_columns(k)));
    }
    ASSERT_EQ(copied.memory(), memory);  // they were there
  }
}

TEST(DisjointUnion, GivesEveryPartBack) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<SimplicialComplex> parts = random_parts(seed);
    const DisjointUnion joined = disjoint_union(parts);
    ASSERT_EQ(joined.part_count, static_cast<Index>(parts.size()));
    for (Index p = 0; p < joined.part_count; ++p) {
      const SimplicialComplex part = joined.part(p);
      ASSERT_EQ(part, parts[p]);
      for (int k = 1; k <= part.order(); ++k) {
        ASSERT_TRUE(std::ranges::equal(part.face_table(k), parts[p].face_table(k)));
      }
    }
  }
}

TEST(DisjointUnion, OffsetsAndLookupAgreeWithTheCounts) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<SimplicialComplex> parts = random_parts(seed);
    const DisjointUnion joined = disjoint_union(parts);
    ASSERT_EQ(joined.offsets.size(), static_cast<std::size_t>(joined.complex.order() + 1));
    for (int k = 0; k <= joined.complex.order(); ++k) {
      ASSERT_EQ(joined.offsets[k].size(), parts.size() + 1);
      const std::vector<Index> part_of_row = joined.parts_of_rows(k);
      ASSERT_EQ(part_of_row.size(), static_cast<std::size_t>(joined.complex.count(k)));
      std::vector<Index> found(parts.size(), 0);
      for (Index i = 0; i < joined.complex.count(k); ++i) {
        ASSERT_EQ(joined.part_of(k, i), part_of_row[i]);
        ++found[part_of_row[i]];
        for (const Vertex v : joined.complex.vertices(k, i)) ASSERT_EQ(joined.part_of(0, v), part_of_row[i]);
      }
      for (std::size_t p = 0; p < parts.size(); ++p) ASSERT_EQ(found[p], parts[p].count(k));
    }
  }
}

TEST(DisjointUnion, OfNothingAndOfEmptyPartsIsEmpty) {
  EXPECT_EQ(disjoint_union({}).complex, SimplicialComplex());
  const std::vector<SimplicialComplex> empty(3);
  const DisjointUnion joined = disjoint_union(empty);
  EXPECT_EQ(joined.complex.order(), -1);
  EXPECT_EQ(joined.part_count, 3);
  EXPECT_EQ(joined.part(1), SimplicialComplex());
  EXPECT_TRUE(joined.parts_of_rows(0).empty());
}

TEST(DisjointUnion, RejectsPartsAndRowsThatDoNotExist) {
  const std::vector<SimplicialComplex> parts{ComplexBuilder().add({0, 1}).build()};
  const DisjointUnion joined = disjoint_union(parts);
  EXPECT_THROW(joined.part(1), Error);
  EXPECT_THROW(joined.part(-1), Error);
  EXPECT_THROW(joined.part_of(0, 2), Error);
  EXPECT_THROW(joined.part_of(2, 0), Error);
}

}  // namespace
}  // namespace gsan
