#include "gsan/tasks/graph_classification.h"

#include "gsan/tasks/class_baselines.h"
#include "gsan/tasks/model_inputs.h"

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

GraphClassification::GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                                         const GraphClassificationOptions& options)
    : Classification(std::move(split), dataset.classes, stream,
                     {options.batch_size, options.protocol, options.placement}),
      collate_(std::move(dataset), {.device = options.placement.device}, options.placement.type),
      of_forest_(stream.substream("forest")) {}

ModelOptions GraphClassification::complete(ModelOptions options) const {
  set_inputs(options, name(), dataset().widths);
  options.readout = ReadoutKind::pooled;
  options.pooled.out_channels = dataset().classes;
  options.pooled.orders = read_orders(options);
  return options;
}

Batch GraphClassification::batch_of(std::span<const std::int64_t> items) const { return collate_(items); }

std::vector<std::string> GraphClassification::remarks() const {
  if (protocol() == Protocol::strict) return {};
  return {
      "Validation and test are the same fold: the epoch is chosen on the items that are reported.",
      "A run reports the best epoch of its own fold, and a sweep averages these. The printed number is the "
      "best epoch of the curve averaged over the folds, which is never higher; the curves of the runs are "
      "in metrics.jsonl."};
}

std::vector<BaselineResult> GraphClassification::baselines(Phase phase) const {
  ClassBaselines all(dataset().labels, dataset().classes, split().train, items_of(split(), phase));
  if (!all.is_possible()) return {};
  const Tensor features = sums_and_sizes(dataset());
  all.add_majority();
  all.add_logistic("logistic regression on label counts and sizes", features, 1, true);
  all.add_forest("random forest on label counts and sizes", features, of_forest_);
  return all.results();
}

}  // namespace gsan
