#pragma once
// What was measured for the tables, one line of experiments/results/TABLE.jsonl each.
//
//   {"config": "trajectory/ocean_san.yaml", "protocol": "published", "set": [], "seed": 3, "resolved": "0f…",
//    "commit": "44771aa…", "machine": …, "device": "cpu", …, "model": "san", "epochs": 50, "test": {…}, …}
//   {"config": …, "seed": 3, "resolved": …, "rules": {"majority class": {"accuracy": 55}, …}, …}
//
// `config`, `protocol`, `set` and `seed` say how to do it again; `resolved` is the hash of the complete
// config that they stood for (resolved_config.h), so that a record does not count for a config that was
// changed since. A line of rules has the hash of the task alone.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan::report {

enum class RecordKind { model, rules };

/// What is asked for, in words of the tables.
struct RunKey {
  RecordKind kind = RecordKind::model;
  std::string config{};  ///< below the folder of experiments
  Protocol protocol = Protocol::strict;
  std::vector<std::string> set{};      ///< key=value of the table, but seed and protocol
  std::vector<std::string> by_hand{};  ///< key=value of --set: such a run is not of the protocol
  std::uint64_t seed = 0;

  /// All that the config is changed by, the last word last.
  std::vector<std::string> overrides() const;
  auto operator<=>(const RunKey&) const = default;
};

/// By whom it was measured.
struct Origin {
  std::string commit{};          ///< empty: not known
  bool is_changed_tree = false;  ///< the source differed from the commit
  std::string version{}, torch{}, compiler{}, machine{}, device = "cpu";
  int threads = 1;
  std::string started{}, ended{};  ///< UTC, ISO 8601
};

struct Record {
  std::string table{};  ///< the file it is in, without ".jsonl"
  RunKey key{};
  std::string resolved{};
  /// Empty: the hash is of the config that ran. Else how it came to be, for records of before there was one.
  std::string resolved_by{};
  Origin origin{};
  std::string task{}, data{}, headline{};  ///< headline: the metric to show
  double seconds = 0;

  // kind model
  std::string model{}, end{}, chosen_by{};  ///< end: finished or early_stopped
  int epochs = 0, best_epoch = -1;
  std::int64_t parameters = 0;
  double epoch_seconds = 0;  ///< without what the first epoch makes once; 0: not known
  Metrics validation{}, test{};
  Metrics last{};               ///< validation of the last epoch
  std::vector<double> curve{};  ///< a metric of every validation, where the table needs it

  // kind rules
  std::vector<RuleResult> rules{};  ///< on the test part

  /// The headline on the test part, of the rule where one is named; nothing where it is not there or not
  /// finite.
  std::optional<double> value(const std::string& rule) const;
};

/// One JSON object without a line end.
std::string record_line(const Record& record);

/// Fault::format where it is none. `table` is not in the line.
Record parse_record_line(const std::string& line);

/// Why runs of this build are not recorded: its source is not that of a commit. Nothing where they are.
std::optional<std::string> refusal_to_record(const std::string& git_revision);

/// "12ab…-dirty" → commit and is_changed_tree.
void set_revision(Origin& origin, const std::string& git_revision);

}  // namespace gsan::report
