#include "gsan/topology/detail/closure.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

// Rows are scattered into one bucket per smallest vertex, then each bucket is sorted. A
// bucket is (part of) a star: small, and close together in memory.

namespace gsan {
namespace {

// The rows without their smallest vertex, `Rest` vertices each.
template <int Rest>
class Tails {
 public:
  Tails(std::size_t count, int) : rows_(count) {}
  void set(std::size_t i, const Vertex* tail) { std::copy(tail, tail + Rest, rows_[i].begin()); }
  const Vertex* at(std::size_t i) const { return rows_[i].data(); }
  // Sorts rows begin … end, repeats last; returns how many differ.
  std::size_t sort_unique(std::size_t begin, std::size_t end) {
    const auto from = rows_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = rows_.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(from, to);
    return static_cast<std::size_t>(std::unique(from, to) - from);
  }

 private:
  std::vector<std::array<Vertex, Rest>> rows_;
};

// The same for any width.
class WideTails {
 public:
  WideTails(std::size_t count, int rest) : rest_(rest), rows_(count * rest) {}
  void set(std::size_t i, const Vertex* tail) { std::copy(tail, tail + rest_, rows_.begin() + i * rest_); }
  const Vertex* at(std::size_t i) const { return rows_.data() + i * rest_; }
  std::size_t sort_unique(std::size_t begin, std::size_t end) {
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::lexicographical_compare(at(a), at(a) + rest_, at(b), at(b) + rest_);
    });
    order.erase(
        std::unique(order.begin(), order.end(),
                    [&](std::size_t a, std::size_t b) { return std::equal(at(a), at(a) + rest_, at(b)); }),
        order.end());
    std::vector<Vertex> sorted;
    sorted.reserve(order.size() * rest_);
    for (const std::size_t i : order) sorted.insert(sorted.end(), at(i), at(i) + rest_);
    std::copy(sorted.begin(), sorted.end(), rows_.begin() + begin * rest_);
    return order.size();
  }

 private:
  std::size_t rest_;
  std::vector<Vertex> rows_;
};

template <class Rows>
std::vector<Vertex> sorted_faces_as(std::span<const Vertex> listed, std::span<const Vertex> above, int width,
                                    Index vertex_count) {
  const int rest = width - 1;
  // first[v]: start of bucket v. Of the faces of (v0 v1 …) one starts with v1, the others with v0.
  std::vector<std::size_t> first(static_cast<std::size_t>(vertex_count) + 1, 0);
  for (std::size_t i = 0; i < listed.size(); i += width) ++first[listed[i]];
  for (std::size_t i = 0; i < above.size(); i += width + 1) {
    first[above[i]] += width;
    ++first[above[i + 1]];
  }
  std::exclusive_scan(first.begin(), first.end(), first.begin(), std::size_t{0});

  Rows rows(first.back(), rest);
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < listed.size(); i += width) rows.set(next[listed[i]]++, &listed[i + 1]);
  std::vector<Vertex> tail(rest);
  for (std::size_t i = 0; i < above.size(); i += width + 1) {
    const Vertex* row = &above[i];
    rows.set(next[row[1]]++, row + 2);  // the face without v0
    std::size_t& at = next[row[0]];
    std::copy(row + 2, row + width + 1, tail.begin());  // without v1; then without v2, v3, …
    rows.set(at++, tail.data());
    for (int omitted = 0; omitted < rest; ++omitted) {
      tail[omitted] = row[omitted + 1];
      rows.set(at++, tail.data());
    }
  }

  std::size_t kept = 0;
  for (std::size_t v = 0; v + 1 < first.size(); ++v) {
    next[v] = first[v + 1] > first[v] ? rows.sort_unique(first[v], first[v + 1]) : 0;
    kept += next[v];
  }
  std::vector<Vertex> sorted;
  sorted.reserve(kept * width);
  for (std::size_t v = 0; v + 1 < first.size(); ++v) {
    for (std::size_t i = first[v]; i < first[v] + next[v]; ++i) {
      sorted.push_back(static_cast<Vertex>(v));
      sorted.insert(sorted.end(), rows.at(i), rows.at(i) + rest);
    }
  }
  return sorted;
}

}  // namespace

std::vector<Vertex> sorted_faces(std::span<const Vertex> listed, std::span<const Vertex> above, int width,
                                 Index vertex_count) {
  switch (width) {
    case 2:
      return sorted_faces_as<Tails<1>>(listed, above, width, vertex_count);
    case 3:
      return sorted_faces_as<Tails<2>>(listed, above, width, vertex_count);
    case 4:
      return sorted_faces_as<Tails<3>>(listed, above, width, vertex_count);
    case 5:
      return sorted_faces_as<Tails<4>>(listed, above, width, vertex_count);
    default:
      return sorted_faces_as<WideTails>(listed, above, width, vertex_count);
  }
}

}  // namespace gsan
