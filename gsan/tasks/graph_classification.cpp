#include "gsan/tasks/graph_classification.h"

#include <numeric>

namespace gsan {

GraphClassification::GraphClassification(ComplexDataset dataset, Split split, const RandomStream& stream,
                                         const ClassificationOptions& options)
    : Classification(std::move(split), dataset.classes, stream, options), dataset_(std::move(dataset)) {}

ModelOptions GraphClassification::complete(ModelOptions options) const {
  options.network.layer.order = dataset_.order();
  options.network.in_channels = dataset_.widths;
  for (int k = 0; k <= dataset_.order(); ++k)  // a model for some orders is given the signals of these
    if (!options.network.layer.is_active(k)) options.network.in_channels[k] = 0;
  options.mpsn.in_channels = options.mlp.in_channels = dataset_.widths;
  options.readout = ReadoutKind::pooled;
  options.pooled.out_channels = dataset_.classes;
  options.pooled.orders = options.network.layer.active_orders();
  if (options.backbone != BackboneKind::layers) {
    options.pooled.orders.resize(dataset_.widths.size());
    std::iota(options.pooled.orders.begin(), options.pooled.orders.end(), 0);
  }
  return options;
}

Batch GraphClassification::batch_of(std::span<const std::int64_t> items) const {
  return collate(dataset_, items, {.device = options().device}, options().type);
}

}  // namespace gsan
