#include "gsan/tasks/trajectory.h"

#include "gsan/tasks/classification.h"

namespace gsan {

TrajectoryClassification::TrajectoryClassification(SignalDataset dataset, Split split, RandomStream stream,
                                                   TrajectoryOptions options)
    : dataset_(std::move(dataset)),
      split_(std::move(split)),
      stream_(std::move(stream)),
      options_(options),
      operators_(dataset_.complex, options.device) {
  GSAN_CHECK(options_.batch_size >= 1, "TrajectoryClassification: batch_size must be at least 1, got ",
             options_.batch_size);
  GSAN_CHECK(!split_.train.empty(), "TrajectoryClassification: the split has no signal to train on");
  signals_ = dataset_.signals.to(options_.device, options_.type);
  labels_ = dataset_.labels.to(options_.device);
}

const Items& TrajectoryClassification::items(Phase phase) const {
  return phase == Phase::train ? split_.train : phase == Phase::validation ? split_.validation : split_.test;
}

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

std::int64_t TrajectoryClassification::batch_count(Phase phase, std::int64_t) const {
  return batches_of(static_cast<std::int64_t>(items(phase).size()), options_.batch_size);
}

Batch TrajectoryClassification::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  const Items order =
      phase == Phase::train ? epoch_order(items(phase), stream_.substream("order"), epoch) : items(phase);
  const auto chosen = batch_of(order, step, options_.batch_size);
  const Tensor keys = torch::tensor(at::ArrayRef<std::int64_t>(chosen.data(), chosen.size()), torch::kInt64)
                          .to(options_.device);
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  batch.signals[dataset_.order] = signals_.index_select(0, keys);
  batch.targets = labels_.index_select(0, keys);
  batch.signal_keys = keys;
  return batch;
}

Tensor TrajectoryClassification::loss(const ModelOutput& output, const Batch& batch) const {
  return cross_entropy(output, batch, dataset_.classes);
}

std::unique_ptr<Meter> TrajectoryClassification::meter(Phase) const {
  return std::make_unique<ClassMeter>(dataset_.classes);
}

}  // namespace gsan
