#pragma once
// A finite simplicial complex, closed under faces, built once and then frozen.
//
// A simplex is its increasing vertex list; the simplices of one order k are in
// lexicographic order and are named by their row 0 … N_k − 1. The vertices are
// 0 … N_0 − 1. Face j of (v0 … vk) omits vj and has sign (−1)^j, so the boundary
// operator B_k *is* the table faces(k): every sign of the project comes from the
// column of that table (spec 1).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gsan {

using Vertex = std::int32_t;
using Index = std::int32_t;   ///< a row: one simplex among those of its order
using Offset = std::int64_t;  ///< a position in a list of incidences

/// Sign of face j in the boundary of a simplex.
constexpr int face_sign(int j) { return (j & 1) ? -1 : 1; }

class SimplicialComplex {
 public:
  /// The empty complex: order() == -1, every count is 0.
  SimplicialComplex();

  /// Builds from flat vertex tables: tables[k] holds N_k rows of k + 1 vertices.
  /// Checked: rows increase, are in strict lexicographic order, vertices are
  /// 0 … N_0 − 1, and every face is present. Trailing empty tables are dropped.
  static SimplicialComplex from_sorted_tables(std::vector<std::vector<Vertex>> tables);

  int order() const;         ///< largest k with a k-simplex; −1 when empty
  Index count(int k) const;  ///< N_k; 0 for every k outside 0 … order()

  std::span<const Vertex> vertices(int k, Index i) const;  ///< k + 1 increasing vertices
  std::span<const Index> faces(int k, Index i) const;      ///< k + 1 rows of order k − 1 (k ≥ 1)
  std::span<const Index> cofaces(int k, Index i) const;    ///< rows of order k + 1, increasing

  /// Row of the simplex with these increasing vertices, if it is in the complex.
  std::optional<Index> find(std::span<const Vertex> simplex) const;

  // The flat tables behind the accessors; empty spans for an order that does not exist.
  // Faces exist from the start. Coface lists, and vertices of orders ≥ 2 where the lift did
  // not need them, are built on first use (from any thread) and then stay.
  std::span<const Vertex> vertex_table(int k) const;    ///< [N_k, k + 1]
  std::span<const Index> face_table(int k) const;       ///< [N_k, k + 1], k ≥ 1
  std::span<const Offset> coface_offsets(int k) const;  ///< [N_k + 1]
  std::span<const Index> coface_table(int k) const;     ///< [N_{k+1} (k + 2)], rows of order k + 1
  /// For each entry of coface_table: the column of the simplex among
  /// the faces of that coface; its sign in B_{k+1} is face_sign(column).
  std::span<const std::uint8_t> coface_columns(int k) const;

  /// Bytes held by the tables built so far.
  std::size_t memory() const;

  /// Keeps the tables alive: tensors that view them hold one of these.
  std::shared_ptr<const void> storage() const;

  /// Same simplices in every order.
  friend bool operator==(const SimplicialComplex& a, const SimplicialComplex& b);

 private:
  struct Level;
  struct Tables;
  friend struct TrustedTables;
  const Level* level(int k) const;
  const Level& with_cofaces(int k) const;  // builds the coface lists of order k on first use
  std::shared_ptr<const Tables> tables_;
};

}  // namespace gsan
