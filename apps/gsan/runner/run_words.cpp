#include "apps/gsan/runner/run_words.h"

#include <algorithm>
#include <cctype>

#include "gsan/core/atomic_file.h"
#include "gsan/core/config_text.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"
#include "gsan/data/sources/source.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/recipes.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_config(const std::string& word) {
  std::error_code ignored;
  const std::string extension = fs::path(word).extension().string();
  return extension == ".yaml" || extension == ".yml" || fs::is_regular_file(word, ignored);
}

// The value in quotes, whatever it holds.
std::string set(const std::string& key, const std::string& value) {
  return key + "=" + to_text(ConfigValue(value));
}

std::string task_named(const std::string& word) {
  const std::vector<std::string> known = task_names();
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  fail(Fault::argument, "unknown task '", word, "'; did you mean '", nearest_word(word, known),
       "'? Tasks: ", joined(known), "; or give a config file or key=value");
}

// A folder of own data, or the name of a dataset.
void add_data(const std::string& data, std::vector<std::string>& overrides) {
  if (!is_folder(data)) {
    const std::vector<std::string> known = source_names();
    const bool is_known = std::find(known.begin(), known.end(), lower_case(data)) != known.end();
    if (!is_known && (data.find('/') != data.npos ||
                      edit_distance(lower_case(data), nearest_word(lower_case(data), known)) > 2))
      fail(Fault::io, "--data: there is no folder ", data,
           " here, and no dataset of that name; datasets: ", joined(known));
    overrides.push_back(set("data.path", ""));  // not the folder of a config
    return overrides.push_back(set("data.name", data));
  }
  const fs::path path = fs::canonical(data);
  overrides.push_back(set("data.path", path.string()));
  overrides.push_back(set("data.name", find_source("", path.string()).title));
}

void make_absolute(const char* key, const ConfigText& text, std::vector<std::string>& overrides) {
  const std::string path = text.text(key).value_or("");
  if (!path.empty() && !fs::path(path).is_absolute())
    overrides.push_back(set(key, fs::absolute(path).lexically_normal().string()));
}

}  // namespace

void RunWords::add_to(CLI::App& command) {
  command
      .add_option("WORDS", words,
                  concat("a task (", joined(task_names()),
                         ") or a config file, then key=value in any number: model.heads=4"))
      ->type_name("TASK|CONFIG key=value ...");
  command.add_option("--config", config, "config file (YAML)")->type_name("FILE");
  command.add_option("--data", data, "a folder of your own data, or the name of a dataset (data.name)")
      ->type_name("NAME|FOLDER");
  command.add_option("--model", model, "model.name")->type_name("NAME");
  command.add_option("--protocol", protocol, "strict (free of leaks) or published")->type_name("NAME");
  command.add_option("--seed", seed, "seed of everything random (default 0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62));
}

bool RunWords::empty() const { return words.empty() && has_keys_only(); }

bool RunWords::has_keys_only() const {
  return std::all_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.find('=') != word.npos; }) &&
         config.empty() && data.empty() && model.empty() && protocol.empty() && !seed;
}

std::string RunWords::file() const {
  std::string file = config;
  for (const std::string& word : words) {
    if (word.find('=') != word.npos || !is_config(word)) continue;
    GSAN_CHECK(file.empty(), "two config files, ", file, " and ", word, "; give one");
    file = word;
  }
  return file;
}

std::vector<std::string> RunWords::overrides() const {
  std::vector<std::string> overrides;
  for (const std::string& word : words) {
    if (word.find('=') != word.npos) {
      overrides.push_back(word);
    } else if (!is_config(word)) {
      overrides.push_back(set("task", task_named(word)));
    }
  }
  if (!data.empty()) add_data(data, overrides);
  if (!model.empty()) overrides.push_back(set("model.name", model));
  if (!protocol.empty()) overrides.push_back(set("protocol", protocol));
  if (seed) overrides.push_back(concat("seed=", *seed));
  const std::string config_file = file();
  ConfigText text(find_config);
  if (!config_file.empty()) text.add_document(read_file(config_file), config_file);
  for (const std::string& one : overrides) text.add_override(one);
  for (const char* key : {"data.path", "split.file"}) make_absolute(key, text, overrides);
  return overrides;
}

RunSettings RunWords::settings() const {
  const std::string config_file = file();
  return parse_run_settings(config_file.empty() ? "" : read_file(config_file), config_file, overrides());
}

std::string standard_name(const RunSettings& settings) {
  std::string name = concat(settings.task.name, "-", settings.task.data.name, "-", settings.model.name);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
  return name;
}

fs::path standard_folder(const RunSettings& settings) {
  return fs::path("runs") / concat(standard_name(settings), "-seed", settings.seed);
}

}  // namespace gsan::app
