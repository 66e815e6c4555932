#pragma once
// Missing values on the simplices of one order (Table II).
//
// Known values are those of the data that the mask leaves; a tenth of them chooses the epoch and is in the
// input only when the missing ones are sought at the end, which never are. In the place of a value that is
// not given is the fill, the median of the training set. A loss on
// values that are in the input only teaches the identity, so each step hides a random fifth of the training
// set and takes the loss on those. Reported on the missing values alone.

#include <optional>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/hodge/operators.h"
#include "gsan/tasks/imputation/options.h"
#include "gsan/tasks/shared/placement.h"
#include "gsan/tasks/shared/value_errors.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// Rows of one order by what is done with them, int64 each.
struct ValueRows {
  Tensor train, validation, test;  ///< of the loss, to choose by, to report
  Tensor known;                    ///< whose values are known, those to validate on included
  Tensor given;                    ///< whose values are in the input
  Tensor seen;                     ///< from which fill and scale are computed
};

class Imputation : public Task {
 public:
  /// `missing`: rows of options.order whose values must be found. A value that is NaN is unknown to
  /// everybody. Inputs: the value, beside it the mark (if asked for) and the features of its order, and the
  /// features of the other orders.
  /// The complex is kept up to order + 1, the cofaces of the simplices, through which they are neighbours, or
  /// whole (options.all_orders).
  /// `is_new_data`: of data that a model was not trained on, predict() uses every known value.
  Imputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
             const ImputationOptions& options, const Placement& placement = {}, bool is_new_data = false);
  /// Divided by the caller: the values of the test part must be found; those in no part are neither given nor
  /// judged. Rows of known values only.
  static std::unique_ptr<Imputation> divided(ValueDataset dataset, Split split, RandomStream stream,
                                             const ImputationOptions& options,
                                             const Placement& placement = {}, bool is_new_data = false);

  std::string name() const override { return "imputation"; }
  ModelShape shape() const override;
  int item_order() const override { return options_.order; }
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  bool has_costly_batches() const override { return true; }
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return std::string(name_of(options_.choose_by)); }
  std::string tie_metric() const override { return more_is_better() ? "loss" : ""; }
  bool more_is_better() const override { return options_.choose_by == ChooseBy::within; }
  std::string headline_metric() const override { return "within_5_percent"; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::vector<RuleResult> rules(Phase phase) const override;
  /// A row per simplex: its vertices, its value (found where it is not known), whether it is known, and what
  /// the model finds; on the data of the run from the input that it had there. Then its part and its true
  /// value; data that are not those of the run have no parts, since every known value is an input.
  Prediction predict(Model& model) const override;
  /// By the distance to the value, in the units of the data.
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;

  /// The values that the model finds, [N] of options.order, in the units and the order of the dataset;
  /// snapped where the options say so.
  Tensor found(const ModelOutput& output) const;
  /// Σ |x̂ − x| over the known rows of the batch, in the units of the model, before a value is snapped.
  double distance(const ModelOutput& output, const Batch& batch) const;

  double fill() const { return fill_; }
  const Tensor& rows(Phase phase) const;  ///< int64: training set, validation set, missing
  const ValueDataset& dataset() const { return dataset_; }

 protected:
  struct Parts {
    ValueDataset dataset;
    std::vector<std::int64_t> missing;
    RandomStream stream;
    ImputationOptions options;
    Placement placement;
    bool is_new_data;
    std::optional<Split> split{};  ///< by the caller
  };
  using Divide = ValueRows (*)(const Parts& parts, const std::vector<std::int64_t>& all,
                               const std::vector<std::int64_t>& known, const std::vector<std::int64_t>& test);
  Imputation(Parts parts, Divide divide);

  virtual Tensor features(int k) const;  ///< of the dataset, on the device; undefined = none
  /// Rows whose values are given to a step, and rows of its loss.
  struct StepRows {
    Tensor given, counted;
  };
  virtual StepRows step_rows(std::int64_t epoch, std::int64_t step) const;
  /// The same kind of task with every known value in the input.
  virtual std::unique_ptr<Imputation> with_all_known() const;

  /// The fill called `first`, neighbour mode and mean, and the sum over facets where all orders are kept;
  /// `copies`: a rule repeats the values that it is given.
  std::vector<RuleResult> neighbor_rules(Phase phase, const Tensor& given, double fill,
                                         const std::string& first, bool copies) const;

  const ImputationOptions& options() const { return options_; }
  const Placement& placement() const { return placement_; }
  const ValueRows& value_rows() const { return rows_; }
  const std::vector<std::int64_t>& missing() const { return missing_; }
  const Tensor& values() const { return values_; }

 private:
  Tensor to_model(const Tensor& values) const;          // units of the data -> of the model
  Tensor read_output(const ModelOutput& output) const;  // [N], units of the model
  Tensor from_model(const Tensor& values) const;        // units of the model -> of the data
  Tensor found_by(Model& model) const;                  // [N]: on the test batch
  const Tensor& given_rows(Phase phase) const;          // in the input of a validation or test
  void set_scale();

  ValueDataset dataset_;
  RandomStream stream_;
  ImputationOptions options_;
  Placement placement_;
  bool is_new_data_;
  ComplexOperators operators_;
  Tensor values_;  // [N] float64, the truth; only through the rows of a phase
  ValueRows rows_;
  std::vector<std::int64_t> missing_;
  double fill_ = 0, shift_ = 0, scale_ = 1;  // the model sees (x − shift) / scale, of x or log x
  Tensor levels_;                            // [L] float64, increasing: the distinct values that are given
};

/// In the place of the missing values is the median of all values; the loss (unless it is on the known) and
/// every number are over all values, known and missing, and one step is one epoch.
class PublishedImputation final : public Imputation {
 public:
  PublishedImputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
                      const ImputationOptions& options, const Placement& placement = {},
                      bool is_new_data = false);
  std::int64_t batch_count(Phase, std::int64_t) const override { return 1; }
  bool has_costly_batches() const override { return false; }
  std::string choosing_metric() const override { return "within_5_percent"; }
  std::string tie_metric() const override { return {}; }
  bool more_is_better() const override { return true; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::vector<std::string> remarks() const override;
  std::vector<RuleResult> rules(Phase phase) const override;

 private:
  Tensor features(int) const override { return {}; }
  StepRows step_rows(std::int64_t, std::int64_t) const override {
    return {value_rows().given, value_rows().train};
  }
  std::unique_ptr<Imputation> with_all_known() const override;
};

/// "within_5_percent" (|x̂ − x| ≤ 0.05 |x|, in per cent), "mae" and "rmse" over the rows of the batches whose
/// value is known; of outputs of a model also "loss", in its own units. details(): also "r2", where the true
/// values differ.
class ValueMeter final : public Meter {
 public:
  /// `task`: whose outputs are added, and which must outlive the meter; nullptr where only values are.
  explicit ValueMeter(const Imputation* task = nullptr) : task_(task) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& found, const Tensor& truth);  ///< [n] each
  Metrics value() const override;
  MetricDetails details() const override;

 private:
  const Imputation* task_;
  ValueErrors errors_;
  double loss_ = 0;
};

/// The values of the known rows, the fill elsewhere: [N].
Tensor fill_rule(const Tensor& values, const Tensor& known, double fill);
/// Median with the lower of the two middle values.
double median_of(const Tensor& values);

/// What is in the place of a value that is not given, from `values`.
double fill_of(FillChoice choice, const Tensor& values);

}  // namespace gsan
