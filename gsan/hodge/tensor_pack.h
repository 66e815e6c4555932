#pragma once
// Many tensors of the host in one buffer, which one copy moves to another device.

#include <string>
#include <vector>

#include <torch/types.h>

namespace gsan {

using torch::Tensor;

/// Where the tensors lie in the buffer. Each begins at a multiple of 256 bytes; tensors that are one (the
/// same memory, sizes and type) lie there once.
class TensorPack {
 public:
  /// `header`: bytes before the first tensor, for other use.
  explicit TensorPack(std::int64_t header = 0);

  /// Undefined tensors are allowed, and undefined again in the buffer.
  void add(const Tensor& tensor);

  std::int64_t bytes() const { return bytes_; }
  /// Types and sizes of all, in their order: the same text means the same places.
  std::string shape() const;

  /// The buffer on the host, uint8 [bytes()], from which a copy to the device does not wait; the header holds
  /// anything. The tensors themselves are let go, their places stay.
  Tensor write(torch::Device device);

  /// Reads the tensors back, in the order in which they came, as views of a buffer on any device. Borrows the
  /// pack.
  class Reader {
   public:
    Reader(const TensorPack& pack, Tensor buffer) : pack_(pack), buffer_(std::move(buffer)) {}
    Tensor next();

   private:
    const TensorPack& pack_;
    Tensor buffer_;
    std::size_t next_ = 0;
  };

 private:
  struct Entry {
    Tensor tensor;  // contiguous
    torch::ScalarType type = torch::kByte;
    std::vector<std::int64_t> sizes;
    std::int64_t place = -1;  // −1: undefined
  };
  std::vector<Entry> entries_;
  std::int64_t bytes_;
};

}  // namespace gsan
