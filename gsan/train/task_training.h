#pragma once
// A task and its model as the training loop sees them.

#include <memory>

#include "gsan/tasks/task.h"
#include "gsan/train/batch_prefetcher.h"
#include "gsan/train/trainable.h"

namespace gsan {

/// How steps are computed; neither changes a bit of them.
struct TaskTrainingOptions {
  bool prefetch = true;    ///< batches that cost time are prepared on another thread
  bool recompute = false;  ///< as in ForwardContext
};

/// Borrows task and model.
class TaskTraining : public Trainable {
 public:
  TaskTraining(const Task& task, Model& model, const TaskTrainingOptions& options = {});

  torch::nn::Module& module() override { return *model_; }
  std::string kind() const override { return "model"; }
  OptionMap options() const override { return to_map(model_->options()); }
  std::int64_t steps_per_epoch(std::int64_t epoch) override { return task_.batch_count(Phase::train, epoch); }
  Tensor step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) override;
  Metrics validate() override;
  /// Without a part to validate on nothing chooses: the last epoch counts.
  std::string choosing_metric() const override;
  bool more_is_better() const override { return task_.more_is_better(); }
  std::string tie_metric() const override { return task_.tie_metric(); }

 private:
  bool can_validate() const;
  Batch batch(std::int64_t epoch, std::int64_t step);
  const Task& task_;
  Model& model_;
  TaskTrainingOptions options_;
  std::unique_ptr<BatchPrefetcher> ahead_;  // or none
};

}  // namespace gsan
