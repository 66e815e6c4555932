#include "gsan/report/resolved_config.h"

#include "gsan/core/hash.h"

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

std::string ResolvedConfig::hash() const { return short_hash(yaml_); }

std::string ResolvedConfig::task_hash() const {
  std::string task;
  bool is_task = true;
  for (std::size_t at = 0; at < yaml_.size(); at = next_line(yaml_, at)) {
    const std::string line = line_at(yaml_, at);
    if (!line.starts_with(' ')) is_task = line != "model:" && line != "train:";
    if (is_task) task += line + "\n";
  }
  return short_hash(task);
}

}  // namespace gsan::report
