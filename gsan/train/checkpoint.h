#pragma once
// A training run on disk, at one moment: a safetensors file whose metadata hold "gsan.checkpoint" (version)
// and a checksum (nn/checksum.h).
//
// PATH is replaced in one rename, and the file that was there stays as PATH.previous: whenever the process
// ends, at least one complete checkpoint is there.

#include <filesystem>
#include <string>

#include "gsan/nn/safetensors.h"

namespace gsan {

inline constexpr int checkpoint_format = 2;

struct Checkpoint {
  NamedTensors tensors;
  OptionMap metadata;

  /// The tensors whose names begin with `prefix`, without it.
  NamedTensors part(const std::string& prefix) const;
  void add(const std::string& prefix, const NamedTensors& part);

  /// The same for metadata.
  OptionMap settings(const std::string& prefix) const;
  void add(const std::string& prefix, const OptionMap& part);
};

std::filesystem::path previous_checkpoint(const std::filesystem::path& path);

/// Fault::io when the disk says no; what was there before is then still there.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

struct CheckpointFile {
  Checkpoint checkpoint;
  std::filesystem::path path;  ///< the file that was read
  std::string remark;          ///< why the previous one was read; empty when it was not
};

/// Verifies format and checksum. A damaged or missing newest file is replaced by the previous one, with a
/// remark; when neither can be read, one Fault::format says why of both.
CheckpointFile read_checkpoint(const std::filesystem::path& path);

/// The same without the way out: a damaged or missing file is an error.
CheckpointFile read_newest_checkpoint(const std::filesystem::path& path);

/// Neither the file nor its predecessor exists.
bool no_checkpoint(const std::filesystem::path& path);

/// Moves a newest file that could not be read to PATH.damaged, so that the next write keeps the previous one.
void set_damaged_aside(const std::filesystem::path& path);

}  // namespace gsan
