#pragma once
// Option structs that describe themselves. A struct names its fields once,
//
//   struct TapOptions {
//     int own = 1;
//     template <class Self, class Visitor>
//     static void fields(Self& self, Visitor&& visit) { visit("own", self.own, "highest power"); }
//   };
//
// and from that one list it is printed (describe), stored beside weights (to_map) and read back
// with every fault at once (from_map). Keys of nested structs are dotted: "lower.own". The line of help is
// for options that occur in a config (core/config_options.h); others may leave it out.
// Fields: bool, int, double, text, enum with EnumNames, lists of int, double or text, nested structs.

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gsan/core/check.h"

namespace gsan {

/// Specialise with `static constexpr std::pair<Enum, std::string_view> names[]`.
template <class Enum>
struct EnumNames;

template <class Enum>
std::string_view name_of(Enum value) {
  for (const auto& [known, name] : EnumNames<Enum>::names)
    if (known == value) return name;
  return "?";
}

/// "gat, gatv2, dot"
template <class Enum>
std::string names_of() {
  std::string all;
  for (const auto& entry : EnumNames<Enum>::names) {
    if (!all.empty()) all += ", ";
    all += entry.second;
  }
  return all;
}

/// The value called `name`; an error of `who` lists all names otherwise.
template <class Enum>
Enum parse_enum(std::string_view name, std::string_view who) {
  for (const auto& [value, known] : EnumNames<Enum>::names)
    if (known == name) return value;
  fail(Fault::argument, who, " must be one of ", names_of<Enum>(), "; got '", name, "'");
}

using OptionMap = std::map<std::string, std::string>;

namespace options {

std::string to_text(bool value);
std::string to_text(int value);
std::string to_text(double value);  ///< shortest text that reads back as the same number
std::string to_text(const std::string& value);
std::string to_text(const std::vector<int>& values);  ///< "[0, 2]"
std::string to_text(const std::vector<double>& values);
std::string to_text(const std::vector<std::string>& values);  ///< "[a, b]": words without commas
template <class Enum>
requires std::is_enum_v<Enum> std::string to_text(Enum value) { return std::string(name_of(value)); }

// Each throws Error with the text and what was expected.
void from_text(const std::string& text, bool& value);
void from_text(const std::string& text, int& value);
void from_text(const std::string& text, double& value);
void from_text(const std::string& text, std::string& value);
void from_text(const std::string& text, std::vector<int>& values);
void from_text(const std::string& text, std::vector<double>& values);
void from_text(const std::string& text, std::vector<std::string>& values);
template <class Enum>
requires std::is_enum_v<Enum>
void from_text(const std::string& text, Enum& value) { value = parse_enum<Enum>(text, "the value"); }

template <class Field>
concept HasFields = requires(Field& field) {
  std::remove_const_t<Field>::fields(field, [](auto&&...) {});
};

/// Calls visit(dotted name, field, help) for every leaf.
template <class Options, class Visitor>
void visit_leaves(Options& options, const std::string& prefix, Visitor&& visit) {
  std::remove_const_t<Options>::fields(options, [&](const char* name, auto& field, const char* help = "") {
    if constexpr (HasFields<std::remove_reference_t<decltype(field)>>) {
      visit_leaves(field, prefix + name + ".", visit);
    } else {
      visit(prefix + name, field, help);
    }
  });
}

/// Throws one error that lists the faults of `who`, if there are any.
void report(std::string_view who, const std::vector<std::string>& faults);
/// "unknown option 'head'; did you mean 'heads'?"
std::string unknown_option(const std::string& name, const OptionMap& known);

}  // namespace options

/// Every option by its dotted name.
template <class Options>
OptionMap to_map(const Options& value) {
  OptionMap map;
  options::visit_leaves(value, "", [&](const std::string& name, const auto& field, const char*) {
    map.emplace(name, options::to_text(field));
  });
  return map;
}

/// `start` with the options of `map` set; unknown names and unreadable values are one error of `who`.
template <class Options>
Options from_map(const OptionMap& map, std::string_view who, Options start = {}) {
  std::vector<std::string> faults;
  const OptionMap known = to_map(start);
  for (const auto& [name, text] : map)
    if (!known.contains(name)) faults.push_back(options::unknown_option(name, known));
  options::visit_leaves(start, "", [&](const std::string& name, auto& field, const char*) {
    const auto found = map.find(name);
    if (found == map.end()) return;
    try {
      options::from_text(found->second, field);
    } catch (const Error& error) {
      faults.push_back(name + ": " + error.what());
    }
  });
  options::report(who, faults);
  return start;
}

/// "heads=2, activation=tanh": the options that differ from their defaults.
template <class Options>
std::string describe(const Options& value) {
  const OptionMap standard = to_map(Options{});
  std::string text;
  options::visit_leaves(value, "", [&](const std::string& name, const auto& field, const char*) {
    const std::string now = options::to_text(field);
    if (standard.at(name) == now) return;
    if (!text.empty()) text += ", ";
    text += name + "=" + now;
  });
  return text;
}

}  // namespace gsan
