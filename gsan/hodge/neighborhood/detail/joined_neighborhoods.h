#pragma once
// The neighbours of a disjoint union from those of its parts: shifted copies, one block after the other.
// Equal, bit for bit, to what make_pair_list and make_neighborhood make of the union.

#include <span>

#include "gsan/hodge/neighborhood/neighborhood.h"

namespace gsan {

/// The parts' lists of one order and side, on the CPU. Errors as of make_pair_list.
PairList join_pair_lists(std::span<const PairList> parts, int k, std::size_t max_memory,
                         torch::Device device = torch::kCPU);

/// Around `pairs`, their joined list. Shared numbers stay those within each part. Errors as of
/// make_neighborhood.
Neighborhood join_neighborhoods(std::span<const Neighborhood> parts, const PairList& pairs, int k,
                                std::size_t max_memory);

}  // namespace gsan
