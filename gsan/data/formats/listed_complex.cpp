#include "gsan/data/formats/listed_complex.h"

#include <algorithm>

#include "gsan/core/check.h"

namespace gsan {

const ListedSimplices& ListedComplex::list(int order) const {
  GSAN_CHECK(order >= 0 && order <= complex.order(), "order ", order, " does not exist: the complex has ",
             complex.order() < 0 ? "no simplices" : concat("orders 0 ... ", complex.order()));
  return lists[static_cast<std::size_t>(order)];
}

int sort_with_sign(std::span<Vertex> simplex) {
  int inversions = 0;
  for (std::size_t i = 1; i < simplex.size(); ++i) {
    const Vertex vertex = simplex[i];
    std::size_t j = i;
    for (; j > 0 && simplex[j - 1] > vertex; --j) simplex[j] = simplex[j - 1];
    simplex[j] = vertex;
    if (j > 0 && simplex[j - 1] == vertex) return 0;
    inversions ^= static_cast<int>((i - j) & 1);
  }
  return face_sign(inversions);
}

ListedSimplices place_simplices(const SimplicialComplex& complex, int order, std::vector<Vertex> vertices) {
  const auto width = static_cast<std::size_t>(order) + 1;
  const std::size_t count = vertices.size() / width;
  const std::span<const Vertex> table = complex.vertex_table(order);
  const Index rows = complex.count(order);
  // Rows first[v] … first[v + 1] − 1 begin with vertex v: a search looks only there.
  std::vector<Index> first(static_cast<std::size_t>(complex.count(0)) + 1, 0);
  for (std::size_t i = 0; i < table.size(); i += width) ++first[static_cast<std::size_t>(table[i]) + 1];
  for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];

  ListedSimplices list;
  list.order = order;
  list.vertices = std::move(vertices);
  list.rows.assign(count, -1);
  list.signs.assign(count, 0);
  std::vector<Vertex> sorted(width);
  for (std::size_t r = 0; r < count; ++r) {
    std::copy_n(list.vertices.begin() + static_cast<std::ptrdiff_t>(r * width), width, sorted.begin());
    list.signs[r] = static_cast<std::int8_t>(sort_with_sign(sorted));
    if (list.signs[r] == 0 || sorted[0] < 0 || sorted[0] >= complex.count(0)) continue;
    Index low = first[static_cast<std::size_t>(sorted[0])];
    Index high = first[static_cast<std::size_t>(sorted[0]) + 1];
    const auto row = [&](Index i) { return table.subspan(static_cast<std::size_t>(i) * width, width); };
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (std::ranges::lexicographical_compare(row(middle), sorted)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < rows && std::ranges::equal(row(low), sorted)) list.rows[r] = low;
  }
  return list;
}

ListedComplex list_everything(SimplicialComplex complex, Labels labels) {
  GSAN_CHECK(labels.size() == complex.count(0), "list_everything: the complex has ", complex.count(0),
             " vertices, but there are ", labels.size(), " labels");
  ListedComplex listed{std::move(labels), std::move(complex), {}};
  for (int k = 0; k <= listed.complex.order(); ++k) {
    const std::span<const Vertex> table = listed.complex.vertex_table(k);
    listed.lists.push_back(place_simplices(listed.complex, k, {table.begin(), table.end()}));
  }
  return listed;
}

ListedComplex list_everything(SimplicialComplex complex) {
  Labels labels = Labels::consecutive(complex.count(0));
  return list_everything(std::move(complex), std::move(labels));
}

}  // namespace gsan
