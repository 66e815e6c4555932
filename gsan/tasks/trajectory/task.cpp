#include "gsan/tasks/trajectory/task.h"

#include <algorithm>
#include <set>

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
  if (options_.orientation == OrientationChoice::random) orient(stream.substream("orientation"));
}

// Training items share one draw; every other item has its own, by its number.
void Trajectory::orient(const RandomStream& stream) {
  const ComplexOperators plain = operators_;
  signals_ = signals_.clone();
  const auto turn = [&](const Orientation& coins, const Tensor& items) {
    const auto signs = coins.signs(dataset_.order);
    const Tensor of_rows = torch::tensor(at::ArrayRef<std::int8_t>(signs.data(), signs.size()), torch::kInt8)
                               .to(signals_.device())
                               .unsqueeze(-1);
    signals_.index_copy_(0, items, (signals_.index_select(0, items) * of_rows).to(signals_.scalar_type()));
    return plain.oriented(coins);
  };
  const Orientation common = Orientation::random(dataset_.complex, stream);
  operators_ = turn(common, item_tensor(split().train).to(signals_.device()));
  const std::set<std::int64_t> trained(split().train.begin(), split().train.end());
  for (std::int64_t item = 0; item < dataset_.signals.size(0); ++item) {
    if (trained.contains(item)) continue;
    const RandomStream own = stream.substream("item").substream(static_cast<std::uint64_t>(item));
    own_.emplace(item, turn(Orientation::random(dataset_.complex, own),
                            torch::full({1}, item, torch::kInt64).to(signals_.device())));
  }
}

int Trajectory::evaluation_batch_size() const {
  return own_.empty() ? Classification::evaluation_batch_size() : 1;
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
  const auto own = items.size() == 1 ? own_.find(items.front()) : own_.end();
  GSAN_CHECK(own_.empty() || items.size() == 1 ||
                 std::none_of(items.begin(), items.end(), [&](auto item) { return own_.contains(item); }),
             "trajectory: signals with orientations of their own share a batch of ", items.size());
  Batch batch{own == own_.end() ? operators_ : own->second,
              Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  batch.signals[dataset_.order] = signals_.index_select(0, keys);
  batch.targets = labels_.index_select(0, keys);
  batch.signal_keys = keys;
  return batch;
}

}  // namespace gsan
