#pragma once
// Self-describing options (core/options.h) as keys of a config:
//
//   add_options(schema, "train.", TrainOptions{});              // train.epochs, train.optimizer.kind, …
//   const auto options = take_options(config, "train.", TrainOptions{});
//
// Defaults, types, choices and help come from the struct; rules between numbers stay its own (faults()).

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gsan/core/config.h"
#include "gsan/core/options.h"

namespace gsan {

/// Dotted names, without the prefix, of options that are no keys; a section's name leaves out all of it.
using SkippedOptions = std::vector<std::string_view>;

namespace options {

inline bool is_skipped(std::string_view name, const SkippedOptions& skipped) {
  return std::any_of(skipped.begin(), skipped.end(), [&](std::string_view word) {
    return name == word || (name.starts_with(word) && name[word.size()] == '.');
  });
}

// Whole numbers are int in options and int64 in a config; enums are one of their names.
inline ConfigValue to_config(bool value) { return value; }
inline ConfigValue to_config(int value) { return std::int64_t{value}; }
inline ConfigValue to_config(double value) { return value; }
inline ConfigValue to_config(const std::string& value) { return value; }
inline ConfigValue to_config(const std::vector<int>& values) {
  return std::vector<std::int64_t>(values.begin(), values.end());
}
inline ConfigValue to_config(const std::vector<double>& values) { return values; }
inline ConfigValue to_config(const std::vector<std::string>& values) { return values; }
template <class Enum>
requires std::is_enum_v<Enum> ConfigValue to_config(Enum value) { return std::string(name_of(value)); }

template <class Field>
ConfigRule rule_of(const Field&) {
  if constexpr (std::is_enum_v<Field>) {
    ConfigRule rule;
    for (const auto& entry : EnumNames<Field>::names) rule.choices.emplace_back(entry.second);
    return rule;
  } else if constexpr (std::is_same_v<Field, int> || std::is_same_v<Field, std::vector<int>>) {
    return int_range();
  } else {
    return {};
  }
}

inline void from_config(const ConfigValue& value, bool& field) { field = std::get<bool>(value); }
inline void from_config(const ConfigValue& value, int& field) {
  field = static_cast<int>(std::get<std::int64_t>(value));
}
inline void from_config(const ConfigValue& value, double& field) { field = std::get<double>(value); }
inline void from_config(const ConfigValue& value, std::string& field) {
  field = std::get<std::string>(value);
}
inline void from_config(const ConfigValue& value, std::vector<int>& field) {
  const auto& numbers = std::get<std::vector<std::int64_t>>(value);
  field.assign(numbers.begin(), numbers.end());
}
inline void from_config(const ConfigValue& value, std::vector<double>& field) {
  field = std::get<std::vector<double>>(value);
}
inline void from_config(const ConfigValue& value, std::vector<std::string>& field) {
  field = std::get<std::vector<std::string>>(value);
}
template <class Enum>
requires std::is_enum_v<Enum>
void from_config(const ConfigValue& value, Enum& field) {
  field = parse_enum<Enum>(std::get<std::string>(value), "the value");
}

}  // namespace options

/// A key `prefix` + name for every option, with the values of `defaults`.
template <class Options>
void add_options(ConfigSchema& schema, const std::string& prefix, const Options& defaults,
                 const SkippedOptions& skipped = {}) {
  options::visit_leaves(defaults, "", [&](const std::string& name, const auto& field, const char* help) {
    if (options::is_skipped(name, skipped)) return;
    schema.add(prefix + name, options::to_config(field), help, options::rule_of(field));
  });
}

/// `start` with the values of the keys that add_options made.
template <class Options>
Options take_options(const Config& config, const std::string& prefix, Options start,
                     const SkippedOptions& skipped = {}) {
  options::visit_leaves(start, "", [&](const std::string& name, auto& field, const char*) {
    if (!options::is_skipped(name, skipped)) options::from_config(config.value(prefix + name), field);
  });
  return start;
}

/// Appends options.faults(), where there is such a thing, under the names of the keys.
template <class Options>
void add_faults(std::vector<std::string>& faults, const std::string& prefix, const Options& options) {
  if constexpr (requires { options.faults(); })
    for (const std::string& fault : options.faults()) faults.push_back(prefix + fault);
}

}  // namespace gsan
