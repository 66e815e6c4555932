#include "gsan/report/resolved_config.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "gsan/core/hash.h"
#include "gsan/core/text.h"

namespace gsan::report {
namespace {

std::string short_hash(const std::string& text) { return sha256_hex(text).substr(0, 16); }

// The line at `at` without its end.
std::string line_at(const std::string& text, std::size_t at) {
  return text.substr(at, text.find('\n', at) - at);
}

std::size_t next_line(const std::string& text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == text.npos ? text.size() : end + 1;
}

// A key that came after the first records, with the value, as a config writes it, that leaves a run as it
// was.
struct LaterKey {
  std::string_view key, value;
  std::string_view tasks{};  // those that did not have it from the beginning; empty: all
};
constexpr LaterKey later_keys[] = {
    {"train.least_steps", "0"},
    {"train.precision", "\"float32\""},
    {"train.capture", "true"},
    {"train.micro_batches", "0"},
    {"simplex-prediction.batch_size", "0"},
    {"simplex-prediction.structure", "\"none\""},
    {"graph-classification.structure", "\"none\""},
    {"graph-classification.choose_by", "\"accuracy\""},
    {"trajectory.choose_by", "\"accuracy\""},
    {"trajectory.readout", "\"flattened\""},
    {"simplex-prediction.leak", "\"none\""},
    {"imputation.all_orders", "false"},
    {"imputation.validation_at_test", "false"},
    {"model.readout.inputs", "false"},
    {"split.by", "\"automatic\""},
    {"split.borders", "[]"},
    {"split.file", "\"\"", "imputation simplex-classification simplex-prediction"},
};

// A default that came after the first records, and the value that these have in its place: it computes the
// same numbers but for rounding, and on the data of the records to the last bit.
struct LaterDefault {
  std::string_view key, value, before;
};
constexpr LaterDefault later_defaults[] = {{"data.reorder", "\"automatic\"", "\"none\""}};

std::string_view as_before(const std::string& key, std::string_view value) {
  for (const LaterDefault& later : later_defaults)
    if (later.key == key && later.value == value) return later.before;
  return value;
}

bool says_nothing(const std::string& key, std::string_view value, const std::string& task) {
  return std::any_of(std::begin(later_keys), std::end(later_keys), [&](const LaterKey& later) {
    return later.key == key && later.value == value &&
           (later.tasks.empty() || later.tasks.find(task) != later.tasks.npos);
  });
}

std::string task_of(const std::string& yaml) {
  static constexpr std::string_view begin = "\ntask: \"";
  const std::size_t at = yaml.find(begin);
  if (at == yaml.npos) return "";
  return yaml.substr(at + begin.size(), yaml.find('"', at + begin.size()) - at - begin.size());
}

// A section of which nothing is left goes, too.
std::string without_later_keys(const std::string& yaml) {
  const std::string task = task_of(yaml);
  std::string kept;
  std::vector<std::string> sections, heads;  // around the line; lines of those that have kept nothing yet
  for (std::size_t at = 0; at < yaml.size(); at = next_line(yaml, at)) {
    const std::string line = line_at(yaml, at);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size()), depth = indent / 2;
    const std::size_t colon = std::min(line.find(':', indent), line.size());
    const std::string name = line.substr(indent, colon - indent);
    heads.resize(heads.size() - std::min(heads.size(), sections.size() - std::min(sections.size(), depth)));
    sections.resize(std::min(sections.size(), depth));
    if (colon + 1 == line.size()) {
      sections.push_back(name);
      heads.push_back(line);
      continue;
    }
    const std::string key = concat(joined(sections, "."), sections.empty() ? "" : ".", name);
    const std::size_t begin = std::min(colon + 2, line.size());
    const std::string value = line.substr(begin);
    if (!value.empty() && says_nothing(key, value, task)) continue;
    for (const std::string& head : std::exchange(heads, {})) kept += head + "\n";
    kept += concat(line.substr(0, begin), as_before(key, value), "\n");
  }
  return kept;
}

}  // namespace

void ResolvedConfig::set(const std::string& key, const std::string& value) {
  std::size_t at = 0, depth = 0;
  std::string rest = key;
  while (at < yaml_.size()) {
    const std::string indent(2 * depth, ' '), line = line_at(yaml_, at);
    if (!line.starts_with(indent)) break;  // the section has ended
    const std::size_t dot = rest.find('.');
    if (dot != rest.npos && line == indent + rest.substr(0, dot) + ":") {
      rest = rest.substr(dot + 1);
      ++depth;
    } else if (dot == rest.npos && line.starts_with(indent + rest + ": ")) {
      yaml_.replace(at, line.size(), concat(indent, rest, ": ", value));
      return;
    }
    at = next_line(yaml_, at);
  }
  fail(Fault::argument, "the config of a planned run has no key '", key, "'");
}

std::string ResolvedConfig::hash() const { return short_hash(without_later_keys(yaml_)); }

std::string ResolvedConfig::task_hash() const {
  std::string task;
  bool is_task = true;
  const std::string yaml = without_later_keys(yaml_);
  for (std::size_t at = 0; at < yaml.size(); at = next_line(yaml, at)) {
    const std::string line = line_at(yaml, at);
    if (!line.starts_with(' ')) is_task = line != "model:" && line != "train:";
    if (is_task) task += line + "\n";
  }
  return short_hash(task);
}

}  // namespace gsan::report
