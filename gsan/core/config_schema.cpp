#include "gsan/core/config_schema.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>

#include "gsan/core/check.h"
#include "gsan/core/nearest.h"

namespace gsan {
namespace {

std::string scalar_text(bool value) { return value ? "true" : "false"; }
std::string scalar_text(std::int64_t value) { return std::to_string(value); }

// The shortest digits that read back as the same number.
std::string scalar_text(double value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// YAML's double-quoted style: unambiguous whatever the text holds.
std::string scalar_text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      const char* digits = "0123456789abcdef";
      text += {'\\', 'x', digits[(c >> 4) & 15], digits[c & 15]};
    } else {
      text += c;
    }
  }
  return text + '"';
}

bool allows_scalar(const ConfigRule&, bool) { return true; }
bool allows_scalar(const ConfigRule& rule, double x) {
  // Negated, so that NaN breaks every bound.
  if (rule.least && !(rule.least_excluded ? x > *rule.least : x >= *rule.least)) return false;
  if (rule.most && !(rule.most_excluded ? x < *rule.most : x <= *rule.most)) return false;
  return true;
}
bool allows_scalar(const ConfigRule& rule, std::int64_t x) {
  return allows_scalar(rule, static_cast<double>(x));
}
bool allows_scalar(const ConfigRule& rule, const std::string& text) {
  return rule.choices.empty() ||
         std::find(rule.choices.begin(), rule.choices.end(), text) != rule.choices.end();
}

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

}  // namespace

std::string to_text(const ConfigValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        if constexpr (is_list<std::decay_t<decltype(held)>>) {
          std::string text = "[";
          for (const auto& element : held) text += (text.size() > 1 ? ", " : "") + scalar_text(element);
          return text + "]";
        } else {
          return scalar_text(held);
        }
      },
      value);
}

bool ConfigRule::allows(const ConfigValue& value) const {
  return std::visit(
      [this](const auto& held) {
        if constexpr (is_list<std::decay_t<decltype(held)>>) {
          return std::all_of(held.begin(), held.end(),
                             [this](const auto& x) { return allows_scalar(*this, x); });
        } else {
          return allows_scalar(*this, held);
        }
      },
      value);
}

std::string ConfigRule::describe() const {
  if (least == int_range().least && most == int_range().most) return "";
  std::string text;
  if (least) text += (least_excluded ? "> " : ">= ") + scalar_text(*least);
  if (least && most) text += " and ";
  if (most) text += (most_excluded ? "< " : "<= ") + scalar_text(*most);
  for (std::size_t i = 0; i < choices.size(); ++i) text += (i == 0 ? "one of " : ", ") + choices[i];
  return text;
}

ConfigRule at_least(double least) { return {.least = least}; }
ConfigRule positive() { return {.least = 0, .least_excluded = true}; }
ConfigRule between(double least, double most) { return {.least = least, .most = most}; }
ConfigRule from_up_to(double least, double excluded) {
  return {.least = least, .most = excluded, .most_excluded = true};
}
ConfigRule int_range() { return between(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()); }
ConfigRule one_of(std::vector<std::string> choices) { return {.choices = std::move(choices)}; }

std::string ConfigKey::type() const {
  static constexpr const char* names[] = {"true or false",    "integer",         "number",       "text",
                                          "list of integers", "list of numbers", "list of texts"};
  return names[value.index()];
}

std::string ConfigKey::requirement() const {
  const std::string article = type() == "integer"                      ? "an "
                              : value.index() == 0 || type() == "text" ? ""
                                                                       : "a ";
  const std::string bounds = rule.describe();
  return article + type() + (bounds.empty() ? "" : (rule.choices.empty() ? " " : ", ") + bounds);
}

ConfigSchema& ConfigSchema::add(const std::string& name, ConfigValue value, std::string help,
                                ConfigRule rule) {
  GSAN_CHECK(!name.empty() && name.front() != '.' && name.back() != '.' && name.find("..") == name.npos,
             "ConfigSchema::add: '", name, "' is not a dotted name");
  GSAN_CHECK(!keys_.contains(name), "ConfigSchema::add: key '", name, "' is declared twice");
  GSAN_CHECK(!is_section(name), "ConfigSchema::add: key '", name, "' is already a section of other keys");
  for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
    GSAN_CHECK(!keys_.contains(name.substr(0, dot)), "ConfigSchema::add: section '", name.substr(0, dot),
               "' of '", name, "' is already a key");
  }
  ConfigKey key{std::move(value), std::move(help), std::move(rule)};
  GSAN_CHECK(key.rule.allows(key.value), "ConfigSchema::add: default of '", name, "' must be ",
             key.requirement(), ", got ", to_text(key.value));
  keys_.emplace(name, std::move(key));
  return *this;
}

ConfigSchema& ConfigSchema::refuse(const std::string& name, std::string why) {
  GSAN_CHECK(!keys_.contains(name), "ConfigSchema::refuse: there is a key '", name, "'");
  refused_[name] = std::move(why);
  return *this;
}

bool ConfigSchema::is_section(const std::string& name) const {
  const auto next = keys_.lower_bound(name + '.');
  return next != keys_.end() && next->first.compare(0, name.size() + 1, name + '.') == 0;
}

std::string ConfigSchema::unknown(const std::string& name) const {
  if (const auto refused = refused_.find(name); refused != refused_.end())
    return concat("unknown key '", name, "': ", refused->second);
  std::vector<std::string> names;
  for (const auto& [known, key] : keys_) names.push_back(known);
  const std::string nearest = nearest_word(name, names);
  return concat("unknown key '", name, "'", nearest.empty() ? "" : concat("; did you mean '", nearest, "'?"));
}

std::string ConfigSchema::describe() const {
  std::string text;
  for (const auto& [name, key] : keys_) {
    text += concat(name, " = ", to_text(key.value), "  (", key.requirement(), ")  ", key.help, "\n");
  }
  return text;
}

}  // namespace gsan
