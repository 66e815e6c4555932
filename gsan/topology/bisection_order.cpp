#include "gsan/topology/bisection_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// Pieces of so few vertices stay as the search found them: their rows share a few cache lines.
constexpr std::size_t whole_piece = 8;

class Bisection {
 public:
  Bisection(const SimplicialComplex& complex, Vertex first, Vertex last)
      : first_(first), piece_(static_cast<std::size_t>(last - first), 0), met_(piece_.size(), 0) {
    read_neighbours(complex);
    order_.resize(piece_.size());
    std::iota(order_.begin(), order_.end(), 0);
    found_.reserve(order_.size());
    std::vector<std::pair<std::size_t, std::size_t>> pending{{0, order_.size()}};
    while (!pending.empty()) {
      const auto [begin, end] = pending.back();
      pending.pop_back();
      if (end - begin <= whole_piece) continue;
      const std::size_t middle = halve(begin, end);
      pending.emplace_back(begin, middle);
      pending.emplace_back(middle, end);
    }
  }

  std::vector<Vertex> names() const {
    std::vector<Vertex> new_name(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) new_name[order_[i]] = first_ + static_cast<Vertex>(i);
    return new_name;
  }

 private:
  // The vertices are counted from first_ here. One flat list of neighbours, so that a search follows one
  // table.
  void read_neighbours(const SimplicialComplex& complex) {
    const std::span<const Offset> offsets = complex.coface_offsets(0);
    const std::span<const Index> edges_of = complex.coface_table(0);
    const std::span<const Vertex> ends = complex.vertex_table(1);
    offsets_.reserve(piece_.size() + 1);
    offsets_.push_back(0);
    for (std::size_t v = 0; v < piece_.size(); ++v) {
      const Vertex own = first_ + static_cast<Vertex>(v);
      for (Offset at = offsets[own]; at < offsets[own + 1]; ++at) {
        const std::size_t edge = static_cast<std::size_t>(edges_of[at]) * 2;
        neighbours_.push_back((ends[edge] == own ? ends[edge + 1] : ends[edge]) - first_);
      }
      offsets_.push_back(neighbours_.size());
    }
  }

  // Sorts order_[begin, end) by a search from a far vertex and gives the halves numbers of their own.
  std::size_t halve(std::size_t begin, std::size_t end) {
    search(begin, end, order_[begin]);
    search(begin, end, found_.back());
    std::copy(found_.begin(), found_.end(), order_.begin() + static_cast<std::ptrdiff_t>(begin));
    const std::size_t middle = begin + (end - begin) / 2;
    const std::uint32_t half = ++pieces_;
    for (std::size_t i = middle; i < end; ++i) piece_[order_[i]] = half;
    return middle;
  }

  // found_: all vertices of the piece, breadth first from `start`; what cannot be reached follows, component
  // by component.
  void search(std::size_t begin, std::size_t end, Vertex start) {
    ++sweep_;
    const std::uint32_t piece = piece_[start];
    found_.clear();
    const auto meet = [&](Vertex v) {
      met_[v] = sweep_;
      found_.push_back(v);
    };
    meet(start);
    std::size_t candidate = begin;
    for (std::size_t next = 0; next < end - begin; ++next) {
      while (next == found_.size()) {
        const Vertex v = order_[candidate++];
        if (met_[v] != sweep_) meet(v);
      }
      const Vertex v = found_[next];
      for (std::size_t at = offsets_[v]; at < offsets_[v + 1]; ++at) {
        const Vertex other = neighbours_[at];
        if (piece_[other] == piece && met_[other] != sweep_) meet(other);
      }
    }
  }

  Vertex first_;
  std::vector<std::size_t> offsets_;
  std::vector<Vertex> neighbours_;
  std::vector<std::uint32_t> piece_;  // to which piece a vertex belongs by now
  std::vector<std::uint64_t> met_;    // the last search that met a vertex
  std::uint32_t pieces_ = 0;
  std::uint64_t sweep_ = 0;
  std::vector<Vertex> order_, found_;
};

}  // namespace

std::vector<Vertex> bisection_order(const SimplicialComplex& complex) {
  return bisection_order(complex, 0, complex.count(0));
}

std::vector<Vertex> bisection_order(const SimplicialComplex& complex, Vertex first, Vertex last) {
  GSAN_CHECK(0 <= first && first <= last && last <= complex.count(0),
             "bisection_order: vertices first ... last - 1 must lie in 0 ... ", complex.count(0) - 1,
             ", got first = ", first, ", last = ", last);
  if (complex.order() < 1) {
    std::vector<Vertex> names(static_cast<std::size_t>(last - first));
    std::iota(names.begin(), names.end(), first);
    return names;
  }
  return Bisection(complex, first, last).names();
}

}  // namespace gsan
