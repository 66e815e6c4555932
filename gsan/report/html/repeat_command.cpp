#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/data/sources/source.h"
#include "gsan/report/html/run_facts.h"

namespace gsan::report::html {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:=@%+,").find(c) != std::string_view::npos;
}

// One word of a shell.
std::string shell_word(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// "adam" reads without its quotes as the same text; "2", "true" and the like do not.
std::string without_quotes(const std::string& value) {
  if (value.size() < 3 || value.front() != '"') return value;
  const std::string inner = value.substr(1, value.size() - 2);
  const bool is_word = std::all_of(inner.begin(), inner.end(),
                                   [](char c) { return is_plain(c) && c != ':' && c != '%' && c != '@'; });
  const bool starts_as_word = std::isalpha(static_cast<unsigned char>(inner.front())) || inner.front() == '/';
  constexpr std::string_view other_types[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  const bool is_other =
      std::find(std::begin(other_types), std::end(other_types), inner) != std::end(other_types);
  return is_word && starts_as_word && !is_other ? inner : value;
}

// Data, model and seed have options of their own.
constexpr std::string_view options_of_their_own[] = {"data.name", "data.path", "model.name",
                                                     "seed",      "task",      "protocol"};

bool has_option(const std::string& key) {
  return std::find(std::begin(options_of_their_own), std::end(options_of_their_own), key) !=
         std::end(options_of_their_own);
}

// key=value of everything that the recipe of task, protocol, data and model has otherwise; empty where that
// does not lead back to the settings.
std::optional<std::vector<std::string>> changes(const RunSettings& settings) {
  const TaskSettings& task = settings.task;
  std::vector<std::string> words{concat("data.path=", to_text(ConfigValue(task.data.path))),
                                 concat("data.name=", to_text(ConfigValue(task.data.name))),
                                 concat("model.name=", to_text(ConfigValue(settings.model.name))),
                                 concat("seed=", settings.seed)};
  const auto start = settings_of(recipe_settings(task.name, task.protocol, words));
  std::vector<std::string> changed;
  for (const auto& entry : settings_of(settings))
    if (!has_option(entry.first) && std::find(start.begin(), start.end(), entry) == start.end())
      changed.push_back(concat(entry.first, "=", without_quotes(entry.second)));
  words.insert(words.end(), changed.begin(), changed.end());
  if (to_yaml(recipe_settings(task.name, task.protocol, words)) != to_yaml(settings)) return std::nullopt;
  return changed;
}

}  // namespace

std::string repeat_command(const RunFacts& facts) {
  const RunSettings& settings = facts.settings.value();
  const DataSettings& data = settings.task.data;
  std::optional<std::vector<std::string>> changed;
  try {
    // A folder of own data has the name of its data, or --data would name them otherwise.
    if (data.path.empty() || find_source(data.name, data.path).title == data.name)
      changed = changes(settings);
  } catch (const std::exception&) {  // the folder of own data is gone, or a recipe has changed: the config
                                     // says it all
  }
  const std::string source = data.path.empty() ? data.name : data.path;
  std::string command = "gsan train ";
  if (changed) {
    command += concat(settings.task.name, " --data ", shell_word(source), " --model ", settings.model.name);
    if (settings.task.is_published()) command += concat(" --protocol ", name_of(settings.task.protocol));
    command += concat(" --seed ", settings.seed);
    for (const std::string& word : *changed) command += concat(" ", shell_word(word));
  } else {
    command += shell_word((facts.path / "config.yaml").string());
  }
  if (const std::string& from = facts.manifest.first_weights.path; !from.empty())
    command += concat(" --from ", shell_word(from));
  command += concat(" --threads ", facts.manifest.threads);
  if (facts.manifest.device != "cpu") command += concat(" --device ", shell_word(facts.manifest.device));
  return concat(command, " --output ", shell_word(facts.path.string() + "-again"));
}

}  // namespace gsan::report::html
