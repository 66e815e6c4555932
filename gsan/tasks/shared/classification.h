#pragma once
// What all tasks with one class per signal or complex share: cross entropy, accuracy, probabilities.

#include "gsan/hodge/reordered_complex.h"
#include "gsan/tasks/shared/class_meter.h"
#include "gsan/tasks/shared/item_task.h"
#include "gsan/tasks/shared/placement.h"

namespace gsan {

/// An item may have an unknown label (unknown_label): it must then be in no part to train on, and no number
/// counts it.
class Classification : public ItemTask {
 public:
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;  ///< mean cross entropy
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "accuracy"; }
  std::string tie_metric() const override { return "loss"; }
  std::vector<std::string> class_names() const override { return class_names_; }
  /// A row per item: its name, the class, the probability of each class, its part, its true class.
  Prediction predict(Model& model) const override;
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;

 protected:
  /// `class_names`: empty, the numbers; `item_names` likewise, one per item of the data.
  struct Names {
    std::string data;
    std::vector<std::string> classes, items;
  };
  /// `labels`: int64, one per item of the data.
  Classification(Split split, int classes, const Tensor& labels, Names names, const RandomStream& stream,
                 int batch_size);

 private:
  int classes_;
  Tensor labels_;
  std::string data_;
  std::vector<std::string> class_names_;
};

/// The columns "predicted" and "p_CLASS …" behind what each row is called; probabilities [rows, classes].
Prediction class_prediction(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                            const Tensor& probabilities, const std::vector<std::string>& classes);

}  // namespace gsan
