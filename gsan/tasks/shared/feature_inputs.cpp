#include "gsan/tasks/shared/feature_inputs.h"

namespace gsan {

namespace {

Tensor features_of(const ValueDataset& dataset, int k) {
  const auto order = static_cast<std::size_t>(k);
  if (order >= dataset.features.size() || !dataset.features[order].defined()) return {};
  return dataset.features[order].size(-1) > 0 ? dataset.features[order] : Tensor();
}

}  // namespace

Cochains feature_inputs(const ValueDataset& dataset, const Placement& placement, StructureChoice structure) {
  const torch::TensorOptions type = torch::TensorOptions().dtype(placement.type).device(placement.device);
  const int top = dataset.complex.order();
  Cochains inputs(static_cast<std::size_t>(top) + 1);
  bool has_any = false;
  for (int k = 0; k <= top; ++k) has_any = has_any || features_of(dataset, k).defined();
  const ComplexOperators plain(dataset.complex);
  for (int k = 0; k <= top; ++k) {
    const Tensor own = features_of(dataset, k);
    if (!own.defined() && has_any && structure_width(structure, false, k, top) == 0) continue;
    inputs[static_cast<std::size_t>(k)] = with_structure(structure, own, plain, k, top).to(type);
  }
  return inputs;
}

std::vector<std::string> structure_notes(const ValueDataset& dataset, StructureChoice choice,
                                         const std::string& task) {
  std::string bare;
  for (int k = 0; k <= dataset.complex.order(); ++k)
    if (!features_of(dataset, k).defined()) bare += concat(bare.empty() ? "" : ", ", k);
  if (bare.empty()) return {};
  return {concat("Without features of their own: order ", bare, "; their simplices carry ",
                 choice == StructureChoice::none
                     ? "1, or nothing where another order has features"
                     : "the logarithms of the numbers of larger simplices that contain them",
                 " (", task, ".structure).")};
}

std::vector<int> widths_of(const Cochains& inputs) {
  std::vector<int> widths;
  for (const Tensor& input : inputs) widths.push_back(input.defined() ? static_cast<int>(input.size(-1)) : 0);
  return widths;
}

}  // namespace gsan
