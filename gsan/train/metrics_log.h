#pragma once
// metrics.jsonl: one JSON object per epoch, {"epoch": 3, "train.loss": 0.25, …}; a number that is not finite
// is null. Nothing in it depends on the clock: a resumed run leaves the same file as one that was never
// interrupted.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "gsan/tasks/shared/metrics.h"
#include "gsan/train/append_file.h"

namespace gsan {

struct EpochMetrics {
  std::int64_t epoch = 0;
  Metrics values;
};

class MetricsLog {
 public:
  explicit MetricsLog(const std::filesystem::path& path) : file_(path) {}
  void append(const EpochMetrics& metrics);
  void synchronize() { file_.synchronize(); }

 private:
  AppendFile file_;
};

/// Lines in order; null reads as NaN. A last line without its end is left out, any other fault is
/// Fault::format with the line.
std::vector<EpochMetrics> read_metrics(const std::filesystem::path& path);

/// Keeps the complete lines of epochs before `epoch`, and counts them. No file: none.
std::int64_t cut_metrics(const std::filesystem::path& path, std::int64_t epoch);

/// A column for every name, in the order of appearance; empty where an epoch lacks it.
void write_metrics_csv(const std::filesystem::path& path, const std::vector<EpochMetrics>& metrics);

}  // namespace gsan
