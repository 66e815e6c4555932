#pragma once

#include <torch/types.h>

#include "gsan/topology/reorder.h"

namespace gsan {

/// Where the tensors of a task live, and in which order its complex is computed; items, rows and predictions
/// keep the order of the data.
struct Placement {
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
  VertexOrder order = VertexOrder::given;
};

}  // namespace gsan
