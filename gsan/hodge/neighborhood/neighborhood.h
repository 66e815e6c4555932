#pragma once
// Who is a neighbour (spec 1): N_i^d are the simplices that share a face with i, N_i^u those that
// share a coface, and i itself always belongs to both. So no neighbourhood is empty, and a
// simplex without coface has N_i^u = {i}.

#include <span>
#include <vector>

#include <torch/types.h>

#include "gsan/hodge/side.h"
#include "gsan/topology/complex.h"

namespace gsan {

using torch::Tensor;

/// The neighbour pairs of one order and side: row i lists i itself and its neighbours by increasing number.
/// What the kernels of ops/attention.h need.
struct PairList {
  Tensor offsets;  ///< int64 [N+1]
  Tensor sources;  ///< int32 [E]

  std::int64_t simplices() const { return offsets.size(0) - 1; }
  std::int64_t pairs() const { return sources.size(0); }
};

/// The same pairs in the form of ops/pairs.h, with what masks and signs depend on.
struct Neighborhood {
  Tensor offsets;  ///< int64 [N+1]
  Tensor sources;  ///< int32 [E]
  Tensor mirror;   ///< int32 [E], number of the pair (j, i)
  Tensor shared;   ///< int32 [E], number of the common face or coface within its complex; −1 for i itself
  Tensor signs;    ///< int8 [E], sign of the (i, j) entry of the side's Laplacian; +1 for i itself

  std::int64_t simplices() const { return offsets.size(0) - 1; }
  std::int64_t pairs() const { return sources.size(0); }
  /// int32 [E], the receiving simplex of each pair.
  Tensor receivers() const;
};

/// Whether the neighbours of order k on this side meet in faces; else they meet in cofaces.
/// Side::both is N_i^d ∪ N_i^u, which is N_i^d for k ≥ 1 (simplices with a common coface have a common
/// face) and N_i^u for k = 0.
bool meets_in_faces(int k, Side side);

/// How many pairs the neighbourhood has, the simplices themselves included: N_k + Σ_f deg f (deg f − 1) over
/// the faces, N_k + (k+2)(k+1) N_{k+1} over the cofaces. O(incidences), allocates nothing; a number that
/// int64 does not hold becomes the largest one.
std::int64_t count_pairs(const SimplicialComplex& complex, int k, Side side);

/// Row i of the pair list alone: i itself and its neighbours by increasing number.
std::vector<Index> neighbors(const SimplicialComplex& complex, int k, Side side, Index i);

/// Needs 4 bytes per pair and 8 per simplex; more than max_memory is Fault::resource, before anything is
/// allocated, and names count, bytes and limit.
PairList make_pair_list(const SimplicialComplex& complex, int k, Side side, std::size_t max_memory,
                        torch::Device device = torch::kCPU);

/// The signs of Side::both are those of L_k^d and L_0^u (spec 5).
/// Needs 13 bytes per pair and 12 per simplex; more than max_memory, or more pairs than int32 numbers, is
/// Fault::resource, before anything is allocated, and names count, bytes and limit. `shared_parts` are the
/// offsets of the parts of the order of the shared simplices (parts.h): shared numbers are relative to them.
Neighborhood make_neighborhood(const SimplicialComplex& complex, int k, Side side, std::size_t max_memory,
                               std::span<const Index> shared_parts = {}, torch::Device device = torch::kCPU);

/// The same around the complex's own pair list, whose tables it shares.
Neighborhood make_neighborhood(const SimplicialComplex& complex, int k, Side side, const PairList& pairs,
                               std::size_t max_memory, std::span<const Index> shared_parts = {});

}  // namespace gsan
