#include "gsan/train/run_settings.h"

#include <charconv>

#include "gsan/core/config_options.h"
#include "gsan/core/nearest.h"
#include "gsan/data/sources/source.h"

namespace gsan {
namespace {

// Calls visit(section, options) for the options of the task that its kind has, but those of the data.
template <class Settings, class Visitor>
void visit_task(Settings& task, Visitor&& visit) {
  const std::string section = std::string(name_of(task.kind)) + ".";
  switch (task.kind) {
    case TaskKind::trajectory:
      visit("split.", task.split);
      return visit(section, task.trajectory);
    case TaskKind::imputation:
      return visit(section, task.imputation);
    case TaskKind::simplex_classification:
      return visit(section, task.simplex_classification);
    case TaskKind::graph_classification:
      visit("split.", task.split);
      return visit(section, task.graph_classification);
    case TaskKind::simplex_prediction:
      return visit(section, task.simplex_prediction);
  }
}

// The value called `name`, or the one that was probably meant: faults are reported by the real reading.
template <class Enum>
Enum nearest_value(const std::string& name, Enum standard) {
  std::vector<std::string> known;
  for (const auto& entry : EnumNames<Enum>::names) known.emplace_back(entry.second);
  if (name.empty()) return standard;
  return parse_enum<Enum>(nearest_word(name, known), "the value");
}

int small_number(const std::string& text, int standard) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0 && number <= largest_order
             ? number
             : standard;
}

RunSettings peeked_start(const std::string& yaml, const std::vector<std::string>& overrides,
                         std::vector<std::string>& faults) {
  const auto peek = [&](const std::string& name) { return peek_config(name, yaml, overrides).value_or(""); };
  RunChoice choice;
  if (!peek_config("task", yaml, overrides))
    faults.push_back(concat("'task' is missing: one of ", names_of<TaskKind>()));
  choice.task = nearest_value(peek("task"), choice.task);
  choice.protocol = nearest_value(peek("protocol"), choice.protocol);
  choice.data = peek("data.name");
  choice.path = peek("data.path");
  try {
    if (!choice.data.empty()) find_source(choice.data, choice.path);
  } catch (const Error& error) {
    faults.emplace_back(error.what());
    choice.data.clear();
  }
  if (const std::string model = peek("model.name"); !model.empty())
    choice.model = nearest_word(model, model_names());
  const std::string section = std::string(name_of(choice.task)) + ".";
  choice.length = small_number(peek("model.length"), 0);
  choice.order = small_number(peek(section + "order"), -1);
  choice.tuple_order = small_number(peek(section + "tuple_order"), -1);
  try {
    return starting_settings(choice);
  } catch (const Error& error) {  // a length that the model does not have
    if (choice.length == 0) throw;
    faults.push_back(concat("model.length: ", error.what()));
    choice.length = 0;
    return starting_settings(choice);
  }
}

}  // namespace

ConfigSchema run_schema(const RunSettings& settings) {
  const auto names = [](const auto& table) {
    std::vector<std::string> all;
    for (const auto& entry : table) all.emplace_back(entry.second);
    return all;
  };
  ConfigSchema schema;
  schema.add("task", std::string(name_of(settings.task.kind)), "what is to be learned",
             one_of(names(EnumNames<TaskKind>::names)));
  schema.add("protocol", std::string(name_of(settings.task.protocol)),
             "strict: free of leaks; published: as behind the printed numbers, flaws included",
             one_of(names(EnumNames<Protocol>::names)));
  schema.add("seed", static_cast<std::int64_t>(settings.seed),
             "of the split, the weights, the batches and the dropout", at_least(0));
  add_data_keys(schema, settings.task.data);
  visit_task(settings.task,
             [&](const std::string& section, const auto& options) { add_options(schema, section, options); });
  add_model_keys(schema, settings.model);
  add_options(schema, "train.", settings.train);
  return schema;
}

RunSettings parse_run_settings(const std::string& yaml, const std::string& source,
                               const std::vector<std::string>& overrides) {
  std::vector<std::string> faults;
  RunSettings settings = peeked_start(yaml, overrides, faults);
  ReadConfig read = read_config(run_schema(settings), yaml, source, overrides);
  faults.insert(faults.begin(), read.faults.begin(), read.faults.end());

  settings.seed = static_cast<std::uint64_t>(read.config.get<std::int64_t>("seed"));
  settings.model = take_model(read.config, std::move(settings.model));
  settings.train = take_options(read.config, "train.", settings.train);
  settings.task.data = take_data(read.config, std::move(settings.task.data));
  visit_task(settings.task, [&](const std::string& section, auto& options) {
    options = take_options(read.config, section, std::move(options));
  });
  add_faults(faults, "", settings.task);
  add_faults(faults, "model.", settings.model);
  add_faults(faults, "train.", settings.train);
  report_config(faults);
  return settings;
}

std::string to_yaml(const RunSettings& settings) { return Config(run_schema(settings)).to_yaml(); }

}  // namespace gsan
