#pragma once
// A task and its model as the training loop sees them.

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "gsan/ranks/ranks.h"
#include "gsan/tasks/task.h"
#include "gsan/train/batch_prefetcher.h"
#include "gsan/train/micro_batches.h"
#include "gsan/train/trainable.h"

namespace gsan {

/// How steps are computed; but for the first two, and padding and micro-batches within rounding, no choice
/// changes what is computed.
struct TaskTrainingOptions {
  /// Batch normalisations evaluate with the statistics of the training set, measured after every epoch that
  /// is validated (one more pass without gradients); else with the running averages of training, as behind
  /// published numbers. Steps are the same.
  bool measure_batch_norms = true;
  int passes = 1;          ///< over the training set, of an epoch
  int micro_batches = 1;   ///< of a step, where the task allows it (why_not_divided)
  Ranks* ranks = nullptr;  ///< that share micro-batches and validation
  bool prefetch = true;    ///< batches that cost time are prepared on another thread
  bool recompute = false;  ///< as in ForwardContext
  /// Where a step is given what validation was given before it, and training draws nothing, the pass of
  /// validation is that of the step: it is made once for both (a task of one large complex).
  bool share_passes = true;
  /// Batches of many complexes are packed into one buffer, and padded. Left open: packed where the model is
  /// on another device than the host, padded where the device and the model allow that.
  std::optional<bool> pack{}, pad{};
};

/// Why the steps of a task cannot be divided into micro-batches, for people; empty: they can.
std::string why_not_divided(const Task& task);

/// Passes over the training set in each epoch, such that it makes at least `least_steps` steps.
int passes_of_epoch(const Task& task, int least_steps);

/// Borrows task and model.
class TaskTraining : public Trainable {
 public:
  TaskTraining(const Task& task, Model& model, const TaskTrainingOptions& options = {});

  torch::nn::Module& module() override { return *model_; }
  std::string kind() const override { return "model"; }
  OptionMap options() const override { return model_->description(); }
  std::int64_t steps_per_epoch(std::int64_t) override { return options_.passes * steps_per_pass(); }
  Tensor step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) override;
  int micro_batches() const override { return micro_batches_ ? micro_batches_->count() : 1; }
  Tensor micro_loss(std::int64_t epoch, std::int64_t step, int micro_batch,
                    const RandomStream& dropout) override;
  std::unique_ptr<PackedStep> packed_step(std::int64_t epoch, std::int64_t step) override;
  std::string why_not_captured() const override;
  void prepare_evaluation() override;
  Metrics validate() override;
  /// Without a part to validate on nothing chooses: the last epoch counts.
  std::string choosing_metric() const override;
  bool more_is_better() const override { return task_.more_is_better(); }
  std::string tie_metric() const override { return task_.tie_metric(); }

  /// Steps so far that used the pass of validation.
  std::int64_t shared_passes() const { return shared_passes_; }

 private:
  // A forward pass with its graph, of weights that had these versions.
  struct Pass {
    Batch batch;
    ModelOutput output;
    std::vector<std::uint32_t> versions;
  };
  bool can_validate() const;
  // Which epoch of the task a step is of, and its number there: every pass has an order of batches of its
  // own.
  struct Place {
    std::int64_t epoch, step;
  };
  Place place_of(std::int64_t epoch, std::int64_t step) const;
  std::shared_ptr<const PackedBatch> packed(Batch batch) const;
  void derive_ahead(const Batch& batch);
  std::int64_t steps_per_pass() const { return task_.batch_count(Phase::train, 0); }
  Batch batch(std::int64_t epoch, std::int64_t step);
  ModelOutput forward(const Batch& batch, const std::optional<RandomStream>& dropout);
  const Task& task_;
  Model& model_;
  TaskTrainingOptions options_;
  std::optional<MicroBatches> micro_batches_;  // where steps are divided
  std::set<DerivedKey> derived_;               // by steps so far
  bool may_share_ = false;
  torch::Device device_ = torch::kCPU;  // of the model
  bool packs_ = false, pads_ = false;
  std::optional<Batch> trained_;  // of the last step, where passes may be shared
  std::optional<Pass> kept_;      // of the last validation, until a step follows
  std::int64_t shared_passes_ = 0;
  std::unique_ptr<BatchPrefetcher> ahead_;  // or none; last, for its thread uses the others
};

}  // namespace gsan
