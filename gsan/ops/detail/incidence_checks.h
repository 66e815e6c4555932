#pragma once
// What every backend of the incidence products checks first: types, devices and
// shapes, in O(1). Sizes are SymInt so that the same rules hold while torch.compile traces.

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

namespace gsan::ops {

/// The two sides of B: N simplices (its columns) and M faces (its rows).
struct IncidenceShape {
  c10::SymInt simplices;  ///< N, rows of `faces`
  c10::SymInt faces;      ///< M, one less than the length of `offsets`
};

/// Throws unless x and the tables of ops/incidence.h fit together. `boundary` says which
/// product asks: B x needs N rows in x, Bᵀ x needs M.
IncidenceShape check_incidence(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                               const at::Tensor& cofaces, const at::Tensor& columns, bool boundary);

}  // namespace gsan::ops
