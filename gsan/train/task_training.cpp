#include "gsan/train/task_training.h"

namespace gsan {

Tensor TaskTraining::step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) {
  const Batch batch = task_.batch(Phase::train, epoch, step);
  ForwardContext context;
  context.dropout = dropout;
  context.signal_keys = batch.signal_keys;
  return task_.loss(model_->forward(batch.operators, batch.signals, context, batch.tuples), batch);
}

Metrics TaskTraining::validate() {
  return can_validate() ? evaluate(task_, model_, Phase::validation) : Metrics{};
}

std::string TaskTraining::choosing_metric() const {
  return can_validate() ? task_.choosing_metric() : std::string();
}

bool TaskTraining::can_validate() const { return task_.has_items(Phase::validation); }

}  // namespace gsan
