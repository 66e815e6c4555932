#pragma once
// A complex together with the user's way of listing it: the labels of its vertices and,
// per order, which simplices were listed, in which order, with which vertex order. Row r
// of a signal belongs to the r-th listed simplex of its order.

#include <cstdint>
#include <span>
#include <vector>

#include "gsan/data/formats/text/labels.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// The listed simplices of one order. A simplex may be listed more than once: it is one
/// simplex of the complex, but such a list can carry no signal.
struct ListedSimplices {
  int order = 0;
  std::vector<Vertex> vertices;    ///< [R, order + 1], each simplex as it was listed
  std::vector<Index> rows;         ///< [R] its row in the complex
  std::vector<std::int8_t> signs;  ///< [R] sign of the permutation that sorts its vertices

  Index size() const { return static_cast<Index>(rows.size()); }
  std::span<const Vertex> simplex(Index r) const {
    const auto width = static_cast<std::size_t>(order) + 1;
    return {vertices.data() + static_cast<std::size_t>(r) * width, width};
  }
};

struct ListedComplex {
  Labels labels;
  SimplicialComplex complex;
  std::vector<ListedSimplices> lists;  ///< one per order 0 … complex.order(), some perhaps empty

  /// The list of one order; an error when the complex has no such order.
  const ListedSimplices& list(int order) const;
};

/// Lists every simplex of every order, in the order of the complex.
ListedComplex list_everything(SimplicialComplex complex, Labels labels);
ListedComplex list_everything(SimplicialComplex complex);  ///< with the labels 0 … N_0 − 1

/// The list of these simplices ([R, order + 1], vertices in any order) of a complex. Where
/// a simplex is not in the complex its row is −1; where a vertex repeats, its sign is 0, too.
ListedSimplices place_simplices(const SimplicialComplex& complex, int order, std::vector<Vertex> vertices);

/// Sorts the vertices of one simplex; returns the sign of the permutation that did it, or
/// 0 when a vertex repeats.
int sort_with_sign(std::span<Vertex> simplex);

}  // namespace gsan
