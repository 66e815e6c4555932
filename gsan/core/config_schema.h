#pragma once
// Which settings exist: typed keys with a default, a rule and a line of help. Modules
// declare theirs; the reference page of all settings is printed from here.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gsan {

/// The type of a key is the alternative that its default holds.
using ConfigValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                 std::vector<double>, std::vector<std::string>>;

/// As YAML writes it on one line: true, 4, 0.5, "text", [1, 2].
std::string to_text(const ConfigValue& value);

/// What a value must satisfy, each element where it is a list.
struct ConfigRule {
  std::optional<double> least{}, most{};
  bool least_excluded = false, most_excluded = false;
  std::vector<std::string> choices{};  ///< of a text; empty = any

  bool allows(const ConfigValue& value) const;
  std::string describe() const;  ///< ">= 1", ">= 0 and < 1", "one of a, b"; empty without a rule
};

ConfigRule at_least(double least);
ConfigRule positive();                                 ///< > 0
ConfigRule between(double least, double most);         ///< least ≤ x ≤ most
ConfigRule from_up_to(double least, double excluded);  ///< least ≤ x < excluded
ConfigRule one_of(std::vector<std::string> choices);
ConfigRule int_range();  ///< what an int holds; not worth telling, so describe() is empty

struct ConfigKey {
  ConfigValue value;  ///< the default
  std::string help;
  ConfigRule rule;

  std::string type() const;         ///< "integer", "list of numbers", …
  std::string requirement() const;  ///< type and rule: "an integer >= 1"
};

class ConfigSchema {
 public:
  /// `name` is dotted ("model.heads"). A key that exists, that is a section of another
  /// one, or whose default breaks its rule is an error.
  ConfigSchema& add(const std::string& name, ConfigValue value, std::string help, ConfigRule rule = {});

  /// Says why there is no key of that name, where others have one: `why` ends the message of unknown().
  ConfigSchema& refuse(const std::string& name, std::string why);

  /// Sorted by name: the keys of a section stand together.
  const std::map<std::string, ConfigKey>& keys() const { return keys_; }
  bool is_section(const std::string& name) const;

  /// "unknown key 'model.head'; did you mean 'model.heads'?"; of a refused name: "unknown key 'data.points':
  /// " and why.
  std::string unknown(const std::string& name) const;

  /// One key a line: name, default, requirement, help.
  std::string describe() const;

 private:
  std::map<std::string, ConfigKey> keys_;
  std::map<std::string, std::string> refused_;
};

}  // namespace gsan
