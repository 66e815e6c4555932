#pragma once
// Builds a SimplicialComplex from simplices in any order: vertices of a simplex are
// sorted, repeated simplices are merged, every face is added (downward closure).

#include <initializer_list>
#include <span>
#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/limits.h"

namespace gsan {

class ComplexBuilder {
 public:
  explicit ComplexBuilder(Limits limits = {}) : limits_(limits) {}

  /// Adds a simplex; its vertices may be in any order. A repeated or negative
  /// vertex is an error that shows the list.
  ComplexBuilder& add(std::span<const Vertex> simplex);
  ComplexBuilder& add(std::initializer_list<Vertex> simplex);

  /// Adds all faces of this order of a larger simplex, C(n, order + 1) of them, and none above: the
  /// skeleton, without the 2^n − 1 faces of the simplex. Faces that repeat are merged as they come, so many
  /// simplices with few faces between them take the memory of those. A simplex that is not larger is added.
  ComplexBuilder& add_skeleton(std::span<const Vertex> simplex, int order);

  /// Makes 0 … count − 1 vertices of the complex, also those in no other simplex.
  ComplexBuilder& add_vertices(Index count);

  /// Closes under faces and freezes. Vertices 0 … (largest id) all belong to the
  /// complex: an id that was skipped is an isolated vertex.
  SimplicialComplex build() const;

 private:
  void merge_repeats(std::size_t order);

  Limits limits_;
  Index vertex_count_ = 0;
  std::vector<std::vector<Vertex>> added_;  // per order, flat rows as sorted by add()
  std::vector<std::size_t> merge_at_;       // per order, the length of the rows at which repeats are merged
};

/// The complex whose maximal simplices are among these lists.
SimplicialComplex from_maximal_simplices(std::span<const std::vector<Vertex>> simplices, Limits limits = {});

}  // namespace gsan
