#include "gsan/train/run_record.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"

namespace gsan {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

// A number that is not finite is null.
ordered_json to_json(const Metrics& metrics) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : metrics)
    object[name] = std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
  return object;
}

Metrics to_metrics(const ordered_json& object) {
  Metrics metrics;
  for (const auto& [name, value] : object.items())
    metrics.emplace_back(name,
                         value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  return metrics;
}

}  // namespace

std::string record_text(const RunRecord& record) {
  ordered_json rules = ordered_json::object();
  for (const RuleResult& rule : record.rules) rules[rule.name] = to_json(rule.metrics);
  const ordered_json object = {{"task", record.task},
                               {"protocol", record.protocol},
                               {"data", record.data},
                               {"model", record.model},
                               {"seed", record.seed},
                               {"end", record.end},
                               {"epochs", record.epochs},
                               {"chosen_epoch", record.best_epoch + 1},
                               {"parameters", record.parameters},
                               {"choosing_metric", record.choosing_metric},
                               {"headline_metric", record.headline_metric},
                               {"more_is_better", record.more_is_better},
                               {"split", record.split},
                               {"validation", to_json(record.validation)},
                               {"test", to_json(record.test)},
                               {"rules", rules},
                               {"remarks", record.remarks},
                               {"notes", record.notes},
                               {"warnings", record.warnings},
                               {"seconds", record.seconds},
                               {"epoch_seconds", record.epoch_seconds}};
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

void write_record(const fs::path& path, const RunRecord& record) {
  write_file_atomically(path, record_text(record));
}

RunRecord parse_record(const std::string& text, const std::string& source) {
  try {
    const ordered_json object = ordered_json::parse(text);
    RunRecord record;
    object.at("task").get_to(record.task);
    object.at("protocol").get_to(record.protocol);
    object.at("data").get_to(record.data);
    object.at("model").get_to(record.model);
    object.at("seed").get_to(record.seed);
    object.at("end").get_to(record.end);
    object.at("epochs").get_to(record.epochs);
    record.best_epoch = object.contains("chosen_epoch") ? object["chosen_epoch"].get<int>() - 1
                                                        : object.at("best_epoch").get<int>();  // of before
    object.at("parameters").get_to(record.parameters);
    object.at("choosing_metric").get_to(record.choosing_metric);
    object.at("headline_metric").get_to(record.headline_metric);
    object.at("more_is_better").get_to(record.more_is_better);
    record.split = object.value("split", record.split);
    record.validation = to_metrics(object.at("validation"));
    record.test = to_metrics(object.at("test"));
    for (const auto& [name, metrics] : object.at("rules").items())
      record.rules.push_back({name, to_metrics(metrics)});
    object.at("remarks").get_to(record.remarks);
    record.notes = object.value("notes", record.notes);
    record.warnings = object.value("warnings", record.warnings);
    object.at("seconds").get_to(record.seconds);
    record.epoch_seconds = object.value("epoch_seconds", 0.0);  // not in records of before it was written
    return record;
  } catch (const ordered_json::exception& error) {
    fail(Fault::format, source, ": no record of a run: ", error.what());
  }
}

RunRecord read_record(const fs::path& path) { return parse_record(read_file(path), path.string()); }

}  // namespace gsan
