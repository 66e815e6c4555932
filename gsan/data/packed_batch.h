#pragma once
// A batch that travels to another device as one buffer.

#include <string>

#include "gsan/data/batch.h"
#include "gsan/hodge/tensor_pack.h"

namespace gsan {

/// Tables, derived structures, signals and targets of a batch of the host in one buffer of the host, from
/// which views of the same bytes make the batch on any device. What the operators derive later is copied by
/// itself.
class PackedBatch {
 public:
  /// `header`: bytes in front of the buffer, for other use.
  PackedBatch(Batch batch, torch::Device device, std::int64_t header = 0);

  const Tensor& bytes() const { return bytes_; }  ///< uint8

  /// Batches of equal shape have the same orders, parts, sizes and derived structures, and the same kernels
  /// suit them: they differ in the bytes alone.
  const std::string& shape() const { return shape_; }

  /// The batch in a buffer that holds these bytes.
  Batch on(const Tensor& buffer) const;
  /// In a buffer of its own on the device; the copy is queued there.
  Batch moved() const;

 private:
  Batch batch_;  // without signals and the like
  std::size_t signals_;
  torch::Device device_;
  TensorPack pack_;
  Tensor bytes_;
  std::string shape_;
};

/// The same batch with rows of the padding behind those of its parts (hodge/padding.h).
Batch padded(const Batch& batch, const PaddedSizes& sizes);

}  // namespace gsan
