#pragma once
// Where a run leaves everything:
//
//   config.yaml     the settings, complete
//   manifest.json   versions, seed, data, course (train/manifest.h); its presence marks a run
//   metrics.jsonl   a line per epoch, at once; metrics.csv the same as a table, whenever a session ends
//   checkpoints/    best.safetensors (weights of the best epoch), last.safetensors (to resume) and its
//                   predecessor (train/checkpoint.h)
//   splits/         which item is in which part
//   tensorboard/    the metrics as events
//   classes.json    the names of the classes, for tasks that have some (train/class_names.h)
//   targets.json    the units of the answers, for tasks whose targets are numbers (train/target_units.h)
//   results.json    what it found, once it is finished (train/run_record.h)
//   report.txt      the same for people: what `gsan train` prints at the end; written by the command

#include <filesystem>
#include <memory>
#include <string>

#include "gsan/train/events.h"
#include "gsan/train/manifest.h"
#include "gsan/train/metrics_log.h"

namespace gsan {

/// One process at a time may hold a run folder; the system lets go of it when the process ends, however.
class RunFolder {
 public:
  using Parts = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

  /// A new run; a folder that holds one already is an error.
  static RunFolder create(const std::filesystem::path& path, const Manifest& manifest,
                          const std::string& config);
  /// A run that exists, to go on with it.
  static RunFolder open(const std::filesystem::path& path);

  RunFolder(RunFolder&&) noexcept;
  ~RunFolder();

  const std::filesystem::path& path() const { return path_; }
  const Manifest& manifest() const { return manifest_; }
  std::filesystem::path config_file() const { return path_ / "config.yaml"; }
  std::filesystem::path metrics_file() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path events_file() const { return path_ / "tensorboard" / "events.out.tfevents.gsan"; }
  std::filesystem::path best_checkpoint() const { return best_checkpoint(path_); }
  /// The same of a run that is only read.
  static std::filesystem::path best_checkpoint(const std::filesystem::path& run) {
    return run / "checkpoints" / "best.safetensors";
  }
  std::filesystem::path last_checkpoint() const { return last_checkpoint(path_); }
  static std::filesystem::path last_checkpoint(const std::filesystem::path& run) {
    return run / "checkpoints" / "last.safetensors";
  }

  /// splits/NAME.json: {"train": [0, 4, …], …, "made": "stratified at random"}.
  void write_split(const std::string& name, const Parts& parts, const std::string& made) const;
  /// Whether such a text has these parts, whatever made them.
  static bool is_split(const std::string& text, const Parts& parts);

  /// Other settings for a run that is resumed. What it found with those so far goes first: it is never beside
  /// settings that it does not belong to.
  void change_settings(const std::string& config, const std::vector<SettingChange>& changes);

  /// A session begins, at `epoch`: metrics and events of that epoch and later ones are cut off. A sentence
  /// when the metrics of epochs before it are missing, which nothing can bring back; else empty.
  std::string begin_session(std::int64_t epoch);
  /// Between begin_session() and end_session().
  void add_epoch(const EpochMetrics& metrics);
  void synchronize();  ///< the metrics so far to the disk
  void end_session(const std::string& status);

 private:
  RunFolder(const std::filesystem::path& path, int lock) : path_(path), lock_(lock) {}
  static RunFolder locked(const std::filesystem::path& path);
  std::filesystem::path manifest_file() const { return path_ / "manifest.json"; }

  std::filesystem::path path_;
  int lock_;  // a descriptor that holds the lock; −1 after a move
  Manifest manifest_;
  double session_began_ = 0;        // seconds of a steady clock
  std::vector<double> epoch_ends_;  // of the session, on the same clock
  std::unique_ptr<MetricsLog> metrics_;
  std::unique_ptr<EventWriter> events_;
};

}  // namespace gsan
