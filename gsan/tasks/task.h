#pragma once
// What "solved" means for one kind of problem: which items a phase sees, what the model is given, the loss
// and the numbers that are reported. A task is the only door to labels: what it hands out for a phase holds
// no label that the phase may not know, and no input depends on held-out labels.

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsan/data/batch.h"
#include "gsan/data/split.h"
#include "gsan/models/model.h"
#include "gsan/tasks/shared/metric_details.h"
#include "gsan/tasks/shared/target_scale.h"

namespace gsan {

enum class Phase { train, validation, test };

/// strict is free of leaks. published repeats what stands behind printed numbers, flaws included:
/// Task::remarks() names them.
enum class Protocol { strict, published };

template <>
struct EnumNames<Phase> {
  static constexpr std::pair<Phase, std::string_view> names[] = {
      {Phase::train, "train"}, {Phase::validation, "validation"}, {Phase::test, "test"}};
};
template <>
struct EnumNames<Protocol> {
  static constexpr std::pair<Protocol, std::string_view> names[] = {{Protocol::strict, "strict"},
                                                                    {Protocol::published, "published"}};
};

/// Collects outputs batch by batch: value(), the few metrics of a training line, and details() over all of
/// them.
class Meter {
 public:
  virtual ~Meter() = default;
  virtual void add(const ModelOutput& output, const Batch& batch) = 0;
  virtual Metrics value() const = 0;
  virtual MetricDetails details() const { return {.metrics = value()}; }
};

/// What a model answers, a row per item: what the item is called, then texts, then numbers.
struct Prediction {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< as many texts as columns
  Tensor numbers;                              ///< [rows, …] float64: the answers alone
};

/// An item whose answer is known, and what the model says of it, for people.
struct JudgedItem {
  std::string name{}, truth{}, answer{};
  double confidence = std::numeric_limits<double>::quiet_NaN();  ///< probability of the answer; NaN: none
  double loss = 0;
};

class Task {
 public:
  virtual ~Task() = default;

  virtual std::string name() const = 0;

  /// What a model must fit.
  virtual ModelShape shape() const = 0;

  /// The order of the simplices that are its items; −1: its items are signals or complexes.
  virtual int item_order() const { return -1; }

  /// Batches of a phase. Training batches are a function of (epoch, step) alone; the others do not depend on
  /// the epoch.
  virtual std::int64_t batch_count(Phase phase, std::int64_t epoch) const = 0;
  virtual Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const = 0;
  /// The same batch on the host, whatever the device of the task, where batches are many complexes
  /// (data/packed_batch.h); nothing of other tasks.
  virtual std::optional<Batch> host_batch(Phase, std::int64_t, std::int64_t) const { return std::nullopt; }
  /// How far those batches may be padded; nullptr where there are none.
  virtual const BatchSizes* batch_sizes() const { return nullptr; }
  /// Whether every training step has another batch, which it takes time to make: such batches are prepared by
  /// another thread while a step runs.
  virtual bool has_costly_batches() const { return false; }

  /// Items of a training batch, where some of them alone are a batch too, whose loss is their mean: steps on
  /// such batches can be divided. 0 where a batch is one thing.
  virtual std::int64_t divisible_items([[maybe_unused]] std::int64_t step) const { return 0; }
  /// Items first ... last − 1 of a training batch that can be divided.
  virtual Batch batch_part(std::int64_t epoch, std::int64_t step, std::int64_t first,
                           std::int64_t last) const;

  /// Item `number` of the phase alone, as pictures of it need it: signals without leading dimensions. A task
  /// on one complex has item 0, the whole of it.
  Batch example(Phase phase, std::int64_t number) const;

  virtual Tensor loss(const ModelOutput& output, const Batch& batch) const = 0;
  virtual std::unique_ptr<Meter> meter(Phase phase) const = 0;

  /// The metric by which validation chooses, and whether more is better.
  virtual std::string choosing_metric() const = 0;
  virtual bool more_is_better() const { return true; }
  /// Of epochs that it does not tell apart, less of this metric chooses; empty: the earliest is chosen.
  virtual std::string tie_metric() const { return {}; }

  /// The metric to show first.
  virtual std::string headline_metric() const { return choosing_metric(); }

  /// Which items (or rows) are in which part, for the records: {"train", …}, {"validation", …}, {"test", …}
  /// and what else the task keeps apart.
  virtual std::vector<std::pair<std::string, Items>> parts() const = 0;

  /// Whether the phase has any.
  bool has_items(Phase phase) const;

  /// What the protocol does that a clean one would not, a sentence each; empty under strict.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// What a reader of the numbers should know of the input, a sentence each.
  virtual std::vector<std::string> notes() const { return {}; }

  /// The rules, judged on a phase.
  virtual std::vector<RuleResult> rules(Phase phase) const = 0;

  /// The names of the classes in the order of the model's answer; empty where the answer is not a class.
  virtual std::vector<std::string> class_names() const { return {}; }

  /// The units of the model's answer, measured on the training set, where other data need them: a run keeps
  /// them with its weights.
  virtual std::optional<TargetScale> target_scale() const { return std::nullopt; }

  /// Where the vertices of the one complex of its items are, for pictures: float64 [N_0, d], in the order of
  /// the data; undefined where nobody knows, or every item has a complex of its own.
  virtual Tensor points() const { return {}; }

  /// The `count` items of a phase with the largest loss, the largest first; items of unknown answer are not
  /// among them.
  virtual std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const = 0;

  /// What the model answers for every item of the data, labelled or not. Inputs are those that the task gives
  /// at test time, with everything that is known of the data; no label of an item that is predicted is among
  /// them. A model that does not fit the data is an error with both values.
  virtual Prediction predict(Model& model) const = 0;

 protected:
  /// Item `number` of the phase as a batch; it has so many.
  virtual std::int64_t example_count(Phase) const { return 1; }
  virtual Batch example_batch(Phase phase, std::int64_t) const { return batch(phase, 0, 0); }
};

/// An error unless the model was made for data of this shape.
void require_fit(const Model& model, const ModelShape& shape, const std::string& data);

/// The items of a split that belong to the phase.
const Items& items_of(const Split& split, Phase phase);

/// A model in evaluation mode and without gradients, as long as this lives.
class EvaluationPass {
 public:
  explicit EvaluationPass(Model& model) : model_(model), was_training_(model->is_training()) {
    model->eval();
  }
  ~EvaluationPass() { model_->train(was_training_); }
  EvaluationPass(const EvaluationPass&) = delete;
  ModelOutput output(const Batch& batch) const;

 private:
  torch::NoGradGuard no_grad_;
  Model& model_;
  bool was_training_;
};

/// Measures the inputs of the training set for a model that standardises them (ModelSpec::standardize).
void fit_inputs(const Task& task, Model& model);

/// Measures the statistics of batch normalisations (nn/batch_norm.h) on the training set, by which evaluation
/// normalises: a function of the weights alone. Without dropout, like evaluation.
void measure_batch_norms(const Task& task, Model& model);

/// Gives `use` the outputs of the model, in eval mode and without gradients, batch by batch of a phase.
void for_each_output(const Task& task, Model& model, Phase phase,
                     const std::function<void(const ModelOutput&, const Batch&)>& use);

/// The metrics of a phase, from these outputs.
Metrics evaluate(const Task& task, Model& model, Phase phase);

/// The same with everything that its meter knows.
struct Evaluation {
  Metrics metrics;
  MetricDetails details;
};
Evaluation evaluate_in_detail(const Task& task, Model& model, Phase phase);

}  // namespace gsan
