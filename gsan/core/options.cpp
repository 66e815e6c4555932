#include "gsan/core/options.h"

#include <charconv>
#include <cmath>

#include "gsan/core/nearest.h"
#include "gsan/core/text.h"

namespace gsan::options {
namespace {

template <class Number>
std::string number_text(Number value) {
  char buffer[40];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  return {buffer, end};
}

template <class Number>
std::string list_text(const std::vector<Number>& values) {
  return concat("[", joined(values, ", ", [](Number value) { return number_text(value); }), "]");
}

template <class Number>
void parse_number(std::string_view text, Number& value, const char* expected) {
  text = trimmed(text);
  Number parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  GSAN_CHECK(!text.empty() && error == std::errc{} && end == text.data() + text.size(), "expected ", expected,
             ", got '", text, "'");
  value = parsed;
}

void parse_element(std::string_view text, std::string& value, const char*) { value = trimmed(text); }
template <class Number>
void parse_element(std::string_view text, Number& value, const char* expected) {
  parse_number(text, value, expected);
}

template <class Element>
void parse_list(std::string_view text, std::vector<Element>& values, const char* expected) {
  text = trimmed(text);
  GSAN_CHECK(text.size() >= 2 && text.front() == '[' && text.back() == ']',
             "expected a list such as [0, 1], got '", text, "'");
  text = trimmed(text.substr(1, text.size() - 2));
  std::vector<Element> parsed;
  while (!text.empty()) {
    const auto comma = text.find(',');
    parse_element(text.substr(0, comma), parsed.emplace_back(), expected);
    if (comma == std::string_view::npos) break;
    text = text.substr(comma + 1);
    GSAN_CHECK(!trimmed(text).empty(), "expected ", expected, " after the last comma");
  }
  values = std::move(parsed);
}

}  // namespace

std::string to_text(bool value) { return value ? "true" : "false"; }
std::string to_text(int value) { return number_text(value); }
std::string to_text(double value) { return number_text(value); }
std::string to_text(const std::string& value) { return value; }
std::string to_text(const std::vector<int>& values) { return list_text(values); }
std::string to_text(const std::vector<double>& values) { return list_text(values); }
std::string to_text(const std::vector<std::string>& values) { return concat("[", joined(values), "]"); }

void from_text(const std::string& text, bool& value) {
  const auto word = trimmed(text);
  GSAN_CHECK(word == "true" || word == "false", "expected true or false, got '", text, "'");
  value = word == "true";
}
void from_text(const std::string& text, int& value) { parse_number(text, value, "an integer"); }
void from_text(const std::string& text, double& value) { parse_number(text, value, "a number"); }
void from_text(const std::string& text, std::string& value) { value = text; }
void from_text(const std::string& text, std::vector<int>& values) { parse_list(text, values, "an integer"); }
void from_text(const std::string& text, std::vector<double>& values) { parse_list(text, values, "a number"); }
void from_text(const std::string& text, std::vector<std::string>& values) {
  parse_list(text, values, "a word");
}

void report(std::string_view who, const std::vector<std::string>& faults) {
  if (faults.empty()) return;
  std::string all;
  for (const auto& fault : faults) all += (faults.size() > 1 ? "\n  " : " ") + fault;
  fail(Fault::argument, who, ":", all);
}

std::string unknown_option(const std::string& name, const OptionMap& known) {
  std::vector<std::string> names;
  for (const auto& entry : known) names.push_back(entry.first);
  return "unknown option '" + name + "'; did you mean '" + nearest_word(name, names) + "'?";
}

}  // namespace gsan::options
