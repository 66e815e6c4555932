#pragma once
// The neighbours of one simplex by increasing number, without sorting: they fall into k + 1 lists, one per
// vertex that is dropped, and each list increases already, because simplices are in lexicographic order.
//   through faces    the list of face a: its cofaces
//   through cofaces  the list of vertex a of i: face "without it" of every coface i ∪ {x}, in the order of x
// Two simplices share at most one face and one coface, so no two lists have a simplex in common but i itself.

#include <array>
#include <limits>
#include <span>

#include "gsan/topology/complex.h"

namespace gsan {

/// The rows of one order and side.
class NeighborRows {
 public:
  NeighborRows(const SimplicialComplex& complex, int k, bool through_faces)
      : k_(k),
        through_faces_(through_faces),
        has_neighbors_(through_faces ? k > 0 : true),
        faces_(through_faces ? complex.face_table(k) : complex.face_table(k + 1)),
        offsets_(complex.coface_offsets(through_faces ? k - 1 : k)),
        cofaces_(complex.coface_table(through_faces ? k - 1 : k)),
        columns_(complex.coface_columns(through_faces ? k - 1 : k)) {}

  /// How many neighbours i has, i itself included.
  std::int64_t length(Index i) const {
    if (!has_neighbors_) return 1;
    if (!through_faces_) return 1 + (offsets_[i + 1] - offsets_[i]) * (k_ + 1);
    std::int64_t length = 1;
    for (int a = 0; a <= k_; ++a) {
      const Index face = faces_[static_cast<std::size_t>(i) * (k_ + 1) + a];
      length += offsets_[face + 1] - offsets_[face] - 1;
    }
    return length;
  }

  /// visit(neighbour, shared face or coface, sign of the pair) by increasing neighbour; i itself has −1, +1.
  template <class Visit>
  void visit(Index i, const Visit& visit) const {
    if (!has_neighbors_) return visit(i, Index{-1}, 1);
    switch (k_) {
      case 0:
        return merge<0>(i, visit);
      case 1:
        return merge<1>(i, visit);
      case 2:
        return merge<2>(i, visit);
      case 3:
        return merge<3>(i, visit);
      default:
        return merge<-1>(i, visit);
    }
  }

 private:
  static constexpr Index none = std::numeric_limits<Index>::max();  // no simplex has this number
  static constexpr int largest_width = 256;

  // The order is `Fixed`, or k_ where that is −1.
  template <int Fixed, class Visit>
  void merge(Index i, const Visit& visit) const {
    const int k = Fixed >= 0 ? Fixed : k_;
    constexpr std::size_t width = Fixed >= 0 ? Fixed + 1 : largest_width;
    std::array<Offset, width> at, end;
    std::array<Index, width> head;
    const Index* own_faces = faces_.data() + static_cast<std::size_t>(i) * (k + 1);
    const auto refill = [&](int a) {
      if (through_faces_ && at[a] < end[a] && cofaces_[at[a]] == i) ++at[a];
      if (at[a] == end[a])
        head[a] = none;
      else
        head[a] = through_faces_ ? cofaces_[at[a]] : other_face(k, at[a], a);
    };
    for (int a = 0; a <= k; ++a) {
      const Index star = through_faces_ ? own_faces[a] : i;
      at[a] = offsets_[star];
      end[a] = offsets_[star + 1];
      refill(a);
    }
    bool before_self = true;
    while (true) {
      int a = 0;
      for (int b = 1; b <= k; ++b) a = head[b] < head[a] ? b : a;
      if (before_self && i < head[a]) {
        visit(i, Index{-1}, 1);
        before_self = false;
      }
      if (head[a] == none) return;
      const int column = columns_[at[a]];
      if (through_faces_)
        visit(head[a], own_faces[a], face_sign(a) * face_sign(column));
      else
        visit(head[a], cofaces_[at[a]], face_sign(column) * face_sign(other_column(a, column)));
      ++at[a];
      refill(a);
    }
  }

  // The position of vertex a of i in the coface in which i is the face of `column`.
  static int other_column(int a, int column) { return a + (a >= column); }
  Index other_face(int k, Offset entry, int a) const {
    const std::size_t row = static_cast<std::size_t>(cofaces_[entry]) * (k + 2);
    return faces_[row + other_column(a, columns_[entry])];
  }

  int k_;
  bool through_faces_, has_neighbors_;
  std::span<const Index> faces_;  // of the order, or of the order above
  std::span<const Offset> offsets_;
  std::span<const Index> cofaces_;
  std::span<const std::uint8_t> columns_;
};

}  // namespace gsan
