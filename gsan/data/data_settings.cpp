#include "gsan/data/data_settings.h"

#include "gsan/data/sources/source.h"

namespace gsan {
namespace {

constexpr const char* section = "data.";

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Option → the sources that have it.
std::map<std::string, std::vector<std::string>> owners() {
  std::map<std::string, std::vector<std::string>> all;
  for (const DataSource& source : data_sources())
    for (const auto& [option, value] : source.options.map()) all[option].push_back(source.name);
  return all;
}

std::string of_others(const std::vector<std::string>& names, const DataSettings& settings) {
  return concat("it belongs to the dataset", names.size() > 1 ? "s " : " ", list(names), ", this run reads ",
                settings.path.empty() ? settings.name : concat("the folder ", settings.path));
}

}  // namespace

DataSettings data_settings(const std::string& name, const std::string& path) {
  return {.name = name, .path = path, .options = find_source(name, path).options};
}

DataSettings with_source(const DataSettings& settings, const std::string& name, const std::string& path) {
  DataSettings other = data_settings(name, path);
  other.reorder = settings.reorder;
  OptionMap kept;
  for (const OptionMap known = other.options.map(); const auto& [option, value] : settings.options.map())
    if (known.contains(option)) kept.emplace(option, value);
  other.options.set(kept, "data");
  return other;
}

DataSettings data_from_map(const OptionMap& options, const DataSettings& start) {
  const auto given = [&](const char* name, const std::string& otherwise) {
    const auto found = options.find(name);
    return found != options.end() ? found->second : otherwise;
  };
  DataSettings settings = with_source(start, given("name", start.name), given("path", start.path));
  const OptionMap common = to_map(settings), own = settings.options.map();
  OptionMap known = common;
  known.insert(own.begin(), own.end());
  OptionMap of_every_source, of_this_source;
  std::vector<std::string> faults;
  const auto of_all = owners();
  for (const auto& [name, value] : options) {
    if (own.contains(name)) {
      of_this_source.emplace(name, value);
    } else if (common.contains(name)) {
      of_every_source.emplace(name, value);
    } else if (const auto found = of_all.find(name); found != of_all.end()) {
      faults.push_back(concat("unknown option '", name, "': ", of_others(found->second, settings)));
    } else {
      faults.push_back(options::unknown_option(name, known));
    }
  }
  options::report("data", faults);
  settings = from_map(of_every_source, "data", std::move(settings));
  settings.options.set(of_this_source, "data");
  return settings;
}

void add_data_keys(ConfigSchema& schema, const DataSettings& settings) {
  schema.add(concat(section, "name"), settings.name,
             concat(list(source_names()), "; with path: any name, for the records"));
  add_options(schema, section, settings, {"name"});
  settings.options.add_keys(schema, section);
  for (const auto& [option, names] : owners())
    if (const std::string key = section + option; !schema.keys().contains(key))
      schema.refuse(key, of_others(names, settings));
}

DataSettings take_data(const Config& config, DataSettings start) {
  start = take_options(config, section, std::move(start));
  start.options.take(config, section);
  return start;
}

}  // namespace gsan
