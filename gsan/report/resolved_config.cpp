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

// Keys that came after the first records, with the value that leaves a run as it was.
constexpr std::pair<std::string_view, std::string_view> later_keys[] = {
    {"train.least_steps", "0"},
    {"simplex-prediction.batch_size", "0"},
    {"simplex-prediction.structure", "none"},
    {"graph-classification.structure", "none"},
    {"graph-classification.choose_by", "accuracy"},
    {"trajectory.choose_by", "accuracy"},
    {"model.readout.inputs", "false"},
};

bool says_nothing(const std::string& key, std::string_view value) {
  return std::any_of(std::begin(later_keys), std::end(later_keys),
                     [&](const auto& later) { return later.first == key && later.second == value; });
}

// A section of which nothing is left goes, too.
std::string without_later_keys(const std::string& yaml) {
  std::string kept, heads;            // heads: of sections that have kept no line yet
  std::vector<std::string> sections;  // around the line
  for (std::size_t at = 0; at < yaml.size(); at = next_line(yaml, at)) {
    const std::string line = line_at(yaml, at);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    sections.resize(std::min(sections.size(), indent / 2));
    const std::size_t colon = line.find(':', indent);
    const std::string name = line.substr(indent, colon == line.npos ? line.npos : colon - indent);
    const std::string key = concat(joined(sections, "."), sections.empty() ? "" : ".", name);
    if (colon != line.npos && line.size() > colon + 2 && says_nothing(key, line.substr(colon + 2))) continue;
    if (colon + 1 == line.size()) {
      if (indent == 0) heads.clear();
      heads += line + "\n";
      sections.push_back(name);
    } else {
      kept += std::exchange(heads, {}) + line + "\n";
    }
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
