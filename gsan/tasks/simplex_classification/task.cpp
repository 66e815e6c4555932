#include "gsan/tasks/simplex_classification/task.h"

#include "gsan/tasks/shared/feature_inputs.h"
#include "gsan/tasks/shared/prediction_rows.h"
#include "gsan/tasks/shared/worst_items.h"

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
                                             const SimplexClassificationOptions& options,
                                             const Placement& placement)
    : dataset_(std::move(dataset)),
      split_(std::move(split)),
      options_(options),
      placement_(placement),
      operators_(dataset_.complex, placement.operators()),
      labels_(simplex_labels(dataset_, options.order)),
      inputs_(feature_inputs(dataset_, placement, options.structure)) {}

std::vector<std::string> SimplexClassification::notes() const {
  return structure_notes(dataset_, options_.structure, name());
}

ModelShape SimplexClassification::shape() const {
  ModelShape shape;
  shape.in_channels = widths_of(inputs_);
  shape.order = options_.order;
  shape.out_channels = static_cast<int>(dataset_.class_names.size());
  return shape;
}

Batch SimplexClassification::batch(Phase phase, std::int64_t, std::int64_t) const {
  const Tensor rows = item_tensor(items_of(split_, phase));
  GSAN_CHECK(phase != Phase::train || rows.numel() > 0,
             "simplex-classification: the split has no simplex to train on");
  Batch batch{operators_, inputs_};
  batch.rows = rows.to(placement_.device);
  batch.targets = labels_.index_select(0, rows).to(placement_.device);
  return batch;
}

Tensor SimplexClassification::loss(const ModelOutput& output, const Batch& batch) const {
  const auto classes = static_cast<int>(dataset_.class_names.size());
  return torch::cross_entropy_loss(class_logits(output, batch, classes), batch.targets);
}

std::unique_ptr<Meter> SimplexClassification::meter(Phase) const {
  return std::make_unique<ClassMeter>(dataset_.class_names);
}

std::vector<std::pair<std::string, Items>> SimplexClassification::parts() const {
  return {{"train", split_.train}, {"validation", split_.validation}, {"test", split_.test}};
}

Prediction SimplexClassification::predict(Model& model) const {
  require_fit(model, shape(), dataset_.name);
  const int k = options_.order;
  const auto classes = static_cast<int>(dataset_.class_names.size());
  Batch batch{operators_, inputs_};
  const Tensor all = torch::arange(dataset_.complex.count(k));
  batch.rows = all.to(placement_.device);
  const Tensor logits = class_logits(EvaluationPass(model).output(batch), batch, classes);
  Prediction prediction =
      class_prediction(vertex_columns(k), named_simplices(dataset_.complex, k, dataset_.vertex_names),
                       logits.to(torch::kFloat64).softmax(-1).cpu(), dataset_.class_names);
  add_column(prediction, "known", labels_.ne(unknown_label));
  add_part_and_truth(prediction, parts(), label_texts(labels_, dataset_.class_names));
  return prediction;
}

std::vector<JudgedItem> SimplexClassification::worst_items(Model& model, Phase phase,
                                                           std::int64_t count) const {
  const Items& items = items_of(split_, phase);
  return worst_classified(*this, model, phase, count, [&](std::size_t i) {
    return simplex_name(dataset_.complex, options_.order, items[i], dataset_.vertex_names);
  });
}

}  // namespace gsan
