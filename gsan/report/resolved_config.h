#pragma once
// The complete config of a run as one text, and the short names by which records recognise it.

#include <string>

#include "gsan/train/run_settings.h"

namespace gsan::report {

class ResolvedConfig {
 public:
  explicit ResolvedConfig(const RunSettings& settings) : yaml_(to_yaml(settings)) {}
  /// The YAML of to_yaml: sections by indentation, one `key: value` a line.
  explicit ResolvedConfig(std::string yaml) : yaml_(std::move(yaml)) {}

  /// Another value for a key ("split.fold") on which no other setting depends; a key that is not there is an
  /// error. Much cheaper than to read the config again.
  void set(const std::string& key, const std::string& value);

  const std::string& yaml() const { return yaml_; }

  /// The first 16 digits of the SHA-256 of the text, without keys that came after the first records and have
  /// the value by which nothing changes, and with such defaults as they were: a record of before stays one of
  /// the same config.
  std::string hash() const;
  /// The same without the sections `model` and `train`: what the task is made of, and all that a rule sees.
  std::string task_hash() const;

 private:
  std::string yaml_;
};

}  // namespace gsan::report
