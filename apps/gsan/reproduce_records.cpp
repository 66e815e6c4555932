#include "apps/gsan/reproduce_records.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/atomic_file.h"
#include "gsan/core/hash.h"
#include "gsan/train/experiment.h"
#include "gsan/train/metrics_log.h"

#include "apps/gsan/bench/machine.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/run_report.h"
#include "apps/gsan/runner/metric_values.h"
#include "apps/gsan/runner/process_pool.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

constexpr int format = 1;

double rounded(double value) { return std::round(value * 1e4) / 1e4; }  // enough for per cents

// One member a line, so that a change of one is a change of one line.
std::string lines_of(const Json& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.items())
    text += concat(text.size() > 1 ? ",\n " : "\n ", Json(key).dump(), ": ",
                   value.dump(-1, ' ', false, Json::error_handler_t::replace));
  return text + "\n}\n";
}

Json to_json(const TableRecord& record) {
  Json object{{"format", format},        {"commit", record.commit},     {"version", record.version},
              {"torch", record.torch},   {"compiler", record.compiler}, {"machine", record.machine},
              {"device", record.device}, {"threads", record.threads},   {"started", record.started},
              {"ended", record.ended}};
  object["set"] = record.foreign;
  object["settings"] = record.settings;
  object["result"] = Json::parse(record_text(record.result));
  object["last"] = metrics_json(record.last);
  if (!record.curve.empty()) object["curve"] = record.curve;
  return object;
}

TableRecord from_json(const Json& object) {
  if (object.at("format") != format)
    fail(Fault::format, "its format is ", object.at("format").dump(), ", this gsan reads ", format);
  TableRecord record;
  object.at("commit").get_to(record.commit);
  object.at("version").get_to(record.version);
  object.at("torch").get_to(record.torch);
  object.at("compiler").get_to(record.compiler);
  object.at("machine").get_to(record.machine);
  record.device = object.value("device", "cpu");  // records of before it was written are of the processor
  object.at("threads").get_to(record.threads);
  object.at("started").get_to(record.started);
  object.at("ended").get_to(record.ended);
  object.at("set").get_to(record.foreign);
  for (const auto& [key, value] : object.at("settings").items())
    record.settings.emplace(key, value.get<std::string>());
  record.result = parse_record(object.at("result").dump(), "its result");
  for (const auto& [name, value] : object.at("last").items())
    if (value.is_number()) record.last.emplace_back(name, value.get<double>());
  if (object.contains("curve")) object.at("curve").get_to(record.curve);
  return record;
}

std::vector<std::string> keys_of(const FlatSettings& settings) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : settings) keys.push_back(key);
  return keys;
}

// Of these keys alone; empty where the settings lack one.
std::string digest(const FlatSettings& settings, const std::vector<std::string>& keys) {
  Sha256 hash;
  for (const std::string& key : keys) {
    const auto found = settings.find(key);
    if (found == settings.end()) return "";
    hash.update(concat(key, "=", found->second, "\n"));
  }
  return hash.hex();
}

// `keys` are sorted: those of a map.
bool knows_all(const std::vector<std::string>& keys, const std::vector<std::string>& chosen) {
  return std::all_of(chosen.begin(), chosen.end(), [&](const std::string& key) {
    return std::binary_search(keys.begin(), keys.end(), key);
  });
}

}  // namespace

std::string machine_name() {
  static const std::string name =
      concat(describe_machine(true).value("processor", "unknown"), ", ", usable_cores(), " cores");
  return name;
}

TableRecord take_record(const fs::path& run_folder, const PlannedRun& run, const std::string& curve) {
  if (flat_settings(read_run_settings(run_folder)) != run.settings)
    fail(Fault::argument, "the run in ", run_folder.string(),
         " has other settings than were planned: the config was changed meanwhile; start again");
  TableRecord record;
  record.file = run.file;
  record.settings = run.settings;
  record.foreign = run.foreign;
  record.result = read_record(record_file(run_folder));
  const Manifest manifest = read_manifest(run_folder / "manifest.json");
  record.commit = manifest.git_revision;
  record.version = manifest.gsan;
  record.torch = manifest.torch;
  record.compiler = manifest.compiler;
  record.started = manifest.started;
  record.ended = manifest.ended;
  record.threads = manifest.threads;
  record.machine = machine_name();
  record.device = manifest.device;
  const std::vector<EpochMetrics> epochs = read_metrics(run_folder / "metrics.jsonl");
  if (!epochs.empty())
    for (const auto& [name, value] : epochs.back().values)
      if (name.starts_with("validation.")) record.last.emplace_back(name.substr(11), value);
  if (!curve.empty())
    for (const EpochMetrics& epoch : epochs)
      if (const double value = metric_value(epoch.values, curve); std::isfinite(value))
        record.curve.push_back(rounded(value));  // epochs without validation have none
  return record;
}

void write_table_record(const fs::path& results, const TableRecord& record) {
  const fs::path path = results / record.file;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) fail(Fault::io, "cannot make the folder ", path.parent_path(), ": ", error.message());
  write_file_atomically(path, lines_of(to_json(record)));
}

std::optional<TableRecord> read_table_record(const fs::path& results, const fs::path& file) {
  try {
    TableRecord record = from_json(Json::parse(read_file(results / file)));
    record.file = file;
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_record_of(const TableRecord& record, const PlannedRun& run) {
  const std::vector<std::string> keys = keys_of(record.settings);
  return knows_all(keys, run.chosen) && digest(record.settings, keys) == digest(run.settings, keys);
}

RecordStore::RecordStore(const fs::path& results) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(results, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".json" && at.depth() > 0) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    try {
      TableRecord record = from_json(Json::parse(read_file(path)));
      record.file = path.lexically_relative(results);
      add(std::move(record));
    } catch (const Json::exception& fault) {
      broken_.push_back(concat(path.string(), " is no record of a run: ", fault.what()));
    } catch (const Error& fault) {
      broken_.push_back(concat(path.string(), " is no record of a run: ", fault.what()));
    }
  }
}

void RecordStore::add(TableRecord record) {
  if (const auto before = records_.find(record.file); before != records_.end()) {
    const std::vector<std::string> old = keys_of(before->second.settings);
    by_content_[old].erase(digest(before->second.settings, old));
  }
  const std::vector<std::string> keys = keys_of(record.settings);
  by_content_[keys].insert_or_assign(digest(record.settings, keys), record.file);
  const fs::path file = record.file;
  records_.insert_or_assign(file, std::move(record));
}

const TableRecord* RecordStore::find(const PlannedRun& run) const {
  for (const auto& [keys, files] : by_content_) {
    const std::string content = knows_all(keys, run.chosen) ? digest(run.settings, keys) : "";
    if (content.empty()) continue;
    if (const auto found = files.find(content); found != files.end()) return &records_.at(found->second);
  }
  return nullptr;
}

std::optional<std::string> RecordStore::stale(const PlannedRun& run) const {
  const auto found = records_.find(run.file);
  if (found == records_.end() || find(run) != nullptr) return std::nullopt;
  std::string text;
  for (const auto& [key, then] : found->second.settings) {
    const auto now = run.settings.find(key);
    const std::string today = now == run.settings.end() ? "no such key" : now->second;
    if (today != then) text += concat(text.empty() ? "" : "; ", key, ": ", then, " then, ", today, " now");
  }
  return text;
}

}  // namespace gsan::app
