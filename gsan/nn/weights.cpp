#include "gsan/nn/weights.h"

#include <vector>

#include "gsan/core/check.h"
#include "gsan/nn/checksum.h"
#include "gsan/nn/safetensors.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr const char* format_key = "gsan.format";
constexpr const char* kind_key = "gsan.kind";
const std::string option_prefix = "option.";

// "" when the version fits.
std::string version_fault(const OptionMap& metadata) {
  const auto found = metadata.find(format_key);
  if (found == metadata.end())
    return concat("the file has no '", format_key, "' in its metadata: it holds no weights of this library");
  if (found->second == std::to_string(weight_format)) return "";
  return concat("the file has format version ", found->second,
                found->second == "1" ? ", which gsan 0.1 wrote," : ",", " this library reads version ",
                weight_format, found->second == "1" ? ": train the run again" : "");
}

std::string kind_of(const OptionMap& metadata) {
  const auto found = metadata.find(kind_key);
  return found == metadata.end() ? "" : found->second;
}

OptionMap options_of(const OptionMap& metadata) {
  OptionMap options;
  for (const auto& [name, value] : metadata)
    if (name.starts_with(option_prefix)) options.emplace(name.substr(option_prefix.size()), value);
  return options;
}

void compare_options(const OptionMap& stored, const OptionMap& wanted, std::vector<std::string>& faults) {
  for (const auto& [name, value] : wanted) {
    const auto found = stored.find(name);
    if (found == stored.end()) {
      faults.push_back(concat("option ", name, " is ", value, " in the model, missing in the file"));
    } else if (found->second != value) {
      faults.push_back(
          concat("option ", name, " is ", found->second, " in the file, ", value, " in the model"));
    }
  }
  for (const auto& [name, value] : stored)
    if (!wanted.contains(name))
      faults.push_back(concat("option ", name, " is ", value, " in the file, unknown to the model"));
}

void compare_tensors(const SafetensorsFile& file, const NamedTensors& state,
                     std::vector<std::string>& faults) {
  std::string convert;  // to a type that would make the types fit
  OptionMap known;
  for (const auto& [name, tensor] : state) {
    known.emplace(name, "");
    const Tensor* stored = file.find(name);
    if (stored == nullptr) {
      faults.push_back(concat("tensor ", name, " ", tensor.sizes(), " is missing in the file"));
      continue;
    }
    if (stored->sizes() != tensor.sizes())
      faults.push_back(concat("tensor ", name, " is ", stored->sizes(), " in the file, ", tensor.sizes(),
                              " in the model"));
    if (stored->scalar_type() != tensor.scalar_type()) {
      faults.push_back(concat("tensor ", name, " is ", safetensors_type(stored->scalar_type()),
                              " in the file, ", safetensors_type(tensor.scalar_type()), " in the model"));
      convert = c10::toString(stored->scalar_type());
    }
  }
  for (const auto& [name, tensor] : file.tensors)
    if (!known.contains(name))
      faults.push_back(concat("tensor ", name, " ", tensor.sizes(), " of the file is unknown to the model"));
  if (!convert.empty())
    faults.push_back(concat("convert the model with module->to(torch::k", convert,
                            ") before loading, and back afterwards if you like"));
}

}  // namespace

NamedTensors weights_of(const torch::nn::Module& module) {
  NamedTensors state;
  for (const auto& item : module.named_parameters()) state.emplace_back(item.key(), item.value());
  for (const auto& item : module.named_buffers()) state.emplace_back(item.key(), item.value());
  return state;
}

OptionMap weight_metadata(const std::string& kind, const OptionMap& options) {
  OptionMap metadata{{format_key, std::to_string(weight_format)}, {kind_key, kind}};
  for (const auto& [name, value] : options) metadata.emplace(option_prefix + name, value);
  return metadata;
}

void save_weights(const fs::path& path, const torch::nn::Module& module, const std::string& kind,
                  const OptionMap& options) {
  OptionMap metadata = weight_metadata(kind, options);
  const NamedTensors weights = weights_of(module);
  add_checksum(metadata, weights);
  write_safetensors(path, weights, metadata);
}

SafetensorsFile read_weights(const fs::path& path, Verify verify) {
  SafetensorsFile file = read_safetensors(path);
  if (const std::string fault = version_fault(file.metadata); !fault.empty())
    fail(Fault::format, path.string(), ": ", fault);
  if (verify == Verify::yes)
    verify_checksum(file, path.string(), "; take a sound copy, or load it without verification");
  return file;
}

void load_weights(const fs::path& path, torch::nn::Module& module, const std::string& kind,
                  const OptionMap& options, Verify verify) {
  load_weights(read_weights(path, verify), path.string(), module, kind, options);
}

void load_weights(const SafetensorsFile& file, const std::string& source, torch::nn::Module& module,
                  const std::string& kind, const OptionMap& options) {
  const NamedTensors state = weights_of(module);
  std::vector<std::string> faults;
  if (std::string fault = version_fault(file.metadata); !fault.empty()) {
    faults.push_back(std::move(fault));
  } else {
    if (const std::string stored = kind_of(file.metadata); stored != kind)
      faults.push_back(concat("the file holds a model of kind '", stored, "', this one is '", kind, "'"));
    compare_options(options_of(file.metadata), options, faults);
  }
  compare_tensors(file, state, faults);
  options::report(concat("load_weights: ", source, " does not fit the model"), faults);

  const torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : state) tensor.copy_(*file.find(name));
}

WeightOptions read_weight_options(const fs::path& path) {
  return weight_options(read_safetensors_metadata(path), path.string());
}

WeightOptions weight_options(const OptionMap& metadata, const std::string& source) {
  if (const std::string fault = version_fault(metadata); !fault.empty())
    fail(Fault::format, "read_weight_options: ", source, ": ", fault);
  return {kind_of(metadata), options_of(metadata)};
}

}  // namespace gsan
