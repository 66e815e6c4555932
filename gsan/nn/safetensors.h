#pragma once
// Tensors on disk in the safetensors format: 8 bytes with the length of the header (little endian), the JSON
// header, the numbers. Python reads it with safetensors.torch.load_file.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "gsan/core/options.h"

namespace gsan {

using torch::Tensor;

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

struct SafetensorsFile {
  NamedTensors tensors;  ///< on the CPU, in the order of the header
  OptionMap metadata;

  const Tensor* find(std::string_view name) const;  ///< nullptr when there is none
};

/// Complete or not there (core/atomic_file). Types: float64, 32, 16, bfloat16, int64, 32, 16, 8, uint8,
/// bool. Tensors of any device and strides; larger numbers come first in the file, so each is aligned.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const OptionMap& metadata);

/// Strict: a file that breaks the format in any way is Fault::format with path and fault; nothing is
/// allocated before it is known to be in the file.
SafetensorsFile read_safetensors(const std::filesystem::path& path);

/// The metadata alone, without reading the numbers.
OptionMap read_safetensors_metadata(const std::filesystem::path& path);

/// "F32" for torch.float32, …; empty for a type that the format here does not hold.
std::string_view safetensors_type(torch::ScalarType type);

}  // namespace gsan
