#pragma once
// Coordinates of vertices as a tensor.

#include <array>
#include <vector>

#include <torch/types.h>

namespace gsan {

/// [N, 2] float64
inline torch::Tensor points_tensor(const std::vector<std::array<double, 2>>& points) {
  const auto count = static_cast<std::int64_t>(points.size());
  const torch::Tensor places = torch::empty({count, 2}, torch::kFloat64);
  double* value = places.mutable_data_ptr<double>();
  for (const auto& [x, y] : points) {
    *value++ = x;
    *value++ = y;
  }
  return places;
}

}  // namespace gsan
