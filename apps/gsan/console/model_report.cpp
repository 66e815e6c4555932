#include "apps/gsan/console/model_report.h"

#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

Json term_json(const LayerTerm& term) {
  Json json{{"order", term.k},
            {"side", side_name(term.side)},
            {"use", term.use == Use::own ? "own" : "neighbor"},
            {"first_power", term.first},
            {"last_power", term.first + term.taps - 1},
            {"shift", name_of(term.shift)},
            {"weight", term.weight}};
  if (!term.attention.empty()) json["attention"] = term.attention;
  return json;
}

}  // namespace

Json parameter_json(const ParameterCount& count) {
  return {{"filters", count.filters},   {"attention", count.attention}, {"metric", count.metric},
          {"harmonic", count.harmonic}, {"identity", count.identity},   {"bias", count.bias},
          {"total", count.total()}};
}

Json cost_json(const SimplicialLayerOptions& options, const ComplexSize& size) {
  const LayerCost cost = forward_cost(options, size, bytes_per_number);
  const auto weights = static_cast<double>(count_parameters(options).total() * bytes_per_number);
  return {{"flops",
           {{"products", cost.products},
            {"shifts", cost.shifts},
            {"scores", cost.scores},
            {"harmonic", cost.harmonic},
            {"total", cost.flops()}}},
          {"bytes",
           {{"structure", cost.structure},
            {"activations", cost.activations},
            {"workspace", cost.workspace},
            {"parameters", weights},
            {"gradients", weights},
            {"total", cost.memory() + 2 * weights}}}};
}

Json model_json(const ModelEntry& entry, const ComplexSize* size) {
  Json json{{"name", entry.name}, {"equation", entry.equation}, {"citation", entry.citation}};
  if (!entry.fault.empty()) {
    json["fault"] = entry.fault;
    return json;
  }
  json["options"] = entry.options;
  if (!entry.layer) {
    if (entry.parameters) json["parameters"] = {{"total", *entry.parameters}};
    return json;
  }
  json["parameters"] = parameter_json(count_parameters(*entry.layer));
  json["terms"] = Json::array();
  for (const LayerTerm& term : layer_terms(*entry.layer)) json["terms"].push_back(term_json(term));
  if (size) json["cost"] = cost_json(*entry.layer, *size);
  return json;
}

Json model_costs(const SimplicialComplex& complex, const std::vector<std::string>& names,
                 const ModelChoice& choice, std::int64_t signals) {
  const int order = std::max(complex.order(), 0);
  ComplexSize size(complex, order);
  size.signals = signals;
  Json models = Json::array();
  for (const std::string& name : names) {
    if (name == "all") {
      for (const ModelEntry& entry : choice.all(order))
        if (!entry.is_beside_the_layer()) models.push_back(model_json(entry, &size));
      continue;
    }
    const ModelEntry entry = choice.find(name, order);
    GSAN_CHECK(!entry.is_beside_the_layer(), "--model: ", entry.name,
               " is not a setting of the layer, so its memory is not known");
    models.push_back(model_json(entry, &size));
  }
  return models;
}

std::string model_table(const Json& models, bool with_texts) {
  bool with_cost = false;
  for (const Json& model : models) with_cost = with_cost || model.contains("cost");
  std::vector<std::string> header{"model", "parameters"};
  if (with_cost)
    header.insert(header.end(), {"flops", "structure", "activations", "workspace", "weights", "memory"});
  if (with_texts) header.insert(header.end(), {"equation", "citation"});
  Table table(header);
  std::string faults;
  for (const Json& model : models) {
    const bool counted = model.contains("parameters");
    std::vector<std::string> row{model["name"].get<std::string>(),
                                 counted ? model["parameters"]["total"].dump() : "-"};
    if (with_cost) {
      const bool known = model.contains("cost");
      row.push_back(known ? show(model["cost"]["flops"]["total"]) : "-");
      for (const char* kind : {"structure", "activations", "workspace", "parameters", "total"})
        row.push_back(known ? show_bytes(static_cast<std::size_t>(model["cost"]["bytes"][kind].get<double>()))
                            : "-");
    }
    if (with_texts) {
      row.push_back(model["equation"].get<std::string>());
      row.push_back(model["citation"].get<std::string>());
    }
    table.add(std::move(row));
    if (model.contains("fault"))
      faults += concat(model["name"].get<std::string>(),
                       " does not suit: ", model["fault"].get<std::string>(), "\n");
  }
  return table.text() + faults;
}

}  // namespace gsan::app
