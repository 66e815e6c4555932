#include "gsan/tasks/classification.h"

#include <algorithm>

namespace gsan {
namespace {

// Logits of the readout as [items, classes]: pooled output of P complexes, or of B signals on one.
Tensor class_logits(const ModelOutput& output, int classes) {
  GSAN_CHECK(output.values.defined() && output.values.size(-1) == classes,
             "classification: the model must have a readout with out_channels = ", classes,
             " (the classes), got ", output.values.defined() ? concat(output.values.size(-1)) : "none");
  return output.values.reshape({-1, classes});
}

}  // namespace

Classification::Classification(Split split, int classes, const RandomStream& stream,
                               const ClassificationOptions& options)
    : split_(std::move(split)), classes_(classes), order_(stream.substream("order")), options_(options) {
  GSAN_CHECK(options_.batch_size >= 1, "classification: batch_size must be at least 1, got ",
             options_.batch_size);
  GSAN_CHECK(!split_.train.empty(), "classification: the split has no item to train on");
}

std::int64_t Classification::batch_count(Phase phase, std::int64_t) const {
  const auto items = static_cast<std::int64_t>(items_of(split_, phase).size());
  return (items + options_.batch_size - 1) / options_.batch_size;
}

Batch Classification::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  Items items = items_of(split_, phase);
  if (phase == Phase::train) {
    RandomStream of_epoch = order_.substream(static_cast<std::uint64_t>(epoch));
    of_epoch.shuffle(items);
  }
  const auto count = static_cast<std::int64_t>(items.size());
  const std::int64_t first = std::clamp<std::int64_t>(step * options_.batch_size, 0, count);
  return batch_of(
      std::span(items).subspan(first, std::min<std::int64_t>(options_.batch_size, count - first)));
}

Tensor Classification::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::cross_entropy_loss(class_logits(output, classes_), batch.targets);
}

std::unique_ptr<Meter> Classification::meter(Phase) const { return std::make_unique<ClassMeter>(classes_); }

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

}  // namespace gsan
