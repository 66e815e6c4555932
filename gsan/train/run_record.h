#pragma once
// What a finished run found: results.json of its folder. Small, without weights; tables are made of these.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gsan/tasks/shared/metric_details.h"

namespace gsan {

struct RunRecord {
  std::string task, protocol, data, model;
  std::uint64_t seed = 0;
  std::string end;  ///< finished or early_stopped
  int epochs = 0, best_epoch = -1;
  std::int64_t parameters = 0;
  std::string choosing_metric, headline_metric;
  bool more_is_better = true;
  std::string split{};  ///< what divided the items, and into how many: "stratified at random: train 60, …"
  Metrics validation, test;
  std::optional<MetricDetails>
      test_details{};             ///< nothing: no test part, or a record of before there was any
  std::vector<RuleResult> rules;  ///< on the test part
  std::vector<std::string> remarks;
  std::vector<std::string> notes{};     ///< what to know of the input (Task::notes), a sentence each
  std::vector<std::string> warnings{};  ///< train/run_warnings.h, and dead layers
  double seconds = 0;
  double epoch_seconds = 0;  ///< of one epoch, without what the first one makes once; 0: not known
};

/// As one JSON object: {"task": …, "validation": {"accuracy": …}, "rules": {"logistic regression on |x|":
/// {…}}, …}.
std::string record_text(const RunRecord& record);

/// As one JSON object: {"order": 1, "metrics": {"accuracy": …, "macro_f1": …}, "classes": [{"name": "left",
/// "count": 12, "precision": …, "recall": …, "f1": …}, …], "confusion": [[11, 1], …]}. "order" is of tasks on
/// simplices, the last two of those whose answers are classes; a number that is not defined is null.
std::string details_text(const MetricDetails& details);

/// The same as a file; complete or not there.
void write_record(const std::filesystem::path& path, const RunRecord& record);

/// Fault::format when it is none; `source` names the text in messages.
RunRecord parse_record(const std::string& text, const std::string& source);
RunRecord read_record(const std::filesystem::path& path);

}  // namespace gsan
