#include "gsan/topology/clique_complex.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/detail/gallop.h"
#include "gsan/topology/detail/trusted_tables.h"

// Order k + 1 is made from order k, prefix by prefix. The children of a row are the rows
// one order up that extend it by a larger vertex; in lexicographic order they stand
// together. For a k-simplex t = (p, w) with prefix p, the (k+1)-simplex (t, x) has faces
//
//   face j < k   child by x of face j of t      (face j of t ends in w)
//   face k       child by x of p, a later sibling of t
//   face k + 1   t itself
//
// so intersecting the children of the faces of t gives the new rows and their faces at
// once. In a clique complex an x common to two of these lists is common to all of them.

namespace gsan {
namespace {

constexpr const char* who = "clique_complex";

// The rows of order k, without their vertices: what the next order needs.
struct Rows {
  std::span<const Index> first;  // [N_{k−1} + 1], children of each row of order k − 1
  std::span<const Vertex> last;  // [N_k], largest vertex
  std::span<const Index> faces;  // [N_k, k + 1]; none for k = 1, where face 0 is `last`
};

// Grows without moving what it holds, so that the final table is allocated once, exactly.
class BlockList {
 public:
  bool fits(std::size_t count) const {
    return !blocks_.empty() && blocks_.back().capacity - blocks_.back().used >= count;
  }
  // Room for `count` more entries, one after the other.
  Index* reserve(std::size_t count) {
    if (!fits(count)) {
      const std::size_t capacity = std::max(count, std::clamp<std::size_t>(size_, 1 << 12, 1 << 20));
      blocks_.push_back({std::make_unique_for_overwrite<Index[]>(capacity), 0, capacity});
    }
    return blocks_.back().data.get() + blocks_.back().used;
  }
  void commit(std::size_t count) {
    blocks_.back().used += count;
    size_ += count;
  }
  std::size_t size() const { return size_; }

  // Calls take(entries) for each block in turn and frees the block.
  template <class Take>
  void drain(Take take) {
    for (Block& block : blocks_) {
      take(std::span<const Index>(block.data.get(), block.used));
      block.data.reset();
    }
    blocks_.clear();
  }

 private:
  struct Block {
    std::unique_ptr<Index[]> data;
    std::size_t used, capacity;
  };
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

// Counts against the limits whenever memory is about to grow.
struct Guard {
  const Limits& limits;
  double simplices;  // of the orders below
  double bytes;      // of their tables, and of what is held while this order grows

  void check(std::int64_t rows, int order) const {
    check_simplices(limits, who, simplices + static_cast<double>(rows),
                    concat("by the time ", rows, " of order ", order, " are found"));
    check_memory(limits, who, bytes + 8.0 * (order + 1) * static_cast<double>(rows),
                 concat("the first ", rows, " simplices of order ", order));
    if (rows >= std::numeric_limits<Index>::max()) {
      fail(Fault::resource, who, ": at most 2^31 - 2 simplices of one order, got more of order ", order);
    }
  }
};

// Finds the children of every row of order k (`Fixed`, or `order` where Fixed is 0).
// first: [N_k + 1]; found: per child its faces 0 … k (face k + 1 is its prefix).
template <int Fixed>
void expand(int order, const Rows& rows, Index vertex_count, const Guard& guard, std::vector<Index>& first,
            BlockList& found) {
  const int k = Fixed > 0 ? Fixed : order;
  const std::size_t width = static_cast<std::size_t>(k) + 1;
  const Vertex* last = rows.last.data();
  const auto value = [last](Index row) { return last[row]; };
  // mark[x]: the child by x of the present prefix; what earlier prefixes left lies below `from`.
  std::vector<Index> mark(vertex_count, -1);
  std::vector<Index> at(k), end(k);
  std::vector<std::array<Index, 2>> common;
  std::int64_t total = 0;

  const auto prefixes = static_cast<Index>(rows.first.size()) - 1;
  LongWork work(concat("cliques of ", k + 2, " vertices"), prefixes);
  for (Index p = 0; p < prefixes; ++p) {
    if (p % 1024 == 0) work.reach(p);
    const Index from = rows.first[p], to = rows.first[p + 1];
    if (to - from > 1) {
      for (Index r = from; r < to; ++r) mark[last[r]] = r;
    }
    for (Index t = from; t < to; ++t) {
      first[t] = static_cast<Index>(total);
      // Faces lie anywhere: fetch where their children start, then the children.
      if (const std::size_t ahead = static_cast<std::size_t>(t) + 16; ahead < rows.last.size()) {
        for (int j = 0; j < k; ++j) {
          __builtin_prefetch(&rows.first[k == 1 ? last[ahead] : rows.faces[ahead * width + j]]);
          __builtin_prefetch(
              &last[rows.first[k == 1 ? last[ahead - 8] : rows.faces[(ahead - 8) * width + j]]]);
        }
      }
      const Index later = to - t - 1;
      if (later == 0) continue;
      int shortest = 0;
      for (int j = 0; j < k; ++j) {
        const Index face = k == 1 ? last[t] : rows.faces[t * width + j];
        at[j] = rows.first[face];
        end[j] = rows.first[face + 1];
        if (end[j] - at[j] < end[shortest] - at[shortest]) shortest = j;
      }
      const Index begin = at[shortest], stop = end[shortest], length = stop - begin;
      if (length == 0) continue;

      // Rows common to the later siblings of t and the shortest list, as (row, sibling).
      const std::size_t bound = static_cast<std::size_t>(std::min(later, length)) + 1;
      if (common.size() < bound) common.resize(2 * bound);
      std::size_t count = 0;
      if (length / 16 > later) {
        Index row = begin;
        for (Index sibling = t + 1; sibling < to && row < stop; ++sibling) {
          row = gallop(value, row, stop, last[sibling]);
          if (row < stop && last[row] == last[sibling]) common[count++] = {row, sibling};
        }
      } else {
        for (Index row = begin; row < stop; ++row) {
          const Index sibling = mark[last[row]];
          common[count] = {row, sibling};
          count += sibling >= from;
        }
      }
      if (count == 0) continue;

      if (!found.fits(count * width)) guard.check(total + static_cast<std::int64_t>(count), k + 1);
      Index* out = found.reserve(count * width);
      for (std::size_t c = 0; c < count; ++c, out += width) {
        const auto [row, sibling] = common[c];
        for (int j = 0; j < k; ++j) {
          if (j == shortest)
            at[j] = row;
          else
            at[j] = gallop(value, at[j], end[j], last[sibling]);
          out[j] = at[j];
        }
        out[k] = sibling;
      }
      found.commit(count * width);
      total += static_cast<std::int64_t>(count);
    }
  }
  guard.check(total, k + 1);
  first.back() = static_cast<Index>(total);
}

// [N, k + 1] face table of order k from what expand() found for it.
std::vector<Index> face_table(int k, const std::vector<Index>& first, BlockList& found) {
  std::vector<Index> faces(static_cast<std::size_t>(first.back()) * (k + 1));
  Index* out = faces.data();
  Index row = 0, prefix = 0;
  found.drain([&](std::span<const Index> entries) {
    for (const Index* in = entries.data(); in != entries.data() + entries.size(); in += k, ++row) {
      while (first[prefix + 1] <= row) ++prefix;
      out = std::copy(in, in + k, out);
      *out++ = prefix;
    }
  });
  return faces;
}

}  // namespace

SimplicialComplex clique_complex(Graph graph, int max_order, Limits limits) {
  GSAN_CHECK(max_order >= 0, who, ": max_order must not be negative, got ", max_order);
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  if (n == 0) return {};
  const bool has_edges = max_order > 0 && graph.edge_count() > 0;
  Guard guard{limits, static_cast<double>(n), 12.0 * static_cast<double>(n)};
  guard.check(has_edges ? graph.edge_count() : 0, 1);

  // Faces of orders 2, 3, …; the tables of the edges follow when the scratch is gone.
  TrustedTables tables;
  tables.faces.resize(has_edges ? 2 : 1);
  {
    std::vector<Index> own_first;
    std::vector<Vertex> own_last;
    Rows rows{graph.first, graph.neighbors, {}};
    for (int k = 1; k < max_order && !rows.last.empty(); ++k) {
      guard.simplices += static_cast<double>(rows.last.size());
      guard.bytes += (8.0 * (k + 1) + 4) * static_cast<double>(rows.last.size());
      std::vector<Index> first(rows.last.size() + 1);
      BlockList found;
      if (k == 1)
        expand<1>(k, rows, graph.vertex_count(), guard, first, found);
      else if (k == 2)
        expand<2>(k, rows, graph.vertex_count(), guard, first, found);
      else
        expand<0>(k, rows, graph.vertex_count(), guard, first, found);
      if (first.back() == 0) break;
      own_first = std::vector<Index>();
      if (k + 1 == max_order) own_last = std::vector<Vertex>();
      tables.faces.push_back(face_table(k + 1, first, found));
      if (k + 1 == max_order) break;
      std::vector<Vertex> last(first.back());
      for (std::size_t i = 0; i < last.size(); ++i) last[i] = rows.last[tables.faces.back()[i * (k + 2) + k]];
      own_first = std::move(first);
      own_last = std::move(last);
      rows = {own_first, own_last, tables.faces.back()};
    }
  }

  tables.vertices.emplace_back(n);
  std::iota(tables.vertices[0].begin(), tables.vertices[0].end(), 0);
  if (has_edges) {
    std::vector<Vertex>& edges = tables.vertices.emplace_back(2 * graph.neighbors.size());
    for (std::size_t u = 0, e = 0; u < n; ++u) {
      for (; e < static_cast<std::size_t>(graph.first[u + 1]); ++e) {
        edges[2 * e] = static_cast<Vertex>(u);
        edges[2 * e + 1] = graph.neighbors[e];
      }
    }
    graph = {};
    tables.faces[1].resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); i += 2) {  // face 0 drops the smaller vertex
      tables.faces[1][i] = edges[i + 1];
      tables.faces[1][i + 1] = edges[i];
    }
  }
  return std::move(tables).freeze();
}

SimplicialComplex clique_complex(std::span<const Edge> edges, Index vertex_count, int max_order,
                                 Limits limits) {
  return clique_complex(graph_from_edges(edges, vertex_count, limits, who), max_order, limits);
}

}  // namespace gsan
