#include "gsan/train/checkpoint.h"

#include <cerrno>
#include <system_error>

#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/hash.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr const char* version_key = "gsan.checkpoint";
constexpr const char* checksum_key = "gsan.sha256";

fs::path with_suffix(const fs::path& path, const char* suffix) {
  fs::path result = path;
  return result += suffix;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Every text with its length before it, so that no two contents give the same stream of bytes.
void update_text(Sha256& hash, std::string_view text) {
  hash.update(concat(text.size(), ':'));
  hash.update(text);
}

// Of metadata (without the checksum) and of tensors in their order, with names, types and shapes.
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

Checkpoint read_verified(const fs::path& path) {
  SafetensorsFile file = read_safetensors(path);
  const auto version = file.metadata.find(version_key);
  if (version == file.metadata.end())
    fail(Fault::format, path.string(), ": no checkpoint: '", version_key, "' is missing in its metadata");
  if (version->second != std::to_string(checkpoint_format))
    fail(Fault::format, path.string(), ": checkpoint of version ", version->second,
         ", this library reads version ", checkpoint_format);
  const auto stored = file.metadata.find(checksum_key);
  const std::string computed = checksum(file.tensors, file.metadata);
  if (stored == file.metadata.end() || stored->second != computed)
    fail(Fault::format, path.string(), ": damaged: its content has the SHA-256 ", computed, ", stored is ",
         stored == file.metadata.end() ? "none" : stored->second);
  return {std::move(file.tensors), std::move(file.metadata)};
}

[[noreturn]] void cannot_rename(const fs::path& path) {
  fail(Fault::io, "cannot rename ", path, ": ", std::generic_category().message(errno));
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) cannot_rename(from);
}

// A second name for the file, so that `path` itself never vanishes; where the file system has no links, the
// file is renamed.
void keep_as_previous(const fs::path& path) {
  const fs::path previous = previous_checkpoint(path), link = with_suffix(previous, ".new");
  ::unlink(link.c_str());
  rename_file(::link(path.c_str(), link.c_str()) == 0 ? link : path, previous);
  ::unlink(link.c_str());  // both names of one file: rename leaves them
}

}  // namespace

NamedTensors Checkpoint::part(const std::string& prefix) const {
  NamedTensors part;
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with(prefix)) part.emplace_back(name.substr(prefix.size()), tensor);
  return part;
}

void Checkpoint::add(const std::string& prefix, const NamedTensors& part) {
  for (const auto& [name, tensor] : part) tensors.emplace_back(prefix + name, tensor);
}

OptionMap Checkpoint::settings(const std::string& prefix) const {
  OptionMap part;
  for (const auto& [name, value] : metadata)
    if (name.starts_with(prefix)) part.emplace(name.substr(prefix.size()), value);
  return part;
}

void Checkpoint::add(const std::string& prefix, const OptionMap& part) {
  for (const auto& [name, value] : part) metadata.insert_or_assign(prefix + name, value);
}

fs::path previous_checkpoint(const fs::path& path) { return with_suffix(path, ".previous"); }

void write_checkpoint(const fs::path& path, const Checkpoint& checkpoint) {
  OptionMap metadata = checkpoint.metadata;
  metadata[version_key] = std::to_string(checkpoint_format);
  metadata[checksum_key] = checksum(checkpoint.tensors, metadata);
  const fs::path complete = with_suffix(path, ".new");
  write_safetensors(complete, checkpoint.tensors, metadata);
  if (is_there(path)) keep_as_previous(path);
  rename_file(complete, path);
}

CheckpointFile read_checkpoint(const fs::path& path) {
  const fs::path previous = previous_checkpoint(path);
  std::string newest_fault;
  try {
    return {read_verified(path), path, ""};
  } catch (const Error& error) {
    if (!is_there(previous)) throw;
    newest_fault = error.what();
  }
  try {
    return {read_verified(previous), previous,
            concat("read the previous checkpoint ", previous.string(), ", because: ", newest_fault)};
  } catch (const Error& error) {
    fail(Fault::format, "no readable checkpoint: ", newest_fault, "; ", error.what());
  }
}

bool no_checkpoint(const fs::path& path) { return !is_there(path) && !is_there(previous_checkpoint(path)); }

void set_damaged_aside(const fs::path& path) {
  if (is_there(path)) rename_file(path, with_suffix(path, ".damaged"));
}

}  // namespace gsan
