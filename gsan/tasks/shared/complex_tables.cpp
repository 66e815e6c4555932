#include "gsan/tasks/shared/complex_tables.h"

#include <algorithm>

namespace gsan {

Tensor sums_and_sizes(const ComplexDataset& dataset) {
  std::vector<Tensor> rows;
  for (std::size_t i = 0; i < dataset.complexes.size(); ++i) {
    std::vector<double> sizes;
    for (int k = 0; k <= dataset.order(); ++k) sizes.push_back(dataset.complexes[i].count(k));
    const Tensor of_sizes = torch::tensor(sizes, torch::kFloat64);
    rows.push_back(dataset.widths[0] > 0
                       ? torch::cat({dataset.features[i][0].to(torch::kFloat64).sum(0), of_sizes})
                       : of_sizes);
  }
  return torch::stack(rows);
}

void add_empty_orders(ComplexDataset& dataset, const std::vector<int>& widths, StructureChoice structure) {
  const int top = static_cast<int>(widths.size()) - 1;
  for (int k = static_cast<int>(dataset.widths.size()); k <= top; ++k) {
    const int width = std::max(
        0, widths[static_cast<std::size_t>(k)] - structure_width(structure, dataset.has_features, k, top));
    dataset.widths.push_back(width);
    for (Cochains& features : dataset.features) features.push_back(torch::zeros({0, width}));
  }
}

ComplexDataset with_structure(StructureChoice choice, ComplexDataset dataset) {
  const int top = dataset.order();
  for (int k = 0; k <= top; ++k) {
    const int more = structure_width(choice, dataset.has_features, k, top);
    dataset.widths[static_cast<std::size_t>(k)] += more;
    for (std::size_t i = 0; more > 0 && i < dataset.complexes.size(); ++i) {
      Tensor& features = dataset.features[i][static_cast<std::size_t>(k)];
      const Tensor columns = structural_features(ComplexOperators(dataset.complexes[i]), k, top);
      features = torch::cat({features, columns.to(features.scalar_type())}, 1);
    }
  }
  return dataset;
}

std::vector<std::string> structure_notes(const ComplexDataset& dataset, StructureChoice choice,
                                         const std::string& task) {
  if (dataset.has_features) return {};
  return {concat("The data have no features: vertices carry 1, larger simplices the mean of their faces",
                 choice == StructureChoice::none
                     ? ""
                     : "; beside it the logarithms of the numbers of larger simplices that contain them",
                 " (", task, ".structure).")};
}

}  // namespace gsan
