#pragma once
// What all tasks with one class per item share: items in mini-batches, cross entropy, accuracy.

#include "gsan/data/split.h"
#include "gsan/hodge/reordered_complex.h"
#include "gsan/tasks/shared/placement.h"
#include "gsan/tasks/task.h"

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
/// counts it. Training visits the items in an order that depends on (stream, epoch) alone; the other phases
/// in theirs.
class Classification : public Task {
 public:
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;  ///< mean cross entropy
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return std::string(name_of(choice_)); }
  std::string tie_metric() const override { return more_is_better() ? "loss" : ""; }
  bool more_is_better() const override { return choice_ == ClassChoice::accuracy; }
  std::string headline_metric() const override { return "accuracy"; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  bool has_costly_batches() const override { return true; }
  std::vector<std::string> class_names() const override { return class_names_; }
  /// A row per item: its name, the class, the probability of each class.
  Prediction predict(Model& model) const override;
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;

 protected:
  /// `class_names`: empty, the numbers; `item_names` likewise, one per item of the data.
  struct Names {
    std::string data;
    std::vector<std::string> classes, items;
  };
  Classification(Split split, int classes, std::int64_t items, Names names, const RandomStream& stream,
                 int batch_size, ClassChoice choice = ClassChoice::accuracy);
  const Split& split() const { return split_; }

  std::int64_t example_count(Phase phase) const override;
  Batch example_batch(Phase phase, std::int64_t number) const override;

  /// Signals and labels of these items.
  virtual Batch batch_of(std::span<const std::int64_t> items) const = 0;

 private:
  Split split_;
  int classes_;
  std::int64_t items_;
  std::string data_;
  std::vector<std::string> class_names_, item_names_;
  RandomStream order_;
  int batch_size_;
  ClassChoice choice_;
};

/// Logits of the readout as [items, classes], those of batch.rows where it has them.
Tensor class_logits(const ModelOutput& output, const Batch& batch, int classes);

/// The columns "predicted" and "p_CLASS …" behind what each row is called; probabilities [rows, classes].
Prediction class_prediction(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                            const Tensor& probabilities, const std::vector<std::string>& classes);

/// Names, or the numbers below `count` where there are none.
std::vector<std::string> named_or_numbered(const std::vector<std::string>& names, std::int64_t count);

/// "accuracy" in per cent and "loss", over the rows of the batches; unknown labels do not count.
class ClassMeter final : public Meter {
 public:
  explicit ClassMeter(int classes) : classes_(classes) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& logits, const Tensor& labels);  ///< [n, classes], int64 [n]
  Metrics value() const override;

 private:
  int classes_;
  std::int64_t items_ = 0, correct_ = 0;
  double loss_ = 0;
};

}  // namespace gsan
