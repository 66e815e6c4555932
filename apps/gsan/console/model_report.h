#pragma once
// What the command tells about a model: parameters by kind, terms, cost on a complex.

#include "gsan/nn/layer_cost.h"

#include "apps/gsan/console/model_options.h"
#include "apps/gsan/console/options.h"

namespace gsan::app {

/// Numbers are float32: what memory is given in.
inline constexpr int bytes_per_number = 4;

/// {"filters": …, …, "total": …}
Json parameter_json(const ParameterCount& count);

/// Floating-point operations by kind and bytes; "memory" is structure, activations and parameters together
/// with their gradients.
Json cost_json(const SimplicialLayerOptions& options, const ComplexSize& size);

/// Name, equation, citation, options, parameters and terms; the cost where there is a size; "fault" alone
/// for a model that does not suit.
Json model_json(const ModelEntry& entry, const ComplexSize* size);

/// What one layer of each named model costs on the complex, for so many signals; "all": every model that is a
/// setting of the layer.
Json model_costs(const SimplicialComplex& complex, const std::vector<std::string>& names,
                 const ModelChoice& choice, std::int64_t signals);

/// One row per model: parameters, and the cost where there is one.
std::string model_table(const Json& models, bool with_texts);

}  // namespace gsan::app
