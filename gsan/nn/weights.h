#pragma once
// The weights of a model on disk, with everything that it takes to build it again: a safetensors file
// whose metadata hold "gsan.format" (version), "gsan.kind", every option as "option.NAME" and a checksum
// (nn/checksum.h).

#include <filesystem>
#include <string>

#include <torch/nn/module.h>

#include "gsan/core/options.h"
#include "gsan/nn/safetensors.h"

namespace gsan {

inline constexpr int weight_format = 2;

/// Parameters and buffers by their dotted names: the module's own tensors, no copies.
NamedTensors weights_of(const torch::nn::Module& module);

/// What stands beside them in a file.
OptionMap weight_metadata(const std::string& kind, const OptionMap& options);

/// weights_of() and weight_metadata() as a file. `options` is to_map() of the model's options.
void save_weights(const std::filesystem::path& path, const torch::nn::Module& module, const std::string& kind,
                  const OptionMap& options);

/// Whether the checksum of a file is computed and compared: once over all numbers, which huge files may skip.
enum class Verify { no, yes };

/// The whole file. Fault::format for files of another version and, when verified, damaged ones.
SafetensorsFile read_weights(const std::filesystem::path& path, Verify verify = Verify::yes);

/// Copies the file's tensors into the module, on the module's device. Nothing is copied unless version, kind,
/// options, names, shapes and types all fit; else one Error lists every fault with both values.
void load_weights(const std::filesystem::path& path, torch::nn::Module& module, const std::string& kind,
                  const OptionMap& options, Verify verify = Verify::yes);

/// The same for a file that was read before; `source` names it in errors.
void load_weights(const SafetensorsFile& file, const std::string& source, torch::nn::Module& module,
                  const std::string& kind, const OptionMap& options);

struct WeightOptions {
  std::string kind;
  OptionMap options;  ///< for from_map()
};

/// What a model must be built as before load_weights() takes the file.
WeightOptions read_weight_options(const std::filesystem::path& path);
WeightOptions weight_options(const OptionMap& metadata, const std::string& source);

}  // namespace gsan
