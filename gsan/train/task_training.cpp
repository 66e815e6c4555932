#include "gsan/train/task_training.h"

namespace gsan {

TaskTraining::TaskTraining(const Task& task, Model& model, const TaskTrainingOptions& options)
    : task_(task), model_(model), options_(options) {
  if (options.prefetch && task.has_costly_batches()) ahead_ = std::make_unique<BatchPrefetcher>(task);
}

Batch TaskTraining::batch(std::int64_t epoch, std::int64_t step) {
  return ahead_ ? ahead_->get(epoch, step) : task_.batch(Phase::train, epoch, step);
}

Tensor TaskTraining::step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) {
  const Batch now = batch(epoch, step);
  ForwardContext context;
  context.dropout = dropout;
  context.signal_keys = now.signal_keys;
  context.recompute = options_.recompute;
  const ModelOutput output = model_->forward(now.operators, now.signals, context, now.tuples);
  if (ahead_) ahead_->derive(now.operators.derived_keys());
  return task_.loss(output, now);
}

Metrics TaskTraining::validate() {
  return can_validate() ? evaluate(task_, model_, Phase::validation) : Metrics{};
}

std::string TaskTraining::choosing_metric() const {
  return can_validate() ? task_.choosing_metric() : std::string();
}

bool TaskTraining::can_validate() const { return task_.has_items(Phase::validation); }

}  // namespace gsan
