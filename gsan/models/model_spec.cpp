#include "gsan/models/model_spec.h"

#include "gsan/core/config_options.h"
#include "gsan/models/model_kinds.h"
#include "gsan/models/readout_kinds.h"

namespace gsan {
namespace {

const std::string section = "model.";
const std::string readout_section = "model.readout.";
const char* const stored_standardize = "standardize";
const std::string stored_spec = "backbone.", stored_readout = "readout_options.", stored_shape = "shape.";

void add_prefixed(OptionMap& map, const std::string& prefix, const OptionMap& part) {
  for (const auto& [name, text] : part) map.emplace(prefix + name, text);
}

// The part of the map under `prefix`, without it.
OptionMap part_of(const OptionMap& map, const std::string& prefix) {
  OptionMap part;
  for (const auto& [name, text] : map)
    if (name.starts_with(prefix)) part.emplace(name.substr(prefix.size()), text);
  return part;
}

std::string text_of(const OptionMap& map, const char* name, const std::string& source) {
  const auto found = map.find(name);
  if (found == map.end()) fail(Fault::format, source, ": the option '", name, "' is missing");
  return found->second;
}

}  // namespace

std::vector<std::string> ModelSpec::faults() const {
  std::vector<std::string> faults = find_model(name).backbone->faults(backbone);
  const OptionMap options = backbone.map();
  if (const auto found = options.find("equivariant");
      standardize == Standardize::standard && found != options.end() && found->second == "true")
    faults.emplace_back(
        "standardize=standard subtracts means, which do not follow orientations: equivariant models take "
        "scale");
  for (const std::string& fault : find_readout(readout).faults(readout_options))
    faults.push_back("readout." + fault);
  return faults;
}

ModelSpec model_spec(std::string_view name, std::string_view readout, const ModelArguments& arguments) {
  const ModelKind& kind = find_model(name);
  const ReadoutKind& of_readout = find_readout(readout);
  return {.name = kind.name,
          .readout = std::string(of_readout.name),
          .backbone = kind.backbone->options(kind, arguments),
          .readout_options = of_readout.options()};
}

void add_model_keys(ConfigSchema& schema, const ModelSpec& spec) {
  schema.add(section + "name", spec.name, "which model; `gsan models` lists them with their equations",
             one_of(model_names()));
  schema.add(section + "standardize", std::string(name_of(spec.standardize)),
             "inputs of each order and feature, as measured on the training set: divided by their root mean "
             "square (scale), or brought to mean 0 and spread 1 (standard)",
             options::rule_of(spec.standardize));
  spec.backbone.add_keys(schema, section);
  spec.readout_options.add_keys(schema, readout_section);
  spec.backbone.refuse_others(schema, section, "the task determines it");
  spec.readout_options.refuse_others(schema, readout_section, "the task determines it");
}

ModelSpec take_model(const Config& config, ModelSpec start) {
  start.standardize =
      parse_enum<Standardize>(config.get<std::string>(section + "standardize"), "model.standardize");
  start.backbone.take(config, section);
  start.readout_options.take(config, readout_section);
  return start;
}

OptionMap to_map(const ModelSpec& spec, const ModelShape& shape) {
  OptionMap map{{"model", spec.name},
                {"readout", spec.readout},
                {stored_standardize, std::string(name_of(spec.standardize))}};
  add_prefixed(map, stored_spec, spec.backbone.map());
  add_prefixed(map, stored_readout, spec.readout_options.map());
  add_prefixed(map, stored_shape, to_map(shape));
  return map;
}

DescribedModel described_model(const OptionMap& map, const std::string& source) {
  ModelSpec spec = model_spec(text_of(map, "model", source), text_of(map, "readout", source));
  if (map.contains(stored_standardize))  // else a file of before there was any
    spec.standardize = parse_enum<Standardize>(text_of(map, stored_standardize, source), stored_standardize);
  spec.backbone.set(part_of(map, stored_spec), source);
  spec.readout_options.set(part_of(map, stored_readout), source);
  return {std::move(spec), from_map<ModelShape>(part_of(map, stored_shape), source)};
}

}  // namespace gsan
