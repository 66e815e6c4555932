#include "gsan/tasks/trajectory.h"

namespace gsan {

TrajectoryClassification::TrajectoryClassification(SignalDataset dataset, Split split,
                                                   const RandomStream& stream,
                                                   const ClassificationOptions& options)
    : Classification(std::move(split), dataset.classes, stream, options),
      dataset_(std::move(dataset)),
      operators_(dataset_.complex, options.device),
      signals_(dataset_.signals.to(options.device, options.type)),
      labels_(dataset_.labels.to(options.device)) {}

ModelOptions TrajectoryClassification::complete(ModelOptions options) const {
  const int K = dataset_.complex.order();
  options.network.layer.order = K;
  options.network.in_channels.assign(K + 1, 0);
  options.network.in_channels[dataset_.order] = static_cast<int>(dataset_.signals.size(-1));
  options.readout = ReadoutKind::pooled;
  options.pooled.out_channels = dataset_.classes;
  options.pooled.orders = options.network.layer.active_orders();
  options.pooled.absolute = true;
  return options;
}

Batch TrajectoryClassification::batch_of(std::span<const std::int64_t> items) const {
  const Tensor keys = item_tensor(items).to(options().device);
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  batch.signals[dataset_.order] = signals_.index_select(0, keys);
  batch.targets = labels_.index_select(0, keys);
  batch.signal_keys = keys;
  return batch;
}

}  // namespace gsan
