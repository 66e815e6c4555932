#pragma once
// Steps with a Hodge Laplacian, on raw tables: y = base + S^steps x with
//
//   S = diag(α) + diag(β) L,   L = B_kᵀ B_k + B_{k+1} B_{k+1}ᵀ,   either product absent.
//
// The last pass of a step gathers from B_k x and B_{k+1}ᵀ x, scales, and adds what is to be added: it writes
// each row once, where products, sums and scalings apart would read and write whole signals several times.
//
// With `absolute` |B| takes the place of B (spec 9).
//
//   lower  {faces, offsets, cofaces, columns} of B_k as in ops/incidence.h, or empty: x lives on its columns
//   upper  the same of B_{k+1}, or empty: x lives on its rows
//
// α_i = alpha · row_alpha_i and β_i = beta · row_beta_i, the row factors [N] or [1], 1 when absent. They are
// constants (no gradient), and row_beta is one number on every connected part of the complex (the ε of a
// batch): then S is symmetric and its own gradient, any number of times. That is trusted, as the tables are.
//
// Registered as torch.ops.gsan.laplacian_step for CPU, CUDA, Autograd and Meta; composed of the incidence
// products on any other device. float32 and float64; on the CPU the bits depend neither on the number of
// threads nor on the instruction set.

#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace gsan::ops {

struct LaplacianStep {
  std::vector<at::Tensor> lower, upper;
  double alpha = 0, beta = 1;
  at::Tensor row_alpha = {}, row_beta = {};  ///< undefined = ones
  std::int64_t steps = 1;                    ///< ≥ 0
  bool absolute = false;                     ///< |B| in the place of B
};

/// y [..., N, F] for x [..., N, F]; `base`, of the shape of x, is undefined for 0.
at::Tensor laplacian_step(const at::Tensor& x, const LaplacianStep& step, const at::Tensor& base = {});

}  // namespace gsan::ops
