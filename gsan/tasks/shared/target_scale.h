#pragma once
// Units of targets that are numbers: the model answers (target − shift) / scale.

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

struct TargetScale {
  double shift = 0, scale = 1;

  Tensor to_model(const Tensor& values) const { return (values - shift) / scale; }
  Tensor from_model(const Tensor& values) const { return values * scale + shift; }
};

/// Mean and standard deviation of the targets to train on, [n] float64; equal ones, or none, have scale 1.
TargetScale measure_targets(const Tensor& targets);

}  // namespace gsan
