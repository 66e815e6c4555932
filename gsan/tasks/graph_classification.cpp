#include "gsan/tasks/graph_classification.h"

#include <numeric>

#include "gsan/tasks/classification.h"

namespace gsan {

GraphClassification::GraphClassification(ComplexDataset dataset, Split split, RandomStream stream,
                                         GraphClassificationOptions options)
    : dataset_(std::move(dataset)), split_(std::move(split)), stream_(std::move(stream)), options_(options) {
  GSAN_CHECK(options_.batch_size >= 1, "GraphClassification: batch_size must be at least 1, got ",
             options_.batch_size);
  GSAN_CHECK(!split_.train.empty(), "GraphClassification: the split has no item to train on");
}

const Items& GraphClassification::items(Phase phase) const {
  return phase == Phase::train ? split_.train : phase == Phase::validation ? split_.validation : split_.test;
}

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

std::int64_t GraphClassification::batch_count(Phase phase, std::int64_t) const {
  return batches_of(static_cast<std::int64_t>(items(phase).size()), options_.batch_size);
}

Batch GraphClassification::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  const Items order =
      phase == Phase::train ? epoch_order(items(phase), stream_.substream("order"), epoch) : items(phase);
  return collate(dataset_, batch_of(order, step, options_.batch_size), {.device = options_.device},
                 options_.type);
}

Tensor GraphClassification::loss(const ModelOutput& output, const Batch& batch) const {
  return cross_entropy(output, batch, dataset_.classes);
}

std::unique_ptr<Meter> GraphClassification::meter(Phase) const {
  return std::make_unique<ClassMeter>(dataset_.classes);
}

}  // namespace gsan
