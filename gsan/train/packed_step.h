#pragma once
// A step of training whose inputs are one buffer of bytes.

#include <string>

#include <torch/types.h>

#include "gsan/core/random.h"

namespace gsan {

using torch::Tensor;

class PackedStep {
 public:
  /// Random streams that a captured step may draw from; their keys are the first bytes of the buffer, int64.
  static constexpr std::int64_t most_keys = 512, key_bytes = 8 * most_keys;

  virtual ~PackedStep() = default;

  /// uint8, on the host; what the first key_bytes hold has no influence on loss().
  virtual const Tensor& bytes() const = 0;

  /// Steps of equal shape queue the same work on other bytes.
  virtual const std::string& shape() const = 0;

  /// The loss, from a buffer that holds these bytes on the device of the model.
  virtual Tensor loss(const Tensor& buffer, const RandomStream& dropout) = 0;

  /// Whether the buffer had everything that the last loss() asked for: else some of it was copied besides.
  virtual bool is_complete() const = 0;
};

}  // namespace gsan
