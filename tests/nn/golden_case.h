#pragma once
// One golden case (tests/golden/README.md): the layer, the complex and the signals that its file
// describes, and where each number of the file lives in the layer.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gsan/nn/simplicial_layer.h"

namespace gsan::golden {

using Json = nlohmann::json;

/// Files of the folder GSAN_GOLDEN, or of tests/golden. Throws when there is none.
std::vector<std::filesystem::path> files();

Json read(const std::filesystem::path& file);

ComplexOperators operators(const Json& golden, torch::Device device = torch::kCPU);
SimplicialLayerOptions layer_options(const Json& golden);

/// ε of the file, [complex][head][order].
const Json& epsilon(const Json& golden);

/// A list of lists of numbers; `shape` tells what an empty one is.
Tensor tensor(const Json& numbers, torch::ScalarType type, at::IntArrayRef shape);

/// Calls visit(numbers in the file, the part of a layer's tensor that they belong to) for every
/// parameter; `part_of` maps a parameter to the tensor of which a part is wanted (itself, or its gradient).
void visit_parameters(const Json& heads, SimplicialLayerImpl& layer,
                      const std::function<Tensor(const Tensor&)>& part_of,
                      const std::function<void(const Json&, Tensor)>& visit);

}  // namespace gsan::golden
