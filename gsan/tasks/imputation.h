#pragma once
// Missing values on the simplices of one order (Table II).
//
// strict: known values are those of the file that the mask leaves; a tenth of them chooses the epoch and is
// never in the input, nor are the missing ones: both stand as the fill, the median of the values to train on.
// A loss on values that stand in the input only teaches the identity, so each step hides a random fifth of
// the values to train on and takes the loss on those. Reported on the missing values alone.
//
// published: the missing values stand as the median of all values, the loss (unless it is on the known) and
// every number are over all values, known and missing, and one step is one epoch.

#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/tasks/classification.h"
#include "gsan/tasks/missing_rows.h"
#include "gsan/tasks/neighbor_rules.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// Which values are missing.
enum class MissingChoice {
  random,     ///< a share of the simplices
  by_source,  ///< whole sources (papers)
};
/// What stands in the place of a value that is not given; from the values to train on.
enum class FillChoice { median, mean, zero };
/// The rows of the loss under the published protocol.
enum class LossChoice {
  all,    ///< known and missing
  known,  ///< those that stand in the input
};
/// The units of the model.
enum class ScaleChoice {
  none,      ///< those of the data
  standard,  ///< the fill is 0, the standard deviation of the values to train on is 1
  log,       ///< the same of the logarithms: relative errors count alike, small values or large
};

/// What chooses the epoch under the strict protocol, on values that are neither in the input nor in the loss.
enum class ChooseBy {
  mae,     ///< mean distance in the units of the data: large values weigh most
  within,  ///< the number that is reported; of equal ones the smaller loss
  loss,    ///< mean distance in the units of the model, before it is snapped
};

template <>
struct EnumNames<MissingChoice> {
  static constexpr std::pair<MissingChoice, std::string_view> names[] = {
      {MissingChoice::random, "random"}, {MissingChoice::by_source, "paper-blocked"}};
};
template <>
struct EnumNames<FillChoice> {
  static constexpr std::pair<FillChoice, std::string_view> names[] = {
      {FillChoice::median, "median"}, {FillChoice::mean, "mean"}, {FillChoice::zero, "zero"}};
};
template <>
struct EnumNames<LossChoice> {
  static constexpr std::pair<LossChoice, std::string_view> names[] = {{LossChoice::all, "all"},
                                                                      {LossChoice::known, "known"}};
};
template <>
struct EnumNames<ScaleChoice> {
  static constexpr std::pair<ScaleChoice, std::string_view> names[] = {
      {ScaleChoice::none, "none"}, {ScaleChoice::standard, "standard"}, {ScaleChoice::log, "log"}};
};

template <>
struct EnumNames<ChooseBy> {
  static constexpr std::pair<ChooseBy, std::string_view> names[] = {
      {ChooseBy::mae, "mae"}, {ChooseBy::within, "within_5_percent"}, {ChooseBy::loss, "loss"}};
};

struct ImputationOptions {
  int order = 1;
  double missing = 10;  ///< per cent of the known values that are hidden and must be found
  MissingChoice choice = MissingChoice::random;
  FillChoice fill = FillChoice::median;
  ScaleChoice scale = ScaleChoice::none;
  bool mark = false;                   ///< a second input: 1 where a value is given, 0 where the fill stands
  bool snap = false;                   ///< what is found is the nearest of the values to train on
  LossChoice loss = LossChoice::all;   ///< published only: strict has a rule of its own
  double hidden = 0.2;                 ///< share of the values to train on that each step hides
  double validation = 0.1;             ///< share of the known values
  ChooseBy choose_by = ChooseBy::mae;  ///< strict only: published reports the best accuracy of all steps
  int steps_per_epoch = 10;
  Protocol protocol = Protocol::strict;
  Placement placement{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the simplices whose values are sought");
    visit("missing", self.missing, "per cent of the known values that are hidden, to be found at the end");
    visit("choice", self.choice, "what is hidden: random simplices or all simplices of whole papers");
    visit("fill", self.fill, "what stands in the place of a value that is not given");
    visit(
        "scale", self.scale,
        "units of the model: those of the data (none), or spread of the values to train on (standard) or of "
        "their logarithms (log)");
    visit("mark", self.mark, "beside every value stands 1 where it is given, 0 where the fill stands");
    visit("snap", self.snap, "a value that is found is moved to the nearest of the values to train on");
    visit("loss", self.loss, "published protocol: the loss is on all values or on the known ones");
    visit("hidden", self.hidden, "share of the values to train on that each step hides and must find");
    visit("validation", self.validation, "share of the known values that chooses the epoch");
    visit("choose_by", self.choose_by, "strict protocol: what chooses the epoch on those values");
    visit("steps_per_epoch", self.steps_per_epoch, "updates between validations");
  }
};

class Imputation final : public Task {
 public:
  /// `missing`: rows of options.order whose values must be found. A value that is NaN is unknown to
  /// everybody. Inputs: the value, beside it the mark (if asked for) and the features of its order, and the
  /// features of the other orders.
  /// The complex is kept up to order + 1: the cofaces of the simplices, through which they are neighbours.
  Imputation(ValueDataset dataset, std::vector<std::int64_t> missing, RandomStream stream,
             ImputationOptions options);

  std::string name() const override { return "imputation"; }
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  bool has_costly_batches() const override { return !is_published(); }
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override;
  std::string tie_metric() const override { return more_is_better() && !is_published() ? "loss" : ""; }
  bool more_is_better() const override { return is_published() || options_.choose_by == ChooseBy::within; }
  std::string headline_metric() const override { return "within_5_percent"; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::vector<std::string> remarks() const override;
  std::vector<BaselineResult> baselines(Phase phase) const override;

  /// The values that the model finds, [N] of options.order, in the units and the order of the dataset;
  /// snapped where the options say so.
  Tensor found(const ModelOutput& output) const;
  /// Σ |x̂ − x| over the known rows of the batch, in the units of the model, before a value is snapped.
  double distance(const ModelOutput& output, const Batch& batch) const;

  double fill() const { return fill_; }
  const Tensor& rows(
      Phase phase) const;  ///< int64: to train on, to choose by, missing; published: all (see loss)
  const ValueDataset& dataset() const { return dataset_; }

 private:
  bool is_published() const { return options_.protocol == Protocol::published; }
  Tensor features(int k) const;                         // of the dataset, on the device; undefined = none
  Tensor to_model(const Tensor& values) const;          // units of the data -> of the model
  Tensor read_output(const ModelOutput& output) const;  // [N], units of the model, order of the dataset
  Tensor from_model(const Tensor& values) const;        // units of the model -> of the data

  ValueDataset dataset_;
  RandomStream stream_;
  ImputationOptions options_;
  ReorderedComplex complex_;
  Tensor values_;                     // [N] float64, the truth; only through the rows of a phase
  Tensor train_, validation_, test_;  // int64 rows
  Tensor known_;                      // rows whose values are known, those to validate on included
  Tensor given_;                      // rows whose values stand in the input
  std::vector<std::int64_t> missing_;
  double fill_ = 0, shift_ = 0, scale_ = 1;  // the model sees (x − shift) / scale, of x or log x
  Tensor levels_;                            // [L] float64, increasing: the distinct values to train on
};

/// "within_5_percent" (|x̂ − x| ≤ 0.05 |x|, in per cent), "mae" and "rmse" over the rows of the batches whose
/// value is known; of outputs of a model also "loss", in its own units.
class ValueMeter final : public Meter {
 public:
  /// `task`: whose outputs are added, and which must outlive the meter; nullptr where only values are.
  explicit ValueMeter(const Imputation* task = nullptr) : task_(task) {}
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& found, const Tensor& truth);  ///< [n] each
  Metrics value() const override;

 private:
  const Imputation* task_;
  std::int64_t rows_ = 0, within_ = 0;
  double absolute_ = 0, squares_ = 0, loss_ = 0;
};

/// The values of the known rows, the fill elsewhere: [N].
Tensor fill_rule(const Tensor& values, const Tensor& known, double fill);
/// Median with the lower of the two middle values.
double median_of(const Tensor& values);

}  // namespace gsan
