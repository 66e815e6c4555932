#include "gsan/tasks/classification.h"

#include <algorithm>

namespace gsan {

Tensor class_logits(const ModelOutput& output, const Batch& batch, int classes) {
  GSAN_CHECK(output.values.defined() && output.values.size(-1) == classes,
             "classification: the model must have a readout with out_channels = ", classes,
             " (the classes), got ", output.values.defined() ? concat(output.values.size(-1)) : "none");
  const Tensor logits = output.values.reshape({-1, classes});
  return batch.rows.defined() ? logits.index_select(0, batch.rows) : logits;
}

Classification::Classification(Split split, int classes, const RandomStream& stream,
                               const ClassificationOptions& options)
    : split_(std::move(split)), classes_(classes), order_(stream.substream("order")), options_(options) {
  GSAN_CHECK(options_.batch_size >= 1, "classification: batch_size must be at least 1, got ",
             options_.batch_size);
}

std::int64_t Classification::batch_count(Phase phase, std::int64_t) const {
  const auto items = static_cast<std::int64_t>(items_of(split_, phase).size());
  GSAN_CHECK(phase != Phase::train || items > 0, name(), ": the split has no item to train on");
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

std::vector<std::pair<std::string, Items>> Classification::parts() const {
  return {{"train", split_.train}, {"validation", split_.validation}, {"test", split_.test}};
}

Tensor Classification::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::cross_entropy_loss(class_logits(output, batch, classes_), batch.targets);
}

std::unique_ptr<Meter> Classification::meter(Phase) const { return std::make_unique<ClassMeter>(classes_); }

void ClassMeter::add(const ModelOutput& output, const Batch& batch) {
  add(class_logits(output, batch, classes_), batch.targets);
}

void ClassMeter::add(const Tensor& logits, const Tensor& labels) {
  const Tensor is_known = labels.ne(unknown_label);
  items_ += is_known.sum().item<std::int64_t>();
  correct_ += logits.argmax(-1).eq(labels).logical_and(is_known).sum().item<std::int64_t>();
  loss_ += torch::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum, unknown_label).item<double>();
}

Metrics ClassMeter::value() const {
  const double count = std::max<double>(1, static_cast<double>(items_));
  return {{"accuracy", 100.0 * static_cast<double>(correct_) / count}, {"loss", loss_ / count}};
}

}  // namespace gsan
