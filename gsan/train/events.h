#pragma once
// Scalars for TensorBoard: an event file in TFRecord framing,
//   length uint64 · masked CRC32C of the length · record · masked CRC32C of the record   (little endian),
// each record a protocol buffer `Event` {1: wall_time, 2: step, 3: file_version or 5: summary {1: value {1:
// tag, 2: simple_value}}}.

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "gsan/tasks/shared/metrics.h"
#include "gsan/train/append_file.h"

namespace gsan {

/// CRC-32C (Castagnoli), as iSCSI and TFRecord use it.
std::uint32_t crc32c(std::string_view bytes);

/// Appends to `path`, which needs "tfevents" in its name for TensorBoard to see it.
class EventWriter {
 public:
  explicit EventWriter(const std::filesystem::path& path);

  /// One event with all scalars; `wall_time` in seconds since 1970. A metric "train.loss" gets the tag
  /// "train/loss", so that TensorBoard groups by what stands before the dot.
  void add(std::int64_t step, double wall_time, const Metrics& scalars);

 private:
  AppendFile file_;
};

/// Keeps the events before the first one of `step` or later, and cuts off what is no complete record.
void cut_events(const std::filesystem::path& path, std::int64_t step);

}  // namespace gsan
