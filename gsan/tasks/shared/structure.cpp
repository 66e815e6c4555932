#include "gsan/tasks/shared/structure.h"

#include <algorithm>

namespace gsan {

int structure_width(StructureChoice choice, bool has_features, int k, int top) {
  const bool takes = choice == StructureChoice::all || (choice == StructureChoice::missing && !has_features);
  return takes ? std::max(1, top - k) : 0;
}

Tensor with_structure(StructureChoice choice, const Tensor& features, const ComplexOperators& operators,
                      int k, int top) {
  const bool has_features = features.defined() && features.size(-1) > 0;
  std::vector<Tensor> columns;
  if (has_features) columns.push_back(features.to(torch::kCPU, torch::kFloat64));
  if (structure_width(choice, has_features, k, top) > 0)
    columns.push_back(structural_features(operators, k, top).cpu());
  if (columns.empty()) columns.push_back(torch::ones({operators.count(k), 1}, torch::kFloat64));
  return torch::cat(columns, -1);
}

}  // namespace gsan
