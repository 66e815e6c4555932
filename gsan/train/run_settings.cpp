#include "gsan/train/run_settings.h"

#include <charconv>
#include <filesystem>

#include "gsan/core/config_options.h"
#include "gsan/core/config_text.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"
#include "gsan/data/sources/source.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/recipes.h"

namespace gsan {
namespace {

const std::string data_section = "data.", split_section = "split.", train_section = "train.";

std::string section_of(const TaskKind& task) { return std::string(task.name) + "."; }

// Keys of the section `split` that the task does not have.
SkippedOptions unused_split_keys(const TaskKind& task, Protocol protocol) {
  if (!task.divides_items) return {"validation", "test", "folds", "fold"};
  return protocol == Protocol::published ? SkippedOptions{"validation"} : SkippedOptions{};
}

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const auto& entry : EnumNames<Protocol>::names) names.emplace_back(entry.second);
  return names;
}

int small_number(const std::optional<std::string>& text, int otherwise, int least = 0) {
  if (!text) return otherwise;
  int number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() && end == text->data() + text->size() && number >= least &&
                 number <= largest_order
             ? number
             : otherwise;
}

// As its dataset.yaml has it; a folder that is not there is called like itself.
std::string name_of_folder(const std::string& path) {
  if (const std::string title = find_source("", path).title; !title.empty()) return title;
  const std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

struct Chosen {
  std::string task;
  Protocol protocol = Protocol::strict;
};

// From the text alone, without a recipe. A misspelt name is taken for the nearest one here, and reported by
// the real reading.
Chosen chosen_in(const ConfigText& text, std::vector<std::string>& faults) {
  Chosen chosen;
  const std::optional<std::string> task = text.text("task");
  if (!task)
    faults.push_back(concat("'task' is missing: one of ", [] {
      std::string all;
      for (const std::string& name : task_names()) all += (all.empty() ? "" : ", ") + name;
      return all;
    }()));
  chosen.task = nearest_word(task.value_or(task_names().front()), task_names());
  const std::string protocol = text.text("protocol").value_or(std::string(name_of(Protocol::strict)));
  chosen.protocol = parse_enum<Protocol>(nearest_word(protocol, protocol_names()), "protocol");
  return chosen;
}

// Recipe, then the text, then the overrides.
ConfigText layered(const std::string& yaml, const std::string& source,
                   const std::vector<std::string>& overrides, std::vector<std::string>& faults) {
  const auto add = [&](ConfigText& text) {
    text.add_document(yaml, source);
    for (const std::string& one : overrides) text.add_override(one);
  };
  bool has_recipe = false;
  ConfigText alone([&](const std::string& name, const std::string& from) {
    ConfigText::Document found = find_config(name, from);
    has_recipe = has_recipe || found.source.starts_with(recipe_folder);
    return found;
  });
  add(alone);
  const Chosen chosen = chosen_in(alone, faults);
  if (has_recipe) return alone;
  ConfigText text(find_config);
  const Protocol protocol = find_task(chosen.task).has_published ? chosen.protocol : Protocol::strict;
  const Recipe& recipe = find_recipe(recipe_name(chosen.task, protocol));
  text.add_document(std::string(recipe.text), recipe_source(recipe));
  add(text);
  return text;
}

// What the keys depend on: the settings before the values of the keys are taken.
RunSettings starting_settings(ConfigText& text, std::vector<std::string>& faults) {
  RunSettings settings;
  std::vector<std::string> ignored;
  const Chosen chosen = chosen_in(text, ignored);
  const TaskKind& task = find_task(chosen.task);
  settings.task.name = task.name;
  settings.task.protocol = chosen.protocol;
  const std::string section = section_of(task);

  const std::string path = text.text("data.path").value_or("");
  std::string data = text.text("data.name").value_or("");
  try {
    settings.task.data = data_settings(data, path);
  } catch (const Error& error) {  // an unknown dataset
    faults.emplace_back(error.what());
    data = nearest_word(data, source_names());
    settings.task.data = data_settings(data, path);
  }
  const std::string model = nearest_word(text.text("model.name").value_or("gsan"), model_names());
  // With a path the recipe's dataset is not meant.
  const bool is_own = !path.empty();
  const bool is_oriented = find_source(data, path).oriented.value_or(task.is_oriented);
  text.choose({{"task", settings.task.name},
               {"protocol", std::string(name_of(chosen.protocol))},
               {"data", is_own ? "own" : lower_case(data)},
               {"model", model},
               {"oriented", is_oriented ? "yes" : "no"},
               {"order", text.text(section + "order").value_or("")}},
              {"task", "protocol", "data.name", "data.path", "model.name", section + "order"});

  settings.task.options = task.options(chosen.protocol);
  OptionMap orders;
  for (const char* name : {"order", "tuple_order"})
    if (const int number = small_number(text.text(section + name), -2, -1); number >= -1)
      orders.emplace(name, std::to_string(number));
  if (!orders.empty()) settings.task.options.set(orders, section);
  if (const auto readout = text.text(section + "readout")) {
    try {
      settings.task.options.set({{"readout", *readout}}, section);
    } catch (const Error&) {  // the key is judged with all others
    }
  }

  const BackboneKind& backbone = *find_model(model).backbone;
  ModelArguments arguments{.length = small_number(text.text("model.length"), 0),
                           .length_counts = text.text("model.length_counts") == name_of(LengthKind::powers)
                                                ? LengthKind::powers
                                                : LengthKind::publication,
                           .signal_order = task.signal_order(settings.task.options)};
  const std::string readout(task.readout(settings.task, backbone));
  try {
    settings.model = model_spec(model, readout, arguments);
  } catch (const Error& error) {  // a length that the model does not have
    if (arguments.length == 0) throw;
    faults.push_back(concat("model.length: ", error.what()));
    arguments.length = 0;
    settings.model = model_spec(model, readout, arguments);
  }
  return settings;
}

}  // namespace

ConfigSchema run_schema(const RunSettings& settings) {
  const TaskKind& task = find_task(settings.task.name);
  ConfigSchema schema;
  schema.add("task", settings.task.name, "what is to be learned", one_of(task_names()));
  schema.add("protocol", std::string(name_of(settings.task.protocol)),
             "strict: free of leaks; published: as behind the printed numbers, flaws included",
             one_of(protocol_names()));
  schema.add("seed", static_cast<std::int64_t>(settings.seed),
             "of the split, the weights, the batches and the dropout", at_least(0));
  add_data_keys(schema, settings.task.data);
  const SkippedOptions unused = unused_split_keys(task, settings.task.protocol);
  add_options(schema, split_section, settings.task.split, unused);
  settings.task.options.add_keys(schema, section_of(task));
  const std::string why = concat("the ", name_of(settings.task.protocol), " protocol does not use it");
  settings.task.options.refuse_others(schema, section_of(task), why);
  for (const std::string_view name : unused)
    schema.refuse(
        split_section + std::string(name),
        task.divides_items ? why : concat("the shares of ", task.name, " are in its section ", task.name));
  add_model_keys(schema, settings.model);
  add_options(schema, train_section, settings.train);
  return schema;
}

RunSettings parse_run_settings(const std::string& yaml, const std::string& source,
                               const std::vector<std::string>& overrides) {
  std::vector<std::string> faults;
  ConfigText text = layered(yaml, source, overrides, faults);
  RunSettings settings = starting_settings(text, faults);
  const TaskKind& task = find_task(settings.task.name);
  ReadConfig read = text.read(run_schema(settings));
  faults.insert(faults.begin(), read.faults.begin(), read.faults.end());

  const Config& config = read.config;
  settings.seed = static_cast<std::uint64_t>(config.get<std::int64_t>("seed"));
  settings.task.data = take_data(config, std::move(settings.task.data));
  // A folder has its own name, not that of the dataset of the recipe.
  if (!settings.task.data.path.empty() && text.place("data.name").starts_with(recipe_folder))
    settings.task.data.name = name_of_folder(settings.task.data.path);
  settings.task.split = take_options(config, split_section, settings.task.split,
                                     unused_split_keys(task, settings.task.protocol));
  if (settings.task.is_published()) settings.task.split.validation = 0;
  settings.task.options.take(config, section_of(task));
  settings.model = take_model(config, std::move(settings.model));
  settings.train = take_options(config, train_section, settings.train);
  settings.task.type = type_of(settings.train.precision);
  add_faults(faults, "", settings.task);
  add_faults(faults, "model.", settings.model);
  add_faults(faults, train_section, settings.train);
  report_config(faults);
  return settings;
}

RunSettings recipe_settings(const std::string& task, Protocol protocol,
                            const std::vector<std::string>& overrides) {
  return parse_run_settings(concat("task: ", task, "\nprotocol: ", name_of(protocol), "\n"), "recipe",
                            overrides);
}

std::string to_yaml(const RunSettings& settings) { return Config(run_schema(settings)).to_yaml(); }

}  // namespace gsan
