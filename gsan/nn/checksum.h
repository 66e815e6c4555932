#pragma once
// The checksum inside a safetensors file: "gsan.sha256" of its metadata is the SHA-256 of all other metadata
// and of every tensor with its name, type and shape. A flipped bit among the numbers is noticed when they are
// read, wherever the file was copied to.

#include <string>

#include "gsan/nn/safetensors.h"

namespace gsan {

/// Sets "gsan.sha256".
void add_checksum(OptionMap& metadata, const NamedTensors& tensors);

/// Fault::format with both sums when the content is not what was written, or when there is no checksum;
/// `remedy` ends the sentence. Reads every number once.
void verify_checksum(const SafetensorsFile& file, const std::string& source, const std::string& remedy = {});

}  // namespace gsan
