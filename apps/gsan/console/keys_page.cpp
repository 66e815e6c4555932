#include "apps/gsan/console/keys_page.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "gsan/core/text.h"
#include "gsan/models/model_kinds.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/run_settings.h"

namespace gsan::app {
namespace {

struct Use {
  std::string task;
  Protocol protocol;
  std::string model;
  std::string value;  // the default there
};

struct Key {
  std::string requirement, help;
  std::vector<Use> uses;
};

using Keys = std::map<std::string, Key>;

std::vector<std::pair<std::string, Protocol>> all_recipes() {
  std::vector<std::pair<std::string, Protocol>> all;
  for (const TaskKind* task : task_kinds()) {
    all.emplace_back(task->name, Protocol::strict);
    if (task->has_published) all.emplace_back(task->name, Protocol::published);
  }
  return all;
}

Keys all_keys() {
  Keys keys;
  for (const auto& [task, protocol] : all_recipes())
    for (const std::string& model : model_names()) {
      const ConfigSchema schema = run_schema(recipe_settings(task, protocol, {"model.name=" + model}));
      for (const auto& [name, key] : schema.keys()) {
        Key& entry = keys[name];
        entry.requirement = key.requirement();
        if (entry.help.empty()) entry.help = key.help;
        if (entry.help.find(key.help) == std::string::npos)  // another model's or readout's
          entry.help = concat(entry.help, "; or: ", key.help);
        entry.uses.push_back({task, protocol, model, to_text(key.value)});
      }
    }
  return keys;
}

// Whether the default differs between two uses that agree in everything but the task (or but the model).
bool differs(const Key& key, bool by_task) {
  std::map<std::string, std::string> seen;
  for (const Use& use : key.uses) {
    const std::string group = by_task ? use.model : concat(use.task, " ", name_of(use.protocol));
    const auto [found, is_new] = seen.emplace(group, use.value);
    if (!is_new && found->second != use.value) return true;
  }
  return false;
}

std::string default_text(const std::string& name, const Key& key) {
  if (name == "task") return "(must be given)";
  if (name == "protocol") return "`\"strict\"`";
  if (name == "model.name") return "by task";
  const bool by_task = differs(key, true), by_model = differs(key, false);
  if (by_task && by_model) return "by task and model";
  return by_task ? "by task" : by_model ? "by model" : concat("`", key.uses.front().value, "`");
}

// Of some models, or of some tasks, only: which.
std::string owner_text(const Key& key) {
  std::set<std::string> models;
  std::vector<std::string> tasks;
  for (const Use& use : key.uses) {
    models.insert(use.model);
    if (std::find(tasks.begin(), tasks.end(), use.task) == tasks.end()) tasks.push_back(use.task);
  }
  std::vector<std::string> owners;
  if (models.size() < model_names().size()) {
    // The presets are one backbone.
    const BackboneKind* presets = model_kinds().front().backbone;
    if (models.contains(model_kinds().front().name)) owners.emplace_back("presets");
    for (const ModelKind& other : model_kinds())
      if (other.backbone != presets && models.contains(other.name)) owners.push_back(other.name);
  }
  if (tasks.size() < task_kinds().size()) owners.insert(owners.end(), tasks.begin(), tasks.end());
  if (owners.empty()) return "all";
  return joined(owners);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe.push_back('\\');
    safe.push_back(c);
  }
  return safe;
}

// "model.readout." of "model.readout.pooling"; the taps of a side stay with the model.
std::string section_of(const std::string& name) {
  if (name.starts_with("model.readout.")) return "model.readout.";
  const std::size_t dot = name.find('.');
  return dot == name.npos ? "" : name.substr(0, dot + 1);
}

std::string section_text(const Keys& keys, const std::string& section, const char* title, const char* about,
                         bool with_owner) {
  std::string text =
      concat("\n## ", title, "\n\n", about, *about != 0 ? "\n\n" : "", "| key | ", with_owner ? "of | " : "",
             "default | value | meaning |\n|---|", with_owner ? "---|" : "", "---|---|---|\n");
  for (const auto& [name, key] : keys) {
    if (section_of(name) != section) continue;
    text +=
        concat("| `", name, "` | ", with_owner ? concat(owner_text(key), " | ") : "", default_text(name, key),
               " | ", escaped(name == "model.name" ? "text, a name of `gsan models`" : key.requirement),
               " | ", escaped(key.help), " |\n");
  }
  return text;
}

// Keys whose default depends on the task, for the standard model of each.
std::string starting_text(const Keys& keys) {
  std::map<std::string, std::map<std::string, std::map<Protocol, std::string>>> rows;
  for (const auto& [task, protocol] : all_recipes()) {
    const ConfigSchema schema = run_schema(recipe_settings(task, protocol));
    for (const auto& [name, key] : schema.keys())
      if (name != "task" && name != "protocol") rows[name][task][protocol] = to_text(key.value);
  }
  std::string text =
      "\n## The recipes\n\nA run starts from `recipes/TASK.yaml`, or `recipes/TASK-published.yaml`; what a "
      "recipe "
      "does not say has the default above. What is \"by task\" above, for the data and the model of each "
      "recipe "
      "(their blocks `when` have the values for others). Two values: strict, then published.\n\n| key |";
  std::string line = "\n|---|";
  for (const TaskKind* task : task_kinds()) {
    text += concat(" ", task->name, " |");
    line += "---|";
  }
  text += line + "\n";
  for (const auto& [name, tasks] : rows) {
    if (!differs(keys.at(name), true) && name != "model.name") continue;
    text += concat("| `", name, "` |");
    for (const TaskKind* task : task_kinds()) {
      const auto found = tasks.find(std::string(task->name));
      if (found == tasks.end()) {
        text += " |";
        continue;
      }
      const auto value = [&](Protocol protocol) {
        const auto cell = found->second.find(protocol);
        return cell == found->second.end() ? std::string("-") : concat("`", cell->second, "`");
      };
      const std::string strict = value(Protocol::strict), published = value(Protocol::published);
      text += concat(" ", strict, strict == published ? "" : concat(", ", published), " |");
    }
    text += "\n";
  }
  return text;
}

constexpr const char* introduction =
    R"(# Every key of a config

A config is a YAML file; every key can also be set on the command line, as `key=value`, and the later one wins. Nothing but `task`
must be given: the rest comes from the recipe of the task (`recipes/TASK.yaml`), or from the config that `extends: NAME` names, a
recipe or a file. A key that the task, its protocol, the data or the model would not use is refused. `gsan train TASK --model MODEL --keys` prints the keys of one task and model with their values, and `config.yaml` in
a run folder holds all of them. All mistakes of a config are reported at once.

```yaml
task: trajectory
seed: 1
model:
  name: gsan
  heads: 2
train:
  epochs: 50
  optimizer: {learning_rate: 0.002}
```

This page is printed by `gsan train --keys-page`.
)";

}  // namespace

std::string keys_page() {
  const Keys keys = all_keys();
  std::string text = introduction;
  text += section_text(keys, "", "The run", "", false);
  text += section_text(keys, "data.", "`data`", "Which data the run works on.", false);
  text += section_text(
      keys, "split.", "`split`",
      "Of tasks that divide signals or complexes: trajectory, graph-classification, graph-regression.",
      false);
  for (const TaskKind* task : task_kinds()) {
    const std::string name(task->name);
    text += section_text(keys, name + ".", concat("`", name, "`").c_str(), "", false);
  }
  text += section_text(
      keys, "model.", "`model`",
      "Presets have every option of the layer; their defaults are those of the model (and of `length`).",
      true);
  text += section_text(keys, "model.readout.", "`model.readout`",
                       "From features to the answer; depends on the task.", true);
  text += section_text(keys, "train.", "`train`", "", false);
  return text + starting_text(keys);
}

}  // namespace gsan::app
