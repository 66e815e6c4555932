#include "gsan/train/run_record.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_number.h"
#include "gsan/core/json_text.h"

namespace gsan {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

// A number that is not finite is null.
ordered_json to_json(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

double to_number(const ordered_json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

ordered_json to_json(const Metrics& metrics) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : metrics) object[name] = to_json(value);
  return object;
}

Metrics to_metrics(const ordered_json& object) {
  Metrics metrics;
  for (const auto& [name, value] : object.items()) metrics.emplace_back(name, to_number(value));
  return metrics;
}

ordered_json to_json(const MetricDetails& details) {
  ordered_json object = ordered_json::object();
  if (details.order >= 0) object["order"] = details.order;
  object["metrics"] = to_json(details.metrics);
  for (const ClassScores& one : details.classes)
    object["classes"].push_back({{"name", one.name},
                                 {"count", one.count},
                                 {"precision", to_json(one.precision)},
                                 {"recall", to_json(one.recall)},
                                 {"f1", to_json(one.f1)}});
  if (!details.confusion) return object;
  const std::size_t classes = details.confusion->classes.size();
  for (std::size_t truth = 0; truth < classes; ++truth) {
    const auto row = details.confusion->counts.begin() + static_cast<std::ptrdiff_t>(truth * classes);
    object["confusion"].push_back(std::vector<std::int64_t>(row, row + static_cast<std::ptrdiff_t>(classes)));
  }
  return object;
}

MetricDetails to_details(const ordered_json& object, const std::string& source) {
  MetricDetails details;
  details.order = whole_number_or(object, "order", -1, source);
  details.metrics = to_metrics(object.at("metrics"));
  if (!object.contains("classes")) return details;
  for (const auto& one : object.at("classes"))
    details.classes.push_back(
        {one.at("name").get<std::string>(), whole_number<std::int64_t>(one.at("count"), source, "count"),
         to_number(one.at("precision")), to_number(one.at("recall")), to_number(one.at("f1"))});
  ConfusionMatrix confusion;
  for (const ClassScores& one : details.classes) confusion.classes.push_back(one.name);
  for (const auto& row : object.at("confusion"))
    for (const auto& count : row)
      confusion.counts.push_back(whole_number<std::int64_t>(count, source, "confusion"));
  if (confusion.counts.size() != confusion.classes.size() * confusion.classes.size())
    fail(Fault::format, source, ": no record of a run: a confusion matrix of ", confusion.classes.size(),
         " classes cannot have ", confusion.counts.size(), " counts");
  details.confusion = std::move(confusion);
  return details;
}

// On disk epochs count from 1, and 0 is none.
int chosen_epoch(int stored, const std::string& source) {
  if (stored < 0) fail(Fault::format, source, ": no record of a run: chosen_epoch is ", stored, ", below 0");
  return stored - 1;
}

}  // namespace

std::string details_text(const MetricDetails& details) {
  return to_json(details).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string record_text(const RunRecord& record) {
  ordered_json rules = ordered_json::object();
  for (const RuleResult& rule : record.rules) rules[rule.name] = to_json(rule.metrics);
  ordered_json object = {{"task", record.task},
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
  if (record.test_details) object["test_details"] = to_json(*record.test_details);
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

void write_record(const fs::path& path, const RunRecord& record) {
  write_file_atomically(path, record_text(record));
}

RunRecord parse_record(const std::string& text, const std::string& source) {
  try {
    const ordered_json object = ordered_json::parse(checked_json(text, source));
    RunRecord record;
    object.at("task").get_to(record.task);
    object.at("protocol").get_to(record.protocol);
    object.at("data").get_to(record.data);
    object.at("model").get_to(record.model);
    record.seed = whole_number<std::uint64_t>(object.at("seed"), source, "seed");
    object.at("end").get_to(record.end);
    record.epochs = whole_number<int>(object.at("epochs"), source, "epochs");
    record.best_epoch =
        object.contains("chosen_epoch")
            ? chosen_epoch(whole_number<int>(object["chosen_epoch"], source, "chosen_epoch"), source)
            : whole_number<int>(object.at("best_epoch"), source, "best_epoch");  // of before
    record.parameters = whole_number<std::int64_t>(object.at("parameters"), source, "parameters");
    object.at("choosing_metric").get_to(record.choosing_metric);
    object.at("headline_metric").get_to(record.headline_metric);
    object.at("more_is_better").get_to(record.more_is_better);
    record.split = object.value("split", record.split);
    record.validation = to_metrics(object.at("validation"));
    record.test = to_metrics(object.at("test"));
    if (object.contains("test_details")) record.test_details = to_details(object.at("test_details"), source);
    for (const auto& [name, metrics] : object.at("rules").items())
      record.rules.push_back({name, to_metrics(metrics)});
    object.at("remarks").get_to(record.remarks);
    record.notes = object.value("notes", record.notes);
    record.warnings = object.value("warnings", record.warnings);
    object.at("seconds").get_to(record.seconds);
    record.epoch_seconds = object.value("epoch_seconds", 0.0);  // not in records of before it was written
    return record;
  } catch (const ordered_json::exception& error) {
    fail(Fault::format, source, ": no record of a run: ", json_reason(error.what()));
  }
}

RunRecord read_record(const fs::path& path) { return parse_record(read_file(path), path.string()); }

}  // namespace gsan
