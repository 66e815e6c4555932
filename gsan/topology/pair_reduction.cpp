#include "gsan/topology/detail/pair_reduction.h"

#include <algorithm>

#include "gsan/topology/budget.h"

namespace gsan {

PairReduction::PairReduction(const SimplicialComplex& complex, const Limits& limits)
    : pair_count_(complex.order() + 2) {
  double bytes = 0;
  for (int k = 0; k <= complex.order(); ++k) {
    // flags and counts, a place in the queue, and the coface lists that complex.h describes
    bytes += complex.count(k) * (2.0 + sizeof(Index) + sizeof(Cell) + sizeof(Offset)) +
             complex.count(k) * (k + 1.0) * (sizeof(Index) + 1);
  }
  check_memory(limits, "homology", bytes, "the pairing of simplices");

  for (int k = 0; k <= complex.order(); ++k) {
    const Index count = complex.count(k);
    Cells cells{complex.face_table(k), complex.coface_table(k), complex.coface_offsets(k), {}, {}, {}};
    cells.alive.assign(count, 1);
    cells.face_count.assign(count, static_cast<std::uint8_t>(k == 0 ? 0 : k + 1));
    cells.coface_count.resize(count);
    for (Index i = 0; i < count; ++i) {
      cells.coface_count[i] = static_cast<Index>(cells.coface_offsets[i + 1] - cells.coface_offsets[i]);
      if (cells.coface_count[i] == 1) queue_.push_back({k, i});
    }
    cells_.push_back(std::move(cells));
  }
  drain();
  // The rows of B_1 that belong to one component add up to zero, so one vertex of each may
  // go; coreductions then reach every other vertex of the component.
  for (Index v = 0; v < complex.count(0); ++v) {
    if (!cells_[0].alive[v]) continue;
    remove(0, v);
    drain();
  }
}

void PairReduction::remove(int k, Index i) {
  Cells& cells = cells_[k];
  cells.alive[i] = 0;
  for (int j = 0; k > 0 && j <= k; ++j) {
    const Index below = face(k, i, j);
    if (cells_[k - 1].alive[below] && --cells_[k - 1].coface_count[below] == 1)
      queue_.push_back({k - 1, below});
  }
  for (Offset at = cells.coface_offsets[i]; at < cells.coface_offsets[i + 1]; ++at) {
    const Index above = cells.cofaces[at];
    if (cells_[k + 1].alive[above] && --cells_[k + 1].face_count[above] == 1)
      queue_.push_back({k + 1, above});
  }
}

void PairReduction::eliminate(int k, Index lower, Index upper) {
  ++pair_count_[k];
  remove(k - 1, lower);
  remove(k, upper);
}

void PairReduction::drain() {
  while (!queue_.empty()) {
    const auto [k, i] = queue_.front();
    queue_.pop_front();
    const Cells& cells = cells_[k];
    if (!cells.alive[i]) continue;
    if (cells.coface_count[i] == 1) {
      Offset at = cells.coface_offsets[i];
      while (!cells_[k + 1].alive[cells.cofaces[at]]) ++at;
      eliminate(k + 1, i, cells.cofaces[at]);
    } else if (cells.face_count[i] == 1) {
      int j = 0;
      while (!cells_[k - 1].alive[face(k, i, j)]) ++j;
      eliminate(k, face(k, i, j), i);
    }
  }
}

PairReduction::Remainder PairReduction::remainder(int k, const PrimeField& field,
                                                  const Limits& limits) const {
  const Cells &lower = cells_[k - 1], &upper = cells_[k];
  double bytes = 0;
  for (std::size_t i = 0; i < upper.alive.size(); ++i) {
    const int size = upper.alive[i] ? upper.face_count[i] : 0;
    if (size > 0) bytes += sizeof(SparseColumn) + sizeof(Index) + size * sizeof(SparseEntry);
  }
  check_memory(limits, "homology", bytes, "the boundary of the simplices that no pairing removed");

  Remainder left;
  std::vector<Index> row_of(lower.alive.size(), -1);
  for (Index i = 0; i < static_cast<Index>(upper.alive.size()); ++i) {
    if (!upper.alive[i] || upper.face_count[i] == 0) continue;
    SparseColumn column;
    column.reserve(upper.face_count[i]);
    for (int j = 0; j <= k; ++j) {
      const Index below = face(k, i, j);
      if (!lower.alive[below]) continue;
      if (row_of[below] < 0) row_of[below] = left.row_count++;
      column.push_back({row_of[below], face_sign(j) > 0 ? 1 : field.negative(1)});
    }
    std::sort(column.begin(), column.end(),
              [](const SparseEntry& x, const SparseEntry& y) { return x.row < y.row; });
    left.columns.push_back(std::move(column));
    left.cells.push_back(i);
  }
  return left;
}

void PairReduction::retire(int k, std::span<const Index> pivots) {
  for (Index i = 0; i < static_cast<Index>(cells_[k - 1].alive.size()); ++i) {
    if (cells_[k - 1].alive[i]) remove(k - 1, i);
  }
  for (const Index pivot : pivots) remove(k, pivot);
  drain();
}

}  // namespace gsan
