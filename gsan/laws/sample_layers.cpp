#include "gsan/laws/detail/sample_layers.h"

#include <algorithm>

#include "gsan/core/text.h"
#include "gsan/laws/measures.h"
#include "gsan/nn/layer_cost.h"

namespace gsan::laws {
namespace {

constexpr double most_pairs = 2e7;  // of all attentional operators of a layer: seconds

SimplicialLayer make_layer(const LawCase& law, const SimplicialLayerOptions& options) {
  SimplicialLayer layer(options);
  layer->to(law.operators.device(), torch::kFloat64);
  layer->reset_parameters(law.stream.substream("weights"));
  layer->eval();
  return layer;
}

}  // namespace

LawModel law_model(std::string name, SimplicialLayerOptions (*preset)(const PresetArguments&), int order) {
  LawModel model{std::move(name), preset({.in_channels = law_width,
                                          .out_channels = 2,
                                          .order = std::max(order, 0),
                                          .length = 4,
                                          .heads = 2})};
  model.options.harmonic_steps = 4;
  return model;
}

SimplicialLayer tame_layer(LawCase& law, const SimplicialLayerOptions& options) {
  const auto [place, is_new] = law.layers.try_emplace(describe(options), nullptr);
  if (!is_new) return place->second;
  const torch::NoGradGuard no_grad;
  SimplicialLayerOptions linear = options;
  linear.activation = Activation::identity;
  SimplicialLayer layer = make_layer(law, options);
  const double size = largest(make_layer(law, linear)->forward(law.operators, law.x));
  if (size > 1)
    for (const auto& weight : layer->named_parameters(/*recurse=*/false)) weight.value().div_(size);
  return place->second = layer;
}

std::string too_large(const ComplexOperators& operators, const std::vector<LawModel>& models, int copies) {
  for (const LawModel& model : models) {
    ComplexSize size(operators.complex(), model.options.order);
    size.signals = copies;
    double pairs = 0;
    for (const LayerTerm& term : layer_terms(model.options))
      if (!term.attention.empty()) pairs += static_cast<double>(size.pairs(term.k, term.side)) * copies;
    if (pairs > most_pairs)
      return concat(model.name, " has ", show(pairs), " neighbour pairs here, more than ", show(most_pairs));
    const LayerCost cost = forward_cost(model.options, size, sizeof(double));
    const double bytes = cost.structure * copies + cost.activations + cost.workspace;
    if (bytes > static_cast<double>(operators.max_memory()))
      return concat(model.name, " needs ", show_bytes(static_cast<std::size_t>(bytes)),
                    ", max_memory allows ", show_bytes(operators.max_memory()));
  }
  return {};
}

Law layer_law(const std::string& name, const std::string& statement, double bound, const LawCase& law,
              const std::vector<LawModel>& models, int copies,
              const std::function<double(const SimplicialLayerOptions&)>& measure) {
  const std::string names = joined(models, ", ", [](const LawModel& model) { return model.name; });
  Law result{concat(name, ", ", names), statement, 0, bound, too_large(law.operators, models, copies)};
  if (law.x.empty()) result.skipped = "the complex is empty";
  if (result.is_skipped()) return result;
  const torch::NoGradGuard no_grad;
  Worst worst;
  for (const LawModel& model : models) worst.see(measure(model.options));
  result.measured = worst.value();
  return result;
}

}  // namespace gsan::laws
