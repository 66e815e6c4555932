#include "gsan/nn/checksum.h"

#include "gsan/core/check.h"
#include "gsan/core/hash.h"

namespace gsan {
namespace {

constexpr const char* checksum_key = "gsan.sha256";

// Every text with its length before it, so that no two contents give the same stream of bytes.
void update_text(Sha256& hash, std::string_view text) {
  hash.update(concat(text.size(), ':'));
  hash.update(text);
}

std::string checksum(const NamedTensors& tensors, const OptionMap& metadata) {
  Sha256 hash;
  for (const auto& [name, value] : metadata) {
    if (name == checksum_key) continue;
    update_text(hash, name);
    update_text(hash, value);
  }
  for (const auto& [name, tensor] : tensors) {
    const Tensor bytes = tensor.detach().cpu().contiguous();
    update_text(hash, name);
    update_text(hash, concat(safetensors_type(bytes.scalar_type()), bytes.sizes()));
    hash.update(std::as_bytes(std::span(static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes())));
  }
  return hash.hex();
}

}  // namespace

void add_checksum(OptionMap& metadata, const NamedTensors& tensors) {
  metadata[checksum_key] = checksum(tensors, metadata);
}

void verify_checksum(const SafetensorsFile& file, const std::string& source, const std::string& remedy) {
  const auto stored = file.metadata.find(checksum_key);
  if (stored == file.metadata.end())
    fail(Fault::format, source, ": its metadata have no checksum ('", checksum_key, "')", remedy);
  const std::string computed = checksum(file.tensors, file.metadata);
  if (stored->second != computed)
    fail(Fault::format, source, ": damaged: its content has the SHA-256 ", computed, ", stored is ",
         stored->second, remedy);
}

}  // namespace gsan
