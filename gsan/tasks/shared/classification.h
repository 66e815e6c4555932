#pragma once
// What all tasks with one class per signal or complex share: cross entropy, accuracy, probabilities.

#include "gsan/tasks/shared/class_meter.h"
#include "gsan/tasks/shared/item_task.h"
#include "gsan/tasks/shared/placement.h"

namespace gsan {

/// What chooses the epoch on the validation set.
enum class ClassChoice {
  accuracy,  ///< of equal ones the smaller loss
  loss,      ///< on few items accuracy is mostly chance
};
template <>
struct EnumNames<ClassChoice> {
  static constexpr std::pair<ClassChoice, std::string_view> names[] = {{ClassChoice::accuracy, "accuracy"},
                                                                       {ClassChoice::loss, "loss"}};
};
inline constexpr const char* class_choice_help =
    "what chooses the epoch on the validation set: accuracy (of equal ones the smaller loss) or loss";

/// An item may have an unknown label (unknown_label): it must then be in no part to train on, and no number
/// counts it.
class Classification : public ItemTask {
 public:
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;  ///< mean cross entropy
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return std::string(name_of(choice_)); }
  std::string tie_metric() const override { return more_is_better() ? "loss" : ""; }
  bool more_is_better() const override { return choice_ == ClassChoice::accuracy; }
  std::string headline_metric() const override { return "accuracy"; }
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
                 int batch_size, ClassChoice choice = ClassChoice::accuracy);

 private:
  int classes_;
  Tensor labels_;
  std::string data_;
  std::vector<std::string> class_names_;
  ClassChoice choice_;
};

/// The columns "predicted" and "p_CLASS …" behind what each row is called; probabilities [rows, classes].
Prediction class_prediction(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                            const Tensor& probabilities, const std::vector<std::string>& classes);

}  // namespace gsan
