#include "gsan/hodge/facets.h"

#include <algorithm>

#include "gsan/topology/budget.h"

namespace gsan {
namespace {

constexpr double bytes_per_entry = 16;  // members and facets

struct Lists {
  std::vector<std::int64_t> offsets{0}, members;
};

// Calls visit(members) for every facet of order k and above, members increasing.
template <class Visitor>
void visit_facets(const SimplicialComplex& complex, int k, const Visitor& visit) {
  std::vector<Index> members, faces;
  for (int m = k; m <= complex.order(); ++m) {
    for (Index facet = 0; facet < complex.count(m); ++facet) {
      if (m < complex.order() && !complex.cofaces(m, facet).empty()) continue;
      members.assign(1, facet);
      for (int j = m; j > k; --j) {  // the faces of order j − 1 of what is held
        faces.clear();
        for (const Index held : members)
          for (const Index face : complex.faces(j, held)) faces.push_back(face);
        std::sort(faces.begin(), faces.end());
        faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
        members.swap(faces);
      }
      visit(members);
    }
  }
}

Lists make_lists(const ComplexOperators& operators, int k) {
  Lists lists;
  visit_facets(operators.complex(), k, [&](const std::vector<Index>& members) {
    lists.members.insert(lists.members.end(), members.begin(), members.end());
    lists.offsets.push_back(static_cast<std::int64_t>(lists.members.size()));
    check_memory({.max_memory = operators.max_memory()}, "facet_members",
                 bytes_per_entry * static_cast<double>(lists.members.size()),
                 concat("the members of order ", k, " of all facets"));
  });
  for (std::int64_t row = operators.complex().count(k); row < operators.count(k); ++row) {
    lists.members.push_back(row);
    lists.offsets.push_back(static_cast<std::int64_t>(lists.members.size()));
  }
  if (operators.is_arranged() && k <= operators.order()) {  // given row → row
    const Tensor sources = operators.sources(k).cpu();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(sources.numel()));
    for (std::int64_t row = 0; row < sources.numel(); ++row)
      rows[sources.const_data_ptr<std::int64_t>()[row]] = row;
    for (std::int64_t& member : lists.members) member = rows[member];
  }
  return lists;
}

FacetMembers make_table(const ComplexOperators& operators, int k) {
  const Lists lists = make_lists(operators, k);
  const auto N = static_cast<std::size_t>(operators.count(k));
  std::vector<std::int64_t> of_member(N + 1), facets(lists.members.size());
  for (const std::int64_t member : lists.members) ++of_member[member + 1];
  for (std::size_t i = 0; i < N; ++i) of_member[i + 1] += of_member[i];
  std::vector<std::int64_t> next(of_member.begin(), of_member.end() - 1);
  for (std::size_t f = 0; f + 1 < lists.offsets.size(); ++f)
    for (std::int64_t e = lists.offsets[f]; e < lists.offsets[f + 1]; ++e)
      facets[next[lists.members[e]]++] = static_cast<std::int64_t>(f);
  const auto placed = [&](const std::vector<std::int64_t>& numbers) {
    return torch::tensor(numbers, torch::kInt64).to(operators.device());
  };
  return {placed(lists.offsets), placed(lists.members), placed(of_member), placed(facets)};
}

}  // namespace

const FacetMembers& facet_members(const ComplexOperators& operators, int k) {
  GSAN_CHECK(k >= 0, "facet_members: the order must not be negative, got ", k);
  return operators.derived<FacetMembers>({"facet_members", {k}}, [&] { return make_table(operators, k); });
}

}  // namespace gsan
