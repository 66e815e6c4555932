#include "gsan/tasks/classification.h"

#include <algorithm>

namespace gsan {

Tensor class_logits(const ModelOutput& output, int classes) {
  GSAN_CHECK(output.values.defined() && output.values.size(-1) == classes,
             "classification: the model must have a readout with out_channels = ", classes,
             " (the classes), got ", output.values.defined() ? concat(output.values.size(-1)) : "none");
  return output.values.reshape({-1, classes});
}

Tensor cross_entropy(const ModelOutput& output, const Batch& batch, int classes) {
  return torch::cross_entropy_loss(class_logits(output, classes), batch.targets);
}

void ClassMeter::add(const ModelOutput& output, const Batch& batch) {
  const Tensor logits = class_logits(output, classes_);
  items_ += logits.size(0);
  correct_ += logits.argmax(-1).eq(batch.targets).sum().item<std::int64_t>();
  loss_ += torch::cross_entropy_loss(logits, batch.targets, {}, at::Reduction::Sum).item<double>();
}

Metrics ClassMeter::value() const {
  const double count = std::max<double>(1, static_cast<double>(items_));
  return {{"accuracy", 100.0 * static_cast<double>(correct_) / count}, {"loss", loss_ / count}};
}

std::vector<std::int64_t> epoch_order(std::span<const std::int64_t> items, const RandomStream& stream,
                                      std::int64_t epoch) {
  std::vector<std::int64_t> order(items.begin(), items.end());
  RandomStream of_epoch = stream.substream(static_cast<std::uint64_t>(epoch));
  of_epoch.shuffle(order);
  return order;
}

std::span<const std::int64_t> batch_of(std::span<const std::int64_t> items, std::int64_t step,
                                       std::int64_t size) {
  const auto count = static_cast<std::int64_t>(items.size());
  const std::int64_t first = std::min(step * size, count);
  return items.subspan(first, std::min(size, count - first));
}

std::int64_t batches_of(std::int64_t items, std::int64_t size) { return (items + size - 1) / size; }

}  // namespace gsan
