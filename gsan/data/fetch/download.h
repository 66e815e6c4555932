#pragma once
// One file over https.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "gsan/data/fetch/part_file.h"

namespace gsan {

struct DownloadOptions {
  std::filesystem::path ca_file{};  ///< authorities to trust; empty: those of the system
  std::chrono::seconds connect_timeout{30};
  /// A server that brings less than `least_speed` bytes a second over `stall_timeout` is given up.
  std::chrono::seconds stall_timeout{60};
  int least_speed = 1024;
  int max_redirects = 5;  ///< to https addresses only
  int max_attempts = 10;  ///< connections that break after they brought something
  /// Bytes so far and in all (0: unknown). Must not throw.
  std::function<void(std::uint64_t received, std::uint64_t total)> progress{};
};

/// Was the library built with libcurl?
bool can_download();

/// Appends to `part` what it lacks of the content at `url`; from the beginning when the server cannot
/// continue. The certificate is always verified. More than `max_bytes` is Fault::format, everything else that
/// the network or the disk refuses Fault::io; the part file then keeps what arrived.
/// True when bytes of an earlier call are part of the result.
bool download(const std::string& url, PartFile& part, std::uint64_t max_bytes,
              const DownloadOptions& options = {});

}  // namespace gsan
