#pragma once
// A random block of signals to start an iteration from: the same for the same purpose and
// size, on every device.

#include <string_view>

#include <torch/types.h>

#include "gsan/core/random.h"

namespace gsan {

/// [rows, columns] standard normal numbers of the stream (0, purpose).
inline torch::Tensor random_signal(std::int64_t rows, std::int64_t columns, std::string_view purpose,
                                   const torch::TensorOptions& type) {
  torch::Tensor x = torch::empty({rows, columns}, torch::kFloat64);
  RandomStream stream(0, purpose);
  for (double& entry : std::span<double>(x.data_ptr<double>(), static_cast<std::size_t>(x.numel()))) {
    entry = stream.normal();
  }
  return x.to(type);
}

}  // namespace gsan
