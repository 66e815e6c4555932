#pragma once
// The tables of ops/incidence.h as lists of signed entries.

#include "gsan/ops/cuda/signed_sums.h"
#include "gsan/ops/cuda/tensors.h"

namespace gsan::ops::cuda {

/// Holds the tables while a kernel is launched.
struct IncidenceTables {
  at::Tensor faces, offsets, cofaces, columns;

  IncidenceTables(const at::Tensor& faces_, const at::Tensor& offsets_, const at::Tensor& cofaces_,
                  const at::Tensor& columns_)
      : faces(faces_.contiguous()),
        offsets(offsets_.contiguous()),
        cofaces(cofaces_.contiguous()),
        columns(columns_.contiguous()) {}
  explicit IncidenceTables(at::TensorList tables)
      : IncidenceTables(tables[0], tables[1], tables[2], tables[3]) {}

  /// Of B, whose rows are faces, or of Bᵀ.
  SignedList list(bool boundary) const {
    if (boundary)
      return {data<std::int32_t>(cofaces), data<std::int64_t>(offsets), data<std::uint8_t>(columns), 0};
    return {data<std::int32_t>(faces), nullptr, nullptr, static_cast<int>(faces.size(1))};
  }
  bool empty() const { return faces.numel() == 0; }
};

}  // namespace gsan::ops::cuda
