#include "gsan/hodge/facets.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

using Rows = std::vector<std::vector<std::int64_t>>;

Rows rows_of(const Tensor& offsets, const Tensor& entries) {
  Rows rows;
  for (std::int64_t i = 0; i + 1 < offsets.numel(); ++i) {
    const auto* first = entries.const_data_ptr<std::int64_t>();
    const auto* at = offsets.const_data_ptr<std::int64_t>();
    rows.emplace_back(first + at[i], first + at[i + 1]);
  }
  return rows;
}

// By vertex lists alone.
Rows naive_members(const SimplicialComplex& complex, int k) {
  Rows rows;
  const auto contains = [&](int m, Index f, int j, Index i) {
    return std::ranges::includes(complex.vertices(m, f), complex.vertices(j, i));
  };
  for (int m = k; m <= complex.order(); ++m)
    for (Index f = 0; f < complex.count(m); ++f) {
      bool is_facet = true;
      for (Index c = 0; c < complex.count(m + 1); ++c) is_facet = is_facet && !contains(m + 1, c, m, f);
      if (!is_facet) continue;
      std::vector<std::int64_t>& row = rows.emplace_back();
      for (Index i = 0; i < complex.count(k); ++i)
        if (contains(m, f, k, i)) row.push_back(i);
    }
  return rows;
}

TEST(FacetMembers, AreTheFacesOfSimplicesThatNoOtherContains) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (int k = 0; k <= complex.order() + 1; ++k) {
      const FacetMembers& table = facet_members(operators, k);
      const Rows members = rows_of(table.offsets, table.members),
                 facets = rows_of(table.of_member, table.facets);
      EXPECT_EQ(members, naive_members(complex, k)) << seed << ", " << k;
      ASSERT_EQ(std::ssize(facets), complex.count(k));
      for (std::int64_t i = 0; i < std::ssize(facets); ++i) {
        EXPECT_FALSE(facets[i].empty());
        for (std::int64_t f = 0; f < std::ssize(members); ++f)
          EXPECT_EQ(std::ranges::count(facets[i], f), std::ranges::count(members[f], i));
      }
    }
  }
  expect_error(Fault::argument, {"facet_members", "-1"},
               [] { facet_members(ComplexOperators(random_complex(1)), -1); });
}

TEST(FacetMembers, ThatPassTheMemoryAreRefused) {
  const ComplexOperators operators(random_complex(3), OperatorOptions{.max_memory = 8});
  expect_error(Fault::resource, {"facet_members", "members of order 0"},
               [&] { facet_members(operators, 0); });
}

}  // namespace
}  // namespace gsan
