#include "gsan/tasks/trajectory/task.h"

namespace gsan {

Trajectory::Trajectory(SignalDataset dataset, Split split, const RandomStream& stream,
                       const TrajectoryOptions& options, const Placement& placement)
    : Classification(std::move(split), dataset.classes, dataset.labels,
                     {dataset.name, dataset.class_names, dataset.item_names}, stream, options.batch_size,
                     options.choose_by),
      dataset_(std::move(dataset)),
      options_(options),
      placement_(placement),
      operators_(dataset_.complex, placement.operators()),
      signals_(dataset_.signals.to(placement.device, placement.type)),
      labels_(dataset_.labels.to(placement.device)) {
  if (options_.orientation == OrientationChoice::standard) return;
  const Orientation coins = Orientation::random(dataset_.complex, stream.substream("orientation"));
  const auto signs = coins.signs(dataset_.order);
  operators_ = operators_.oriented(coins);
  signals_ = signals_ * torch::tensor(at::ArrayRef<std::int8_t>(signs.data(), signs.size()), torch::kInt8)
                            .to(signals_.device())
                            .unsqueeze(-1);
}

ModelShape Trajectory::shape() const {
  ModelShape shape;
  shape.in_channels.assign(static_cast<std::size_t>(dataset_.complex.order()) + 1, 0);
  shape.in_channels[dataset_.order] = static_cast<int>(dataset_.signals.size(-1));
  shape.out_channels = dataset_.classes;
  return shape;
}

Batch Trajectory::batch_of(std::span<const std::int64_t> items) const {
  const Tensor keys = item_tensor(items).to(placement_.device);
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  batch.signals[dataset_.order] = signals_.index_select(0, keys);
  batch.targets = labels_.index_select(0, keys);
  batch.signal_keys = keys;
  return batch;
}

}  // namespace gsan
