#include "gsan/data/batch.h"

#include "gsan/core/check.h"
#include "gsan/topology/disjoint_union.h"

namespace gsan {

Tensor item_tensor(std::span<const std::int64_t> items) {
  return torch::tensor(at::ArrayRef<std::int64_t>(items.data(), items.size()), torch::kInt64);
}

Batch collate(const ComplexDataset& dataset, std::span<const std::int64_t> items,
              const OperatorOptions& options, torch::ScalarType type) {
  std::vector<SimplicialComplex> parts;
  std::vector<std::int32_t> keys;
  std::vector<std::vector<Tensor>> rows(dataset.widths.size());
  for (const std::int64_t item : items) {
    GSAN_CHECK(item >= 0 && item < static_cast<std::int64_t>(dataset.complexes.size()), "collate: item ",
               item, " of ", dataset.name, " does not exist: it has ", dataset.complexes.size(),
               " complexes");
    parts.push_back(dataset.complexes[item]);
    keys.push_back(static_cast<std::int32_t>(item));
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (dataset.widths[k] > 0) rows[k].push_back(dataset.features[item][k]);
  }
  Batch batch{ComplexOperators(disjoint_union(parts), options, keys), Cochains(rows.size())};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (dataset.widths[k] == 0) continue;
    const Tensor features = rows[k].empty() ? torch::zeros({0, dataset.widths[k]}) : torch::cat(rows[k]);
    batch.signals[k] = features.to(options.device, type);
  }
  batch.targets = dataset.labels.index_select(0, item_tensor(items)).to(options.device);
  return batch;
}

}  // namespace gsan
