#include "gsan/train/metrics_log.h"

#include <algorithm>
#include <limits>
#include <system_error>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_number.h"
#include "gsan/core/options.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

using nlohmann::ordered_json;

EpochMetrics parse_line(const std::string& line, const fs::path& path, std::size_t number) {
  EpochMetrics metrics;
  const ordered_json object = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
  const auto fault = [&] {
    fail(Fault::format, path.string(), ":", number,
         ": expected a JSON object with an integer 'epoch' and numbers or null");
  };
  if (!object.is_object() || !object.contains("epoch") || !object["epoch"].is_number_integer()) fault();
  // On disk the first epoch is 1.
  const auto stored =
      whole_number<std::int64_t>(object["epoch"], concat(path.string(), ":", number), "epoch");
  if (stored < 1)
    fail(Fault::format, path.string(), ":", number, ": epochs count from 1, got ", stored,
         "; the run is of an older version of gsan, begin a new one");
  metrics.epoch = stored - 1;
  for (const auto& [name, value] : object.items()) {
    if (name == "epoch") continue;
    if (!value.is_number() && !value.is_null()) fault();
    metrics.values.emplace_back(
        name, value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  }
  return metrics;
}

// A field with a comma, a quote or a line break is quoted.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void MetricsLog::append(const EpochMetrics& metrics) {
  ordered_json line;
  line["epoch"] = metrics.epoch + 1;
  for (const auto& [name, value] : metrics.values) line[name] = value;
  file_.append(line.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

std::vector<EpochMetrics> read_metrics(const fs::path& path) {
  const std::string text = read_file(path);
  std::vector<EpochMetrics> all;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    all.push_back(parse_line(text.substr(begin, end - begin), path, all.size() + 1));
  return all;
}

std::int64_t cut_metrics(const fs::path& path, std::int64_t epoch) {
  if (std::error_code ignored; !fs::exists(path, ignored)) return 0;
  const std::string text = read_file(path);
  std::size_t keep = 0;
  std::int64_t count = 0;
  for (std::size_t end; (end = text.find('\n', keep)) != std::string::npos; keep = end + 1, ++count)
    if (parse_line(text.substr(keep, end - keep), path, static_cast<std::size_t>(count) + 1).epoch >= epoch)
      break;
  if (keep < text.size()) write_file_atomically(path, text.substr(0, keep));
  return count;
}

void write_metrics_csv(const fs::path& path, const std::vector<EpochMetrics>& metrics) {
  std::vector<std::string> columns;
  for (const EpochMetrics& epoch : metrics)
    for (const auto& [name, value] : epoch.values)
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  std::string text = "epoch";
  for (const std::string& column : columns) text.append(",").append(csv_field(column));
  text += "\n";
  for (const EpochMetrics& epoch : metrics) {
    text += std::to_string(epoch.epoch + 1);
    for (const std::string& column : columns) {
      const auto found = std::find_if(epoch.values.begin(), epoch.values.end(),
                                      [&](const auto& entry) { return entry.first == column; });
      text += ",";
      if (found != epoch.values.end()) text += options::to_text(found->second);
    }
    text += "\n";
  }
  write_file_atomically(path, text);
}

}  // namespace gsan
