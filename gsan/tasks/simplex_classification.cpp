#include "gsan/tasks/simplex_classification.h"

#include "gsan/tasks/class_baselines.h"
#include "gsan/tasks/model_inputs.h"
#include "gsan/tasks/neighbor_rules.h"

namespace gsan {

Tensor simplex_labels(const ValueDataset& dataset, int order) {
  const auto k = static_cast<std::size_t>(order);
  GSAN_CHECK(order >= 0 && k < dataset.values.size() && dataset.values[k].defined(),
             "simplex-classification: ", dataset.name, " has no classes of order ", order,
             "; set simplex-classification.order");
  const auto classes = static_cast<double>(dataset.class_names.size());
  const Tensor numbers = dataset.values[k].to(torch::kFloat64).nan_to_num(unknown_label);
  GSAN_CHECK(numbers.eq(numbers.floor()).all().item<bool>() && numbers.ge(unknown_label).all().item<bool>() &&
                 numbers.lt(classes).all().item<bool>(),
             "simplex-classification: the classes of ", dataset.name, " must be numbers 0 ... ", classes - 1);
  return numbers.to(torch::kInt64);
}

SimplexClassification::SimplexClassification(ValueDataset dataset, Split split,
                                             SimplexClassificationOptions options)
    : dataset_(std::move(dataset)),
      split_(std::move(split)),
      options_(options),
      complex_(dataset_.complex, options.placement.order, {.device = options.placement.device}),
      labels_(simplex_labels(dataset_, options.order)),
      inputs_(static_cast<std::size_t>(dataset_.complex.order()) + 1) {
  const torch::TensorOptions type =
      torch::TensorOptions().dtype(options_.placement.type).device(options_.placement.device);
  bool has_any = false;
  for (std::size_t k = 0; k < inputs_.size() && k < dataset_.features.size(); ++k) {
    if (!dataset_.features[k].defined() || dataset_.features[k].size(-1) == 0) continue;
    inputs_[k] = complex_.arranged(static_cast<int>(k), dataset_.features[k].to(type));
    has_any = true;
  }
  for (std::size_t k = 0; k < inputs_.size() && !has_any; ++k)
    inputs_[k] = torch::ones({dataset_.complex.count(static_cast<int>(k)), 1}, type);
}

ModelOptions SimplexClassification::complete(ModelOptions options) const {
  std::vector<int> widths;
  for (const Tensor& input : inputs_)
    widths.push_back(input.defined() ? static_cast<int>(input.size(-1)) : 0);
  set_inputs(options, name(), widths);
  require_read(options, name(), options_.order);
  options.readout = ReadoutKind::simplex;
  options.head.order = options_.order;
  options.head.out_channels = static_cast<int>(dataset_.class_names.size());
  return options;
}

Batch SimplexClassification::batch(Phase phase, std::int64_t, std::int64_t) const {
  const Tensor rows = item_tensor(items_of(split_, phase));
  GSAN_CHECK(phase != Phase::train || rows.numel() > 0,
             "simplex-classification: the split has no simplex to train on");
  Batch batch{complex_.operators(), inputs_};
  batch.rows = complex_.places(options_.order, rows.to(options_.placement.device));
  batch.targets = labels_.index_select(0, rows).to(options_.placement.device);
  return batch;
}

Tensor SimplexClassification::loss(const ModelOutput& output, const Batch& batch) const {
  const auto classes = static_cast<int>(dataset_.class_names.size());
  return torch::cross_entropy_loss(class_logits(output, batch, classes), batch.targets);
}

std::unique_ptr<Meter> SimplexClassification::meter(Phase) const {
  return std::make_unique<ClassMeter>(static_cast<int>(dataset_.class_names.size()));
}

std::vector<std::pair<std::string, Items>> SimplexClassification::parts() const {
  return {{"train", split_.train}, {"validation", split_.validation}, {"test", split_.test}};
}

std::vector<BaselineResult> SimplexClassification::baselines(Phase phase) const {
  const auto classes = static_cast<int>(dataset_.class_names.size());
  const Items& judged = items_of(split_, phase);
  ClassBaselines all(labels_, classes, split_.train, judged);
  if (!all.is_possible()) return {};
  all.add_majority();
  const Tensor train = item_tensor(split_.train), rows = item_tensor(judged);
  const auto majority = torch::bincount(labels_.index_select(0, train)).argmax().item<std::int64_t>();
  const Tensor answers =
      neighbor_mode_rule(dataset_.complex, options_.order, labels_, train, static_cast<double>(majority));
  all.add_answers("majority of the neighbours", answers.to(torch::kInt64).index_select(0, rows));
  const auto k = static_cast<std::size_t>(options_.order);
  if (k < dataset_.features.size() && dataset_.features[k].defined())
    all.add_logistic("logistic regression on own features", dataset_.features[k].to(torch::kFloat64), 1,
                     true);
  return all.results();
}

}  // namespace gsan
