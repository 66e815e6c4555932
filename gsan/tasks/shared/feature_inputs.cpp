#include "gsan/tasks/shared/feature_inputs.h"

namespace gsan {

Cochains feature_inputs(const ValueDataset& dataset, const ReorderedComplex& complex,
                        const Placement& placement) {
  const torch::TensorOptions type = torch::TensorOptions().dtype(placement.type).device(placement.device);
  Cochains inputs(static_cast<std::size_t>(dataset.complex.order()) + 1);
  bool has_any = false;
  for (std::size_t k = 0; k < inputs.size() && k < dataset.features.size(); ++k) {
    if (!dataset.features[k].defined() || dataset.features[k].size(-1) == 0) continue;
    inputs[k] = complex.arranged(static_cast<int>(k), dataset.features[k].to(type));
    has_any = true;
  }
  for (std::size_t k = 0; k < inputs.size() && !has_any; ++k)
    inputs[k] = torch::ones({dataset.complex.count(static_cast<int>(k)), 1}, type);
  return inputs;
}

std::vector<int> widths_of(const Cochains& inputs) {
  std::vector<int> widths;
  for (const Tensor& input : inputs) widths.push_back(input.defined() ? static_cast<int>(input.size(-1)) : 0);
  return widths;
}

}  // namespace gsan
