#include "gsan/tasks/shared/classification.h"

#include "gsan/tasks/shared/prediction_rows.h"
#include "gsan/tasks/shared/worst_items.h"

namespace gsan {

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

Classification::Classification(Split split, int classes, const Tensor& labels, Names names,
                               const RandomStream& stream, int batch_size, ClassChoice choice)
    : ItemTask(std::move(split), named_or_numbered(names.items, labels.size(0)), stream, batch_size),
      classes_(classes),
      labels_(labels),
      data_(std::move(names.data)),
      class_names_(named_or_numbered(names.classes, classes)),
      choice_(choice) {}

Prediction Classification::predict(Model& model) const {
  require_fit(model, shape(), data_);
  const Tensor probabilities =
      read_all(model, torch::zeros({0, classes_}, torch::kFloat64),
               [&](const ModelOutput& output, const Batch& batch) {
                 return class_logits(output, batch, classes_).to(torch::kFloat64).softmax(-1).cpu();
               });
  Prediction prediction = class_prediction({"name"}, named_rows(), probabilities, class_names_);
  add_part_and_truth(prediction, parts(), label_texts(labels_, class_names_));
  return prediction;
}

std::vector<JudgedItem> Classification::worst_items(Model& model, Phase phase, std::int64_t count) const {
  const Items& items = items_of(split(), phase);
  return worst_classified(*this, model, phase, count,
                          [&](std::size_t i) { return item_names()[static_cast<std::size_t>(items[i])]; });
}

Tensor Classification::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::cross_entropy_loss(class_logits(output, batch, classes_), batch.targets);
}

std::unique_ptr<Meter> Classification::meter(Phase) const {
  return std::make_unique<ClassMeter>(class_names_);
}

}  // namespace gsan
