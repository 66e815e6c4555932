#include "gsan/core/config.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/nearest.h"

namespace gsan {
namespace {

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

// The value found, for a message.
std::string shown(const YAML::Node& node) {
  if (node.IsNull()) return "nothing";
  if (node.IsMap()) return "a section";
  if (node.IsScalar()) return (node.Tag() == "!" ? "the text '" : "'") + node.Scalar() + "'";
  std::string text = "[";
  for (const YAML::Node& element : node)
    text += (text.size() > 1 ? ", " : "") + (element.IsScalar() ? element.Scalar() : "…");
  return text + "]";
}

// The choice that a misspelt one was probably meant to be, or why an unstated rule was broken.
std::string suggestion(const ConfigRule& rule, const YAML::Node& node, bool is_read) {
  if (is_read && rule.describe().empty()) return "; the number is too large";
  if (rule.choices.size() < 4 || !node.IsScalar() || node.Scalar().empty()) return "";
  return concat("; did you mean '", nearest_word(node.Scalar(), rule.choices), "'?");
}

class Reader {
 public:
  explicit Reader(const ConfigSchema& schema) : config_(schema) {}

  // `prefix` ends with a dot unless it is empty. Descends only into declared sections,
  // so a document that contains itself ends here.
  void read_section(const YAML::Node& section, const std::string& prefix, const std::string& source) {
    std::set<std::string> seen;
    for (const auto& entry : section) {
      const std::string place = concat(source, ":", entry.first.Mark().line + 1);
      if (!entry.first.IsScalar()) {
        add_fault(place, "a key must be a word");
        continue;
      }
      const std::string name = prefix + entry.first.Scalar();
      if (!seen.insert(name).second) add_fault(place, concat("key '", name, "' is given twice"));
      if (!config_.schema().is_section(name)) {
        read_key(name, entry.second, place);
      } else if (entry.second.IsMap()) {
        read_section(entry.second, name + '.', source);
      } else if (!entry.second.IsNull()) {
        add_fault(place, concat("'", name, "' is a section of keys, got ", shown(entry.second)));
      }
    }
  }

  void read_override(const std::string& text) {
    const std::string place = concat("override '", text, "'");
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      add_fault(place, "must read key=value");
      return;
    }
    const std::string name = text.substr(0, equals);
    if (config_.schema().is_section(name)) {
      add_fault(place, concat("'", name, "' is a section of keys, set one of them"));
      return;
    }
    try {
      read_key(name, YAML::Load(text.substr(equals + 1)), place);
    } catch (const YAML::Exception& error) {
      add_fault(place, concat("the value is not valid YAML: ", error.msg));
    }
  }

  ReadConfig finish() { return {std::move(config_), std::move(faults_)}; }

 private:
  void add_fault(const std::string& place, const std::string& what) {
    faults_.push_back(place + ": " + what);
  }

  void read_key(const std::string& name, const YAML::Node& node, const std::string& place) {
    const auto found = config_.schema().keys().find(name);
    if (found == config_.schema().keys().end()) {
      add_fault(place, config_.schema().unknown(name));
      return;
    }
    const ConfigKey& key = found->second;
    ConfigValue value = key.value;  // for its type
    const bool read = std::visit([&](auto& typed) { return read_value(node, typed); }, value);
    if (read && key.rule.allows(value)) {
      config_.set(name, std::move(value));
    } else {
      add_fault(place, concat("'", name, "' must be ", key.requirement(), ", got ", shown(node),
                              suggestion(key.rule, node, read)));
    }
  }

  Config config_;
  std::vector<std::string> faults_;
};

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
    fail(Fault::format, source, ":", error.mark.line + 1, ": not valid YAML: ", error.msg);
  }
}

}  // namespace

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
  Reader reader(schema);
  reader.read_section(one_document(yaml, source), "", source);
  for (const std::string& text : overrides) reader.read_override(text);
  return reader.finish();
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

std::optional<std::string> peek_config(const std::string& name, const std::string& yaml,
                                       const std::vector<std::string>& overrides) {
  try {
    for (auto text = overrides.rbegin(); text != overrides.rend(); ++text) {
      if (!text->starts_with(name + "=")) continue;
      const YAML::Node value = YAML::Load(text->substr(name.size() + 1));
      return value.IsScalar() ? std::optional(value.Scalar()) : std::nullopt;
    }
    YAML::Node node = YAML::Load(yaml);
    for (std::size_t at = 0, dot = 0; dot != name.npos; at = dot + 1) {
      dot = name.find('.', at);
      if (!node.IsMap()) return std::nullopt;
      // A copy of a node is another name for the same one: assigning would change the document.
      node.reset(node[name.substr(at, dot == name.npos ? dot : dot - at)]);
    }
    return node.IsDefined() && node.IsScalar() ? std::optional(node.Scalar()) : std::nullopt;
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
}

}  // namespace gsan
