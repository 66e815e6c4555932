#include "gsan/core/config_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "gsan/core/nearest.h"
#include "gsan/core/quoted.h"

namespace gsan {
namespace {

constexpr int deepest_section = 16;           // a document that contains itself ends here
constexpr int longest_chain = 16;             // of `extends`
constexpr std::size_t most_entries = 10'000;  // aliases of aliases make a small text into any number of keys

template <class Number>
std::optional<Number> whole_number(const std::string& text) {
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-');
  const char* end = text.data() + text.size();
  Number number{};
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// A scalar of YAML as one element of a value; a quoted one (tag "!") is a text.
bool read_scalar(const YAML::Node& node, bool& value) {
  const std::string& text = node.Scalar();
  value = text == "true" || text == "True";
  return node.Tag() != "!" && (value || text == "false" || text == "False");
}
bool read_scalar(const YAML::Node& node, double& value) {
  const auto number = whole_number<double>(node.Scalar());
  value = number.value_or(0);
  return node.Tag() != "!" && number && std::isfinite(value);
}
bool read_scalar(const YAML::Node& node, std::int64_t& value) {
  if (node.Tag() == "!") return false;
  if (const auto number = whole_number<std::int64_t>(node.Scalar())) {
    value = *number;
    return true;
  }
  // 1e6 is an integer as well, as long as a double holds it exactly.
  const auto number = whole_number<double>(node.Scalar());
  if (!number || std::trunc(*number) != *number || std::abs(*number) > 0x1p53) return false;
  value = static_cast<std::int64_t>(*number);
  return true;
}
bool read_scalar(const YAML::Node& node, std::string& value) {
  value = node.Scalar();
  return true;
}

template <class T>
bool read_value(const YAML::Node& node, T& value) {
  value = T{};
  if (node.IsNull() && std::is_same_v<T, std::string>) return true;  // "name=" is the empty text
  return node.IsScalar() && read_scalar(node, value);
}
template <class T>
bool read_value(const YAML::Node& node, std::vector<T>& values) {
  values.clear();
  if (!node.IsSequence()) return false;
  for (const YAML::Node& element : node) {
    T value{};
    if (!element.IsScalar() || !read_scalar(element, value)) return false;
    values.push_back(value);
  }
  return true;
}

// What stands there, for a message.
std::string shown(const YAML::Node& node) {
  if (node.IsNull()) return "nothing";
  if (node.IsMap()) return "a section";
  if (node.IsScalar()) return (node.Tag() == "!" ? "the text '" : "'") + node.Scalar() + "'";
  std::string text = "[";
  for (const YAML::Node& element : node)
    text += (text.size() > 1 ? ", " : "") + (element.IsScalar() ? element.Scalar() : "…");
  return text + "]";
}

// The choice that a misspelt one was probably meant to be, or why a rule that is not told was broken.
std::string suggestion(const ConfigRule& rule, const YAML::Node& node, bool is_read) {
  if (is_read && rule.describe().empty()) return "; the number is too large";
  if (rule.choices.size() < 4 || !node.IsScalar() || node.Scalar().empty()) return "";
  return concat("; did you mean '", nearest_word(node.Scalar(), rule.choices), "'?");
}

// Hears where documents begin, and nothing else.
class DocumentStarts final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { all.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}

  std::vector<YAML::Mark> all;
};

// yaml-cpp reads a stray ',' as an empty document and does not move past it, so YAML::LoadAll never returns.
// Two documents are enough to know that there is more than one, and where the second one begins tells a stray
// character from a document.
void require_one_document(const std::string& yaml, const std::string& source) {
  std::istringstream stream(yaml);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  parser.HandleNextDocument(starts);
  if (!parser.HandleNextDocument(starts)) return;
  const YAML::Mark& first = starts.all.front();
  const YAML::Mark& second = starts.all.back();
  if (second.pos <= first.pos)
    fail(Fault::format, source, ":", second.line + 1, ":", second.column + 1,
         ": not valid YAML: an unexpected character");
  fail(Fault::format, source, ":", second.line + 1,
       ": a config is one YAML document, but another one begins here");
}

YAML::Node one_document(const std::string& yaml, const std::string& source) {
  try {
    require_one_document(yaml, source);
    const YAML::Node document = YAML::Load(yaml);
    if (document.IsNull()) return YAML::Node(YAML::NodeType::Map);
    if (!document.IsMap())
      fail(Fault::format, source, ":", document.Mark().line + 1, ": a config is a map of keys to values");
    return document;
  } catch (const YAML::Exception& error) {
    fail(Fault::format, source, ":", error.mark.line + 1, ": not valid YAML: ", escaped(error.msg));
  }
}

bool matches(const std::string& pattern, const std::string& word) {
  if (pattern.ends_with('*')) return word.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == word;
}

struct Entry {
  std::string name;
  YAML::Node value;
  std::string place;
  int block = -1;  // of `when`; −1: always
};

struct Block {
  std::map<std::string, std::vector<std::string>> conditions;
  std::string place;
  bool is_on = false;
};

}  // namespace

struct ConfigText::State {
  Finder find;
  std::vector<Entry> entries;
  std::vector<Block> blocks;
  std::vector<std::string> faults;
  int depth = 0;

  // Names and values of the text are part of messages: what a terminal would obey is escaped.
  void add_fault(const std::string& place, const std::string& what) {
    faults.push_back(escaped(place + ": " + what));
  }

  // `prefix` ends with a dot unless it is empty.
  void flatten(const YAML::Node& section, const std::string& prefix, const std::string& source, int block,
               int level, std::set<std::string>& seen) {
    for (const auto& entry : section) {
      const std::string place = concat(source, ":", entry.first.Mark().line + 1);
      if (!entry.first.IsScalar()) {
        add_fault(place, "a key must be a word");
        continue;
      }
      const std::string word = entry.first.Scalar();
      if (prefix.empty() && block < 0 && (word == "extends" || word == "when")) continue;
      if (prefix.empty() && block >= 0 && word == "if") continue;
      const std::string name = prefix + word;
      if (entry.second.IsMap() && entry.second.size() > 0 && level < deepest_section) {
        flatten(entry.second, name + ".", source, block, level + 1, seen);
        continue;
      }
      if (entries.size() >= most_entries)
        fail(Fault::format, place, ": a config has more than ", most_entries, " keys");
      if (!seen.insert(name).second) add_fault(place, concat("key '", name, "' is given twice"));
      entries.push_back({name, entry.second, place, block});
    }
  }

  void add_block(const YAML::Node& node, const std::string& source) {
    const std::string place = concat(source, ":", node.Mark().line + 1);
    if (!node.IsMap() || !node["if"] || !node["if"].IsMap()) {
      add_fault(place, "a block of `when` is a map of keys with `if: {NAME: VALUE}`");
      return;
    }
    Block block{{}, place};
    for (const auto& condition : node["if"]) {
      std::vector<std::string> values;
      if (!read_value(condition.second, values)) {
        std::string one;
        if (read_value(condition.second, one)) values = {one};
      }
      if (!condition.first.IsScalar() || values.empty()) {
        add_fault(place, "a condition is NAME: VALUE or NAME: [VALUE, VALUE]");
        return;
      }
      block.conditions[condition.first.Scalar()] = values;
    }
    blocks.push_back(std::move(block));
    std::set<std::string> seen;
    flatten(node, "", source, static_cast<int>(blocks.size()) - 1, 0, seen);
  }

  void add_document(const std::string& yaml, const std::string& source) {
    const YAML::Node document = one_document(yaml, source);
    if (const YAML::Node base = document["extends"]; base.IsDefined()) {
      if (!base.IsScalar() || !find)
        fail(Fault::format, source, ":", base.Mark().line + 1, ": `extends` is the name of another config");
      if (++depth > longest_chain)
        fail(Fault::format, source, ": more than ", longest_chain, " configs extend each other");
      const Document found = find(base.Scalar(), source);
      add_document(found.text, found.source);
    }
    std::set<std::string> seen;
    flatten(document, "", source, -1, 0, seen);
    if (const YAML::Node when = document["when"]; when.IsDefined()) {
      if (!when.IsSequence())
        fail(Fault::format, source, ":", when.Mark().line + 1, ": `when` is a list of blocks");
      for (const YAML::Node& block : when) add_block(block, source);
    }
  }

  bool counts(const Entry& entry) const {
    return entry.block < 0 || blocks[static_cast<std::size_t>(entry.block)].is_on;
  }

  // The last entry of that name that counts.
  const Entry* find_entry(const std::string& name) const {
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
      if (entry->name == name && counts(*entry)) return &*entry;
    return nullptr;
  }
};

ConfigText::ConfigText(Finder find) : state_(std::make_unique<State>()) { state_->find = std::move(find); }
ConfigText::~ConfigText() = default;
ConfigText::ConfigText(ConfigText&&) noexcept = default;

void ConfigText::add_document(const std::string& yaml, const std::string& source) {
  state_->depth = 0;
  state_->add_document(yaml, source);
}

void ConfigText::add_override(const std::string& text) {
  const std::string place = concat("override '", text, "'");
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    state_->add_fault(place, "must read key=value");
    return;
  }
  try {
    state_->entries.push_back({text.substr(0, equals), YAML::Load(text.substr(equals + 1)), place});
  } catch (const YAML::Exception& error) {
    state_->add_fault(place, concat("the value is not valid YAML: ", error.msg));
  }
}

void ConfigText::choose(const std::map<std::string, std::string>& values,
                        const std::vector<std::string>& fixed) {
  for (const Entry& entry : state_->entries)
    if (entry.block >= 0 && std::find(fixed.begin(), fixed.end(), entry.name) != fixed.end())
      state_->add_fault(entry.place, concat("a block of `when` cannot set '", entry.name,
                                            "', on which conditions depend: set it outside of `when`"));
  for (Block& block : state_->blocks) {
    block.is_on = true;
    for (const auto& [name, wanted] : block.conditions) {
      const auto value = values.find(name);
      if (value == values.end()) {
        std::string known;
        for (const auto& entry : values) known += (known.empty() ? "" : ", ") + entry.first;
        state_->add_fault(block.place, concat("a condition is on one of ", known, "; got '", name, "'"));
        block.is_on = false;
        continue;
      }
      block.is_on = block.is_on && std::any_of(wanted.begin(), wanted.end(), [&](const std::string& pattern) {
                      return matches(pattern, value->second);
                    });
    }
  }
}

std::optional<std::string> ConfigText::text(const std::string& name) const {
  const Entry* entry = state_->find_entry(name);
  if (entry == nullptr || !entry->value.IsScalar()) return std::nullopt;
  return entry->value.Scalar();
}

std::string ConfigText::place(const std::string& name) const {
  const Entry* entry = state_->find_entry(name);
  return entry == nullptr ? "" : entry->place;
}

ReadConfig ConfigText::read(const ConfigSchema& schema) const {
  Config config(schema);
  std::vector<std::string> faults = state_->faults;
  const auto add_fault = [&](const Entry& entry, const std::string& what) {
    faults.push_back(escaped(entry.place + ": " + what));
  };
  for (const Entry& entry : state_->entries) {
    if (!state_->counts(entry)) continue;
    const auto found = schema.keys().find(entry.name);
    if (found == schema.keys().end()) {
      const std::string section = entry.name.substr(0, entry.name.find_last_of('.'));
      if (schema.is_section(entry.name)) {
        if (!entry.value.IsNull() && !(entry.value.IsMap() && entry.value.size() == 0))
          add_fault(entry, concat("'", entry.name, "' is a section of keys, got ", shown(entry.value)));
      } else if (const auto key = schema.keys().find(section); key != schema.keys().end()) {
        add_fault(entry, concat("'", section, "' must be ", key->second.requirement(), ", got a section"));
      } else {
        add_fault(entry, schema.unknown(entry.name));
      }
      continue;
    }
    const ConfigKey& key = found->second;
    ConfigValue value = key.value;  // for its type
    const bool is_read = std::visit([&](auto& typed) { return read_value(entry.value, typed); }, value);
    if (is_read && key.rule.allows(value)) {
      config.set(entry.name, std::move(value));
    } else {
      add_fault(entry, concat("'", entry.name, "' must be ", key.requirement(), ", got ", shown(entry.value),
                              suggestion(key.rule, entry.value, is_read)));
    }
  }
  return {std::move(config), std::move(faults)};
}

}  // namespace gsan
