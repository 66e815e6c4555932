#include "gsan/topology/builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/core/text.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/detail/closure.h"

namespace gsan {
namespace {

constexpr const char* who = "ComplexBuilder";

std::string to_text(std::span<const Vertex> simplex) { return "(" + joined(simplex, " ") + ")"; }

// How many subsets of `chosen` of n things there are.
double subsets(std::size_t n, std::size_t chosen) {
  double count = 1;
  for (std::size_t i = 0; i < chosen; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return count;
}

// The next choice of numbers below n, increasing; false after the last one.
bool next_choice(std::vector<std::size_t>& choice, std::size_t n) {
  std::size_t at = choice.size();
  while (at > 0 && choice[at - 1] == n - choice.size() + at - 1) --at;
  if (at == 0) return false;
  std::iota(choice.begin() + static_cast<std::ptrdiff_t>(at) - 1, choice.end(), choice[at - 1] + 1);
  return true;
}

}  // namespace

ComplexBuilder& ComplexBuilder::add(std::span<const Vertex> simplex) {
  GSAN_CHECK(!simplex.empty(), "ComplexBuilder::add: a simplex has at least one vertex, got an empty list");
  // w vertices have 2^w − 1 faces, which take w 2^(w−1) entries in each of the two tables.
  const auto width = static_cast<double>(simplex.size());
  const auto all = [&] { return concat("(the faces of one simplex of ", simplex.size(), " vertices)"); };
  if (width > 16) {
    check_simplices(limits_, who, std::exp2(width) - 1, all());
    check_memory(limits_, who, 4 * width * std::exp2(width), all());
  }

  if (added_.size() < simplex.size()) added_.resize(simplex.size());
  std::vector<Vertex>& table = added_[simplex.size() - 1];
  table.insert(table.end(), simplex.begin(), simplex.end());
  const std::span<Vertex> row(table.data() + table.size() - simplex.size(), simplex.size());
  std::sort(row.begin(), row.end());
  const auto repeated = std::adjacent_find(row.begin(), row.end());
  if (repeated != row.end() || row.front() < 0 || row.back() == std::numeric_limits<Vertex>::max())
      [[unlikely]] {
    const Vertex twice = repeated != row.end() ? *repeated : -1;
    table.resize(table.size() - simplex.size());
    GSAN_CHECK(twice < 0, "ComplexBuilder::add: the vertices of a simplex must differ, got vertex ", twice,
               " twice in ", to_text(simplex));
    fail(Fault::argument, "ComplexBuilder::add: vertices must lie in 0 ... 2^31 - 2, got ", to_text(simplex));
  }
  vertex_count_ = std::max(vertex_count_, row.back() + 1);
  return *this;
}

ComplexBuilder& ComplexBuilder::add(std::initializer_list<Vertex> simplex) {
  return add(std::span<const Vertex>(simplex.begin(), simplex.size()));
}

ComplexBuilder& ComplexBuilder::add_skeleton(std::span<const Vertex> simplex, int order) {
  GSAN_CHECK(order >= 0, "ComplexBuilder::add_skeleton: the order must not be negative, got ", order);
  const std::size_t width = static_cast<std::size_t>(order) + 1, count = simplex.size();
  if (count <= width) return add(simplex);
  std::vector<Vertex> sorted(simplex.begin(), simplex.end());
  std::sort(sorted.begin(), sorted.end());
  const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
  GSAN_CHECK(repeated == sorted.end(),
             "ComplexBuilder::add_skeleton: the vertices of a simplex must differ, got vertex ", *repeated,
             " twice");
  GSAN_CHECK(sorted.front() >= 0 && sorted.back() < std::numeric_limits<Vertex>::max(),
             "ComplexBuilder::add_skeleton: vertices must lie in 0 ... 2^31 - 2, got ", sorted.front(),
             " ... ", sorted.back());
  vertex_count_ = std::max(vertex_count_, sorted.back() + 1);
  if (order == 0) return *this;
  const double faces = subsets(count, width);
  const std::string what = concat("(the faces of order ", order, " of one simplex of ", count, " vertices)");
  check_simplices(limits_, who, faces, what);
  check_memory(limits_, who, 4 * static_cast<double>(width) * faces, what);

  if (added_.size() < width) added_.resize(width);
  std::vector<Vertex>& table = added_[width - 1];
  std::vector<std::size_t> choice(width);
  std::iota(choice.begin(), choice.end(), std::size_t{0});
  do {
    for (const std::size_t i : choice) table.push_back(sorted[i]);
  } while (next_choice(choice, count));
  merge_repeats(width - 1);
  return *this;
}

// Each time that the rows have doubled, so that the time is that of sorting them a few times.
void ComplexBuilder::merge_repeats(std::size_t order) {
  constexpr std::size_t least = std::size_t{1} << 22;
  if (merge_at_.size() <= order) merge_at_.resize(order + 1, least);
  std::vector<Vertex>& table = added_[order];
  if (table.size() < merge_at_[order]) return;
  table = sorted_faces(table, {}, static_cast<int>(order) + 1, vertex_count_);
  merge_at_[order] = std::max(least, 2 * table.size());
  check_memory(limits_, who, 4 * static_cast<double>(merge_at_[order]),
               concat("(the faces of order ", order, " so far)"));
}

ComplexBuilder& ComplexBuilder::add_vertices(Index count) {
  GSAN_CHECK(count >= 0, "ComplexBuilder::add_vertices: the count must not be negative, got ", count);
  vertex_count_ = std::max(vertex_count_, count);
  return *this;
}

SimplicialComplex ComplexBuilder::build() const {
  if (vertex_count_ == 0) return {};
  double simplices = vertex_count_, bytes = 4.0 * vertex_count_;
  const auto check = [&](const std::string& what, double scratch) {
    check_simplices(limits_, who, simplices, what);
    check_memory(limits_, who, bytes + scratch, what);
  };
  check(concat("(the vertices 0 ... ", vertex_count_ - 1, " alone; number them without gaps)"), 0);

  LongWork work("faces of the simplices", static_cast<double>(added_.size()));
  // From the top down: every order gets the faces of the order above.
  std::vector<std::vector<Vertex>> tables(std::max<std::size_t>(added_.size(), 1));
  for (std::size_t k = tables.size(); k-- > 1;) {
    const std::span<const Vertex> above = k + 1 < tables.size() ? tables[k + 1] : std::span<const Vertex>();
    const std::size_t rows = added_[k].size() / (k + 1) + above.size();
    check(
        concat("(the vertices and those above order ", k, "), with ", rows, " rows of order ", k, " to sort"),
        16.0 * vertex_count_ + 4.0 * static_cast<double>(k * rows));
    tables[k] = sorted_faces(added_[k], above, static_cast<int>(k) + 1, vertex_count_);
    simplices += static_cast<double>(tables[k].size() / (k + 1));
    bytes += 8.0 * static_cast<double>(tables[k].size());
    check(concat("(the vertices and those of order ", k, " and above)"), 0);
    work.reach(static_cast<double>(tables.size() - k));
  }
  tables[0].resize(vertex_count_);
  std::iota(tables[0].begin(), tables[0].end(), 0);
  return SimplicialComplex::from_sorted_tables(std::move(tables));
}

SimplicialComplex from_maximal_simplices(std::span<const std::vector<Vertex>> simplices, Limits limits) {
  ComplexBuilder builder(limits);
  for (const auto& simplex : simplices) builder.add(simplex);
  return builder.build();
}

}  // namespace gsan
