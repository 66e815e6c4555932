#include "gsan/topology/star.h"

#include <algorithm>
#include <iterator>

#include "gsan/core/check.h"

namespace gsan {

SimplexRows open_star(const SimplicialComplex& complex, const SimplexRows& chosen) {
  SimplexRows star(std::max<std::size_t>(chosen.size(), complex.order() + 1));
  for (int k = 0; k < static_cast<int>(star.size()); ++k) {
    std::vector<Index>& rows = star[k];
    if (k < static_cast<int>(chosen.size())) {
      for (const Index row : chosen[k]) {
        GSAN_CHECK(row >= 0 && row < complex.count(k), "open_star: order ", k, " has ", complex.count(k),
                   " simplices, got row ", row);
        rows.push_back(row);
      }
    }
    for (std::size_t n = 0; k > 0 && n < star[k - 1].size(); ++n) {
      const std::span<const Index> cofaces = complex.cofaces(k - 1, star[k - 1][n]);
      rows.insert(rows.end(), cofaces.begin(), cofaces.end());
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  return star;
}

MappedComplex closed_star(const SimplicialComplex& complex, const SimplexRows& chosen) {
  return subcomplex(complex, open_star(complex, chosen));
}

MappedComplex link(const SimplicialComplex& complex, const SimplexRows& chosen) {
  SimplexRows rows = closure(complex, open_star(complex, chosen));
  const SimplexRows touching = open_star(complex, closure(complex, chosen));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<Index> kept;
    std::set_difference(rows[k].begin(), rows[k].end(), touching[k].begin(), touching[k].end(),
                        std::back_inserter(kept));
    rows[k] = std::move(kept);
  }
  return subcomplex(complex, rows);
}

SimplexRows single_simplex(int k, Index i) {
  GSAN_CHECK(k >= 0, "single_simplex: the order must not be negative, got ", k);
  SimplexRows rows(k + 1);
  rows[k].push_back(i);
  return rows;
}

}  // namespace gsan
