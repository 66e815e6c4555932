#include "gsan/tasks/shared/classification.h"

#include <algorithm>
#include <numeric>

#include "gsan/tasks/shared/prediction_rows.h"
#include "gsan/tasks/shared/worst_items.h"

namespace gsan {

Tensor class_logits(const ModelOutput& output, const Batch& batch, int classes) {
  GSAN_CHECK(output.values.defined() && output.values.size(-1) == classes,
             "classification: the model must have a readout with out_channels = ", classes,
             " (the classes), got ", output.values.defined() ? concat(output.values.size(-1)) : "none");
  const Tensor logits = output.values.reshape({-1, classes});
  return batch.rows.defined() ? logits.index_select(0, batch.rows) : logits;
}

std::vector<std::string> named_or_numbered(const std::vector<std::string>& names, std::int64_t count) {
  if (!names.empty()) return names;
  std::vector<std::string> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

Prediction class_prediction(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                            const Tensor& probabilities, const std::vector<std::string>& classes) {
  Prediction prediction{std::move(columns), std::move(rows), probabilities};
  prediction.columns.push_back("predicted");
  for (const std::string& name : classes) prediction.columns.push_back("p_" + name);
  const auto p = probabilities.accessor<double, 2>();
  const Tensor best = probabilities.argmax(1);
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    prediction.rows[i].push_back(classes[static_cast<std::size_t>(best[row].item<std::int64_t>())]);
    for (std::int64_t c = 0; c < probabilities.size(1); ++c)
      prediction.rows[i].push_back(number_text(p[row][c]));
  }
  return prediction;
}

Classification::Classification(Split split, int classes, std::int64_t items, Names names,
                               const RandomStream& stream, int batch_size, ClassChoice choice)
    : split_(std::move(split)),
      classes_(classes),
      items_(items),
      data_(std::move(names.data)),
      class_names_(named_or_numbered(names.classes, classes)),
      item_names_(named_or_numbered(names.items, items)),
      order_(stream.substream("order")),
      batch_size_(batch_size),
      choice_(choice) {
  GSAN_CHECK(batch_size_ >= 1, "classification: batch_size must be at least 1, got ", batch_size_);
}

Prediction Classification::predict(Model& model) const {
  require_fit(model, shape(), data_);
  const EvaluationPass pass(model);
  std::vector<Tensor> found{torch::zeros({0, classes_}, torch::kFloat64)};
  std::vector<std::int64_t> items(static_cast<std::size_t>(items_));
  std::iota(items.begin(), items.end(), 0);
  for (std::int64_t first = 0; first < items_; first += batch_size_) {
    const Batch batch =
        batch_of(std::span(items).subspan(first, std::min<std::int64_t>(batch_size_, items_ - first)));
    found.push_back(class_logits(pass.output(batch), batch, classes_).to(torch::kFloat64).softmax(-1).cpu());
  }
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : item_names_) rows.push_back({name});
  return class_prediction({"name"}, std::move(rows), torch::cat(found), class_names_);
}

std::vector<JudgedItem> Classification::worst_items(Model& model, Phase phase, std::int64_t count) const {
  const Items& items = items_of(split_, phase);
  return worst_classified(*this, model, phase, count,
                          [&](std::size_t i) { return item_names_[static_cast<std::size_t>(items[i])]; });
}

std::int64_t Classification::batch_count(Phase phase, std::int64_t) const {
  const auto items = static_cast<std::int64_t>(items_of(split_, phase).size());
  GSAN_CHECK(phase != Phase::train || items > 0, name(), ": the split has no item to train on");
  return (items + batch_size_ - 1) / batch_size_;
}

Batch Classification::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  Items items = items_of(split_, phase);
  if (phase == Phase::train) {
    RandomStream of_epoch = order_.substream(static_cast<std::uint64_t>(epoch));
    of_epoch.shuffle(items);
  }
  const auto count = static_cast<std::int64_t>(items.size());
  const std::int64_t first = std::clamp<std::int64_t>(step * batch_size_, 0, count);
  return batch_of(std::span(items).subspan(first, std::min<std::int64_t>(batch_size_, count - first)));
}

std::int64_t Classification::example_count(Phase phase) const {
  return static_cast<std::int64_t>(items_of(split_, phase).size());
}

Batch Classification::example_batch(Phase phase, std::int64_t number) const {
  return batch_of(std::span(items_of(split_, phase)).subspan(static_cast<std::size_t>(number), 1));
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
