#pragma once
// The attention weights of some simplices, for pictures: what it costs grows with the pairs of these rows and
// not with those of the complex, whose pairs may be far too many to list.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gsan/nn/simplicial_layer.h"

namespace gsan {

/// α of the rows of order k, an entry per attentional term that has a signal: the same numbers as a pass with
/// return_attention_weights gives for these receivers. Rows are numbers of simplices, without repeats.
std::vector<AttentionWeights> attention_rows(const SimplicialLayerImpl& layer,
                                             const ComplexOperators& operators, const Cochains& signals,
                                             int k, std::span<const Index> rows);

/// Which of the attentions of an order it is, for people: "lower neighbours, own signal".
std::string attention_name(const AttentionWeights& attention);

/// One receiver's view: the simplices it attends to, itself among them, from the largest weight to the
/// smallest. `head` −1: the mean over the heads. The weights have no leading dimensions.
struct AttendedSimplex {
  std::int64_t simplex = 0;
  double weight = 0;
};
std::vector<AttendedSimplex> attended_by(const AttentionWeights& attention, std::int64_t receiver, int head);

/// The weights of one head (−1: mean over the heads), pair by pair. NaN stays NaN.
std::vector<double> pair_weights(const AttentionWeights& attention, int head);

/// Rows 0 … N_k − 1, or where these have more than `max_pairs` pairs on one side as many of them as have
/// about so many, evenly spread; at least one where there is one.
std::vector<Index> rows_with_pairs(const SimplicialComplex& complex, int k, std::int64_t max_pairs);

}  // namespace gsan
