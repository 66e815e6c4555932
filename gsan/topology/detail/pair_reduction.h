#pragma once
// The cheap part of homology: eliminates pairs of cells that cause no fill-in.
//
// A pair (face a, coface b) leaves all other entries of the boundary as they are when b is
// the only live coface of a (collapse) or a the only live face of b (coreduction: Mrozek,
// Batko, "Coreduction homology algorithm", DCG 2009). So what remains is always the
// original boundary, restricted to the live cells. Each pair counts 1 in rank B_k. Most
// complexes that come from geometry vanish completely; linear time and memory.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "gsan/topology/complex.h"
#include "gsan/topology/detail/sparse_rank.h"
#include "gsan/topology/limits.h"

namespace gsan {

class PairReduction {
 public:
  /// Eliminates every pair that it finds; afterwards no vertex is left.
  PairReduction(const SimplicialComplex& complex, const Limits& limits);

  struct Remainder {
    std::vector<SparseColumn> columns;  ///< of B_k, live cells only, no column empty
    std::vector<Index> cells;           ///< the k-simplex of each column
    Index row_count = 0;
  };
  /// What is left of B_k, k ≥ 1.
  Remainder remainder(int k, const PrimeField& field, const Limits& limits) const;

  /// Takes out the pivots, independent columns of the remainder of B_k that span it, and
  /// all cells of order k − 1, then continues with pairs of higher orders. Right because
  /// B_k B_{k+1} = 0: a vector of the image of B_{k+1} that vanishes off the pivots is 0,
  /// so the rows of B_{k+1} at the pivots do not count for its rank.
  void retire(int k, std::span<const Index> pivots);

  Index pair_count(int k) const { return pair_count_[k]; }  ///< pairs of orders (k − 1, k)

 private:
  struct Cells {
    std::span<const Index> faces, cofaces;
    std::span<const Offset> coface_offsets;
    std::vector<std::uint8_t> alive;
    std::vector<std::uint8_t> face_count;  // live ones
    std::vector<Index> coface_count;       // live ones
  };
  struct Cell {
    int order;
    Index row;
  };

  Index face(int k, Index i, int j) const {
    return cells_[k].faces[static_cast<std::size_t>(i) * (k + 1) + j];
  }
  void remove(int k, Index i);
  void eliminate(int k, Index lower, Index upper);
  void drain();

  std::vector<Cells> cells_;
  std::deque<Cell> queue_;  // cells that came to have one live face or coface
  std::vector<Index> pair_count_;
};

}  // namespace gsan
