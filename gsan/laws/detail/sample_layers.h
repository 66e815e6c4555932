#pragma once
// The layers on which laws are measured: published models with small widths and random weights.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gsan/laws/law.h"
#include "gsan/models/presets.h"
#include "gsan/nn/simplicial_layer.h"

namespace gsan::laws {

/// A model by the options of its layer.
struct LawModel {
  std::string name;
  SimplicialLayerOptions options;
};

/// The complex, signals on it and the stream of all weights.
struct LawCase {
  const ComplexOperators& operators;
  Cochains x;  ///< [N_k, law_width] per order
  RandomStream stream;
  std::map<std::string, SimplicialLayer> layers{};  ///< those that tame_layer has made, by their options
};

inline constexpr int law_width = 3;
/// Of sums in another order, relative to the largest entry.
inline constexpr double rounding = 1e-10;

/// The preset for complexes of this order: 3 features in, 2 heads with 2 features out, J = 4, T = 4, tanh.
LawModel law_model(std::string name, SimplicialLayerOptions (*preset)(const PresetArguments&), int order);

/// The layer in float64 with the weights of the stream, scaled such that nothing before σ exceeds 1 on the
/// signals of the case: powers of a Laplacian neither saturate σ nor amplify rounding.
SimplicialLayer tame_layer(LawCase& law, const SimplicialLayerOptions& options);

/// Why the models are too large to be measured on the complex; empty when they are not. `copies`
/// of the complex are filtered at once.
std::string too_large(const ComplexOperators& operators, const std::vector<LawModel>& models, int copies);

/// Measures the law over the models, without recording gradients, or skips it.
Law layer_law(const std::string& name, const std::string& statement, double bound, const LawCase& law,
              const std::vector<LawModel>& models, int copies,
              const std::function<double(const SimplicialLayerOptions&)>& measure);

}  // namespace gsan::laws
