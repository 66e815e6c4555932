#include "gsan/train/checkpoint.h"

#include <cerrno>
#include <system_error>

#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"
#include "gsan/nn/checksum.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr const char* version_key = "gsan.checkpoint";

fs::path with_suffix(const fs::path& path, const char* suffix) {
  fs::path result = path;
  return result += suffix;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Checkpoint read_verified(const fs::path& path) {
  SafetensorsFile file = read_safetensors(path);
  const auto version = file.metadata.find(version_key);
  if (version == file.metadata.end())
    fail(Fault::format, path.string(), ": no checkpoint: '", version_key, "' is missing in its metadata");
  if (version->second != std::to_string(checkpoint_format))
    fail(Fault::format, path.string(), ": checkpoint of version ", version->second,
         version->second == "1" ? ", which gsan 0.1 wrote," : ",", " this library reads version ",
         checkpoint_format, version->second == "1" ? ": train the run again" : "");
  verify_checksum(file, path.string());
  return {std::move(file.tensors), std::move(file.metadata)};
}

[[noreturn]] void cannot_rename(const fs::path& path) {
  fail(Fault::io, "cannot rename ", path, ": ", std::generic_category().message(errno));
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (fails_at("checkpoint.rename") || ::rename(from.c_str(), to.c_str()) != 0) cannot_rename(from);
}

// A second name for the file, so that `path` itself never vanishes; where the file system has no links, the
// file is renamed.
void keep_as_previous(const fs::path& path) {
  const fs::path previous = previous_checkpoint(path), link = with_suffix(previous, ".new");
  ::unlink(link.c_str());
  const bool is_linked = !fails_at("checkpoint.link") && ::link(path.c_str(), link.c_str()) == 0;
  rename_file(is_linked ? link : path, previous);
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
  add_checksum(metadata, checkpoint.tensors);
  const fs::path complete = with_suffix(path, ".new");
  write_safetensors(complete, checkpoint.tensors, metadata);
  if (is_there(path)) keep_as_previous(path);
  rename_file(complete, path);
}

CheckpointFile read_newest_checkpoint(const fs::path& path) { return {read_verified(path), path, ""}; }

CheckpointFile read_checkpoint(const fs::path& path) {
  const fs::path previous = previous_checkpoint(path);
  std::string newest_fault;
  try {
    return read_newest_checkpoint(path);
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
