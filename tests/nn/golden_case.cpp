#include "nn/golden_case.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "gsan/topology/builder.h"
#include "gsan/topology/disjoint_union.h"

namespace gsan::golden {
namespace {

void flatten(const Json& numbers, std::vector<double>& values) {
  if (numbers.is_array()) {
    for (const Json& entry : numbers) flatten(entry, values);
  } else {
    values.push_back(numbers.get<double>());
  }
}

// Name of the layer's weights for the key of the file: component j, "kd"/"ku", or all.
std::string weight_name(const SimplicialLayerOptions& options, const std::string& key) {
  if (options.sharing != Sharing::none) return key;
  return key.substr(0, key.size() - 1) + (key.back() == 'd' ? "_lower" : "_upper");
}

void visit_taps(const Json& taps, const std::string& name, SimplicialLayerImpl& layer, int head,
                const std::function<Tensor(const Tensor&)>& part_of,
                const std::function<void(const Json&, Tensor)>& visit) {
  for (const auto& [key, numbers] : taps.items()) {
    const int q =
        std::stoi(key);  // even: power q/2 of the own order; odd: power (q − 1)/2 of the neighbour's
    const Tensor& W = layer.weight((q % 2 == 0 ? "own_" : "neighbor_") + name);
    visit(numbers, part_of(W).select(2, head).select(1, q % 2 == 0 ? q / 2 - 1 : (q - 1) / 2));
  }
}

}  // namespace

std::vector<std::filesystem::path> files() {
  const char* given = std::getenv("GSAN_GOLDEN");
  const std::filesystem::path folder = given != nullptr ? given : GSAN_GOLDEN_FOLDER;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  GSAN_CHECK(!found.empty(), "there is no golden case (*.json) in ", folder);
  std::sort(found.begin(), found.end());
  return found;
}

Json read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  GSAN_CHECK(stream.good(), "cannot read the golden case ", file);
  return Json::parse(stream);
}

ComplexOperators operators(const Json& golden, torch::Device device) {
  const auto vertices = golden.at("vertices").get<std::vector<Index>>();
  std::vector<ComplexBuilder> builders(vertices.size());
  std::vector<Index> first{0};  // vertex of each complex
  for (std::size_t p = 0; p < vertices.size(); ++p) {
    builders[p].add_vertices(vertices[p]);
    first.push_back(first.back() + vertices[p]);
  }
  for (const Json& order : golden.at("simplices")) {
    for (const Json& simplex : order) {
      auto list = simplex.get<std::vector<Vertex>>();
      const auto part = std::upper_bound(first.begin(), first.end(), list.front()) - first.begin() - 1;
      for (Vertex& vertex : list) vertex -= first[part];
      builders[part].add(list);
    }
  }
  std::vector<SimplicialComplex> parts;
  for (const ComplexBuilder& builder : builders) parts.push_back(builder.build());
  ComplexOperators result = parts.size() == 1 ? ComplexOperators(parts.front(), device)
                                              : ComplexOperators(disjoint_union(parts), {.device = device});
  // The rows of the file are the rows of the complex.
  for (int k = 0; k < static_cast<int>(golden.at("simplices").size()); ++k) {
    const Json& order = golden.at("simplices")[k];
    GSAN_CHECK(static_cast<std::size_t>(result.count(k)) == order.size(), "order ", k, " has ",
               result.count(k), " simplices, but the file lists ", order.size());
    for (Index i = 0; i < result.count(k); ++i) {
      const auto listed = order[i].get<std::vector<Vertex>>();
      const auto row = result.complex().vertices(k, i);
      GSAN_CHECK(std::equal(listed.begin(), listed.end(), row.begin(), row.end()), "row ", i, " of order ", k,
                 " differs");
    }
  }
  return result;
}

const Json& epsilon(const Json& golden) {
  return golden.contains("harmonic_eps") ? golden.at("harmonic_eps") : golden.at("config").at("harmonic_eps");
}

SimplicialLayerOptions layer_options(const Json& golden) {
  const Json& config = golden.at("config");
  SimplicialLayerOptions options;
  options.in_channels = config.at("in");
  options.out_channels = config.at("out");
  options.order = config.at("K");
  options.set_dirac_taps(config.at("J"));
  const std::string attention = config.at("attention");
  if (attention == "none") {
    options.set_shift(ShiftKind::hodge);
  } else if (attention == "hodge") {
    options.set_shift(ShiftKind::weighted);
  } else {
    options.set_shift(ShiftKind::attention);
    options.mechanism = parse_enum<Mechanism>(attention, "attention");
  }
  options.sharing = parse_enum<Sharing>(config.at("sharing").get<std::string>(), "sharing");
  options.harmonic = parse_enum<HarmonicKind>(config.at("harmonic").get<std::string>(), "harmonic");
  options.harmonic_steps = config.at("harmonic_steps");
  options.heads = config.at("heads");
  options.head_mode = parse_enum<HeadMode>(config.at("head_mode").get<std::string>(), "head_mode");
  options.activation = parse_enum<Activation>(config.at("activation").get<std::string>(), "activation");
  options.is_equivariant = config.at("signed");
  options.negative_slope = config.at("leaky_slope");
  options.incidence = parse_enum<IncidenceKind>(config.value("incidence", "signed"), "incidence");
  options.gate = parse_enum<Gate>(config.value("gate", "softmax"), "gate");
  const bool given = golden.contains("harmonic_eps_given") ? golden.at("harmonic_eps_given")
                                                           : config.at("harmonic_eps_given");
  if (given) options.harmonic_epsilon = epsilon(golden)[0][0].get<std::vector<double>>();

  // Widths that only the parameters tell.
  const Json& head = golden.at("params")[0];
  if (head.contains("mlp"))
    for (const auto& item : head.at("mlp").items())
      options.metric_channels = static_cast<int>(item.value().at("b1").size());
  if (head.contains("a"))
    for (const auto& order : head.at("a").items())
      for (const auto& side : order.value().items())
        for (const auto& use : side.value().items())
          if (use.value()[0].is_array())  // a list of parameters, the first one [..., d]
            options.attention_channels = static_cast<int>(use.value()[0][0].size());
  return options;
}

Tensor tensor(const Json& numbers, torch::ScalarType type, at::IntArrayRef shape) {
  std::vector<double> values;
  flatten(numbers, values);
  return torch::tensor(values, torch::kFloat64).view(shape).to(type);
}

void visit_parameters(const Json& heads, SimplicialLayerImpl& layer,
                      const std::function<Tensor(const Tensor&)>& part_of,
                      const std::function<void(const Json&, Tensor)>& visit) {
  const SimplicialLayerOptions& options = layer.options();
  for (int h = 0; h < static_cast<int>(heads.size()); ++h) {
    const Json& head = heads[h];
    if (options.sharing == Sharing::joint) {
      visit_taps(head.at("W"), "all", layer, h, part_of, visit);
    } else {
      for (const auto& [key, taps] : head.at("W").items())
        visit_taps(taps, weight_name(options, key), layer, h, part_of, visit);
    }
    if (head.contains("Wh") && !head.at("Wh").is_null())
      visit(head.at("Wh"), part_of(layer.weight("harmonic")).select(1, h));
    if (head.contains("a")) {
      for (const auto& [order, sides] : head.at("a").items()) {
        for (const auto& [side, uses] : sides.items()) {
          for (const auto& [use, numbers] : uses.items()) {
            const char* where = side == "d" ? "lower" : side == "u" ? "upper" : "both";
            const auto& attention = layer.attention("attention_" + order + "_" + where + "_" + use);
            // One parameter as it is, several as a list, in the order of the mechanism.
            const auto parameters = attention->parameters();
            for (std::size_t i = 0; i < parameters.size(); ++i)
              visit(parameters.size() == 1 ? numbers : numbers[i], part_of(parameters[i])[h]);
          }
        }
      }
    }
    if (head.contains("mlp") && layer.has_metric()) {  // a metric of vertices alone is not used
      for (const auto& [order, mlp] : head.at("mlp").items()) {
        const auto& metric = layer.metric(std::stoi(order));
        visit(mlp.at("W1"), part_of(metric->W1).select(1, h));
        visit(mlp.at("b1"), part_of(metric->b1)[h]);
        visit(mlp.at("W2"), part_of(metric->W2)[h]);
        visit(mlp.at("b2"), part_of(metric->b2)[h]);
      }
    }
  }
}

}  // namespace gsan::golden
