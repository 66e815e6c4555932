#include "gsan/tasks/shared/complex_tables.h"

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

void add_empty_orders(ComplexDataset& dataset, const std::vector<int>& widths) {
  for (std::size_t k = dataset.widths.size(); k < widths.size(); ++k) {
    dataset.widths.push_back(widths[k]);
    for (Cochains& features : dataset.features) features.push_back(torch::zeros({0, widths[k]}));
  }
}

}  // namespace gsan
