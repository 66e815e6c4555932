#pragma once
// One attentional term of a layer as one node of the graph: products, scores and all powers.

#include "gsan/nn/attentional_operator.h"

namespace gsan {

/// AttentionalOperator::filter() for mechanism gat on the CPU, through ops/attention.h.
Tensor attention_node(const AttentionalOperator& attention, const Tensor& x, const Tensor& weight,
                      int first_power);

}  // namespace gsan
