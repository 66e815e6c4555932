#pragma once
// Products with a scaled boundary operator diag(r) B diag(c), one per head, in one pass: no scaled copy of a
// signal is made, forward or backward. Tables as in ops/incidence.h.
//
//   y = diag(r) B diag(c) x    boundary:    x [..., N, F], x_factors c, y_factors r
//   y = diag(c) Bᵀ diag(r) x   coboundary:  x [..., M, F], x_factors r, y_factors c
//
// Factors are [rows, H], the same for all signals, or [..., rows, H] with the leading dimensions of x, or
// absent (ones); H divides F, and group h of F/H consecutive features has column h of the factors. With c =
// e^{−g/2} and r = e^{g/2} these are the weighted operators of a metric e^g per simplex and head.
//
// Registered as torch.ops.gsan.scaled_incidence for CPU, CUDA, Autograd and Meta, composed of products and
// scalings on any other device. Differentiable any number of times in x and in the factors. float32 and
// float64; on the CPU the bits depend neither on the number of threads nor on the instruction set.

#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// `tables` are faces, offsets, cofaces and columns; factors may be undefined. `absolute`: |B| in the place
/// of B.
at::Tensor scaled_incidence(const at::Tensor& x, const at::Tensor& x_factors, const at::Tensor& y_factors,
                            const std::vector<at::Tensor>& tables, bool boundary, bool absolute = false);

}  // namespace gsan::ops
