#pragma once

#include <torch/types.h>

#include "gsan/hodge/operators.h"
#include "gsan/topology/reorder.h"

namespace gsan {

/// Where the tensors of a task live, and in which order models compute on its complexes; items, rows and
/// predictions keep the order of the data.
struct Placement {
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
  VertexOrder order = VertexOrder::automatic;
  std::size_t max_memory = Limits{}.max_memory;  ///< of what is derived from a complex

  OperatorOptions operators() const { return {.device = device, .max_memory = max_memory, .order = order}; }
};

}  // namespace gsan
