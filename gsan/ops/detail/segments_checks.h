#pragma once
// What every backend of the segment ops checks first: types, devices and shapes, in O(1).

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace gsan::ops {

/// x [..., R, C] and offsets; the number of segments S.
c10::SymInt check_segments(const char* who, const at::Tensor& x, const at::Tensor& offsets);

/// y [..., R, C], a gradient of its shape, and offsets.
void check_softmax_backward(const at::Tensor& gradient, const at::Tensor& y, const at::Tensor& offsets);

/// x [..., S, C] and offsets.
void check_spread(const at::Tensor& x, const at::Tensor& offsets, const c10::SymInt& rows);

}  // namespace gsan::ops
