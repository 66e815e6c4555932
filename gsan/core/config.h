#pragma once
// Settings: a schema's keys with values from a YAML file and dotted overrides.
//
//   ConfigSchema schema;
//   schema.add("model.heads", 4, "attention heads", at_least(1));
//   schema.add("model.kind", "gsan", "which network", one_of({"gsan", "gat"}));
//   const Config config = load_config(schema, "run.yaml", {"model.heads=8"});
//   config.get<std::int64_t>("model.heads");
//
// A later source wins: default, file, overrides from left to right. All faults — a key
// that is unknown (with the nearest known one) or given twice, a wrong type, a value
// out of range — are collected and reported in one Error, each with its place.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/core/config_schema.h"

namespace gsan {

/// A value for every key of a schema.
class Config {
 public:
  explicit Config(ConfigSchema schema) : schema_(std::move(schema)) {}  ///< all defaults

  /// T is the key's alternative of ConfigValue; another type or key is an error.
  template <class T>
  const T& get(const std::string& name) const {
    const T* typed = std::get_if<T>(&value(name));
    GSAN_CHECK(typed, "Config::get: '", name, "' is ", schema_.keys().at(name).requirement());
    return *typed;
  }

  const ConfigValue& value(const std::string& name) const;

  /// Checked against the key's type and rule.
  void set(const std::string& name, ConfigValue value);

  const ConfigSchema& schema() const { return schema_; }

  /// Every key; parse_config reads the same values back.
  std::string to_yaml() const;

 private:
  ConfigSchema schema_;
  std::map<std::string, ConfigValue> given_;
};

/// `source` names the text in messages ("run.yaml:3: …"). Text that is no YAML is
/// Fault::format with its line; all other faults are one Fault::argument.
Config parse_config(const ConfigSchema& schema, const std::string& yaml, const std::string& source,
                    const std::vector<std::string>& overrides = {});
Config load_config(const ConfigSchema& schema, const std::filesystem::path& file,
                   const std::vector<std::string>& overrides = {});

/// What could be read, and every fault; a key with a fault keeps its default. For settings whose own rules
/// (between several keys) are to be reported together with the faults of the text.
struct ReadConfig {
  Config config;
  std::vector<std::string> faults;
};
ReadConfig read_config(const ConfigSchema& schema, const std::string& yaml, const std::string& source,
                       const std::vector<std::string>& overrides = {});

/// One Fault::argument that lists the faults, if there are any.
void report_config(const std::vector<std::string>& faults);

}  // namespace gsan
