#pragma once
// Tensors and texts as bytes, from one rank to another of the same program.

#include <string>

#include "gsan/nn/safetensors.h"

namespace gsan {

/// Bit for bit, whatever device the tensors are on; they arrive on the host.
std::string to_message(const SafetensorsFile& content);
SafetensorsFile from_message(const std::string& message);

}  // namespace gsan
