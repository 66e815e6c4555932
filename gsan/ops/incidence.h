#pragma once
// Products with a boundary operator B_k, on raw tables (tensors in, tensors out).
//
// Legend: N = N_k simplices, M = N_{k−1} faces, x has any leading dimensions.
//   faces    int32 [N, k+1]    row of face j, sign (−1)^j
//   offsets  int64 [M+1]       coface lists of the faces, as in SimplicialComplex
//   cofaces  int32 [N (k+1)]
//   columns  uint8 [N (k+1)]   column of the face in that coface: sign (−1)^column
//
// Registered as torch.ops.gsan.boundary / coboundary for CPU, CUDA, Autograd and Meta; on
// any other device they are composed of index_select and index_add. Each is the
// other's gradient, so they differentiate any number of times. float32 and float64; on a
// GPU also bfloat16, summed in float32, and tables are trusted there.
//
// Types, devices and shapes are checked in O(1). On the CPU the kernel also checks every
// index before it uses it, so a table that is none is an error, never a wild read; that
// cofaces and columns invert faces is trusted. A row is summed in the order of its list:
// on the CPU the bits depend neither on the number of threads nor on the instruction set.

#include <ATen/core/Tensor.h>

namespace gsan::ops {

/// y = B x:  [..., N, F] → [..., M, F];  y_f = Σ over cofaces i of f of (−1)^column x_i.
/// A face without cofaces gets zeros. `absolute` uses |B|.
at::Tensor boundary(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                    const at::Tensor& cofaces, const at::Tensor& columns, bool absolute = false);

/// y = Bᵀ x:  [..., M, F] → [..., N, F];  y_i = Σ_j (−1)^j x[faces[i, j]].
at::Tensor coboundary(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                      const at::Tensor& cofaces, const at::Tensor& columns, bool absolute = false);

}  // namespace gsan::ops
