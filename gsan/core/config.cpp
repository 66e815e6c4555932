#include "gsan/core/config.h"

#include "gsan/core/atomic_file.h"
#include "gsan/core/config_text.h"

namespace gsan {

const ConfigValue& Config::value(const std::string& name) const {
  if (const auto found = given_.find(name); found != given_.end()) return found->second;
  const auto key = schema_.keys().find(name);
  GSAN_CHECK(key != schema_.keys().end(), "Config: ", schema_.unknown(name));
  return key->second.value;
}

void Config::set(const std::string& name, ConfigValue value) {
  const auto key = schema_.keys().find(name);
  GSAN_CHECK(key != schema_.keys().end(), "Config::set: ", schema_.unknown(name));
  GSAN_CHECK(value.index() == key->second.value.index() && key->second.rule.allows(value), "Config::set: '",
             name, "' must be ", key->second.requirement(), ", got ", to_text(value));
  given_[name] = std::move(value);
}

std::string Config::to_yaml() const {
  std::string text;
  std::vector<std::string> open;  // sections around the last line
  for (const auto& [name, key] : schema_.keys()) {
    std::vector<std::string> parts;
    for (std::size_t at = 0, dot = 0; dot != name.npos; at = dot + 1) {
      dot = name.find('.', at);
      parts.push_back(name.substr(at, dot == name.npos ? dot : dot - at));
    }
    std::size_t shared = 0;
    while (shared < open.size() && shared + 1 < parts.size() && open[shared] == parts[shared]) ++shared;
    for (std::size_t depth = shared; depth + 1 < parts.size(); ++depth) {
      text += std::string(2 * depth, ' ') + parts[depth] + ":\n";
    }
    text += std::string(2 * (parts.size() - 1), ' ') + parts.back() + ": " + to_text(value(name)) + "\n";
    open.assign(parts.begin(), parts.end() - 1);
  }
  return text;
}

ReadConfig read_config(const ConfigSchema& schema, const std::string& yaml, const std::string& source,
                       const std::vector<std::string>& overrides) {
  ConfigText text;
  text.add_document(yaml, source);
  for (const std::string& one : overrides) text.add_override(one);
  return text.read(schema);
}

void report_config(const std::vector<std::string>& faults) {
  if (faults.empty()) return;
  if (faults.size() == 1) fail(Fault::argument, "config: ", faults.front());
  std::string message = concat("config: ", faults.size(), " faults");
  for (const std::string& fault : faults) message += "\n  " + fault;
  fail(Fault::argument, message);
}

Config parse_config(const ConfigSchema& schema, const std::string& yaml, const std::string& source,
                    const std::vector<std::string>& overrides) {
  ReadConfig read = read_config(schema, yaml, source, overrides);
  report_config(read.faults);
  return std::move(read.config);
}

Config load_config(const ConfigSchema& schema, const std::filesystem::path& file,
                   const std::vector<std::string>& overrides) {
  return parse_config(schema, read_file(file), file.string(), overrides);
}

}  // namespace gsan
