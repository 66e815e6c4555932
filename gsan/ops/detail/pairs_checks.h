#pragma once
// What every backend of the ops on pair lists checks first: types, devices and shapes, in O(1).

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace gsan::ops {

struct PairShape {
  c10::SymInt simplices;  ///< N, one less than the length of `offsets`
  c10::SymInt pairs;      ///< E
};

/// The tables of ops/pairs.h, for values on `device`.
PairShape check_pairs(const char* who, const at::Tensor& offsets, const at::Tensor& sources,
                      const at::Tensor& mirror, at::Device device);

/// receiver and source [..., N, H] (pair_sum) or [..., N, H, F] (`features`: pair_dot, gatv2_scores).
PairShape check_two_sides(const char* who, const at::Tensor& receiver, const at::Tensor& source,
                          const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                          bool features);

/// Two sides, v [H, D] and the slope.
PairShape check_gatv2(const char* who, const at::Tensor& receiver, const at::Tensor& source,
                      const at::Tensor& v, const at::Tensor& offsets, const at::Tensor& sources,
                      const at::Tensor& mirror, double negative_slope);

/// check_gatv2 and gradient [..., E, H].
PairShape check_gatv2_backward(const at::Tensor& gradient, const at::Tensor& receiver,
                               const at::Tensor& source, const at::Tensor& v, const at::Tensor& offsets,
                               const at::Tensor& sources, const at::Tensor& mirror, double negative_slope);

/// weights [..., E, H] and x [..., N, H, F].
PairShape check_gather(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                       const at::Tensor& sources, const at::Tensor& mirror);

}  // namespace gsan::ops
