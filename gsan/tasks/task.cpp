#include "gsan/tasks/task.h"

namespace gsan {

const Items& items_of(const Split& split, Phase phase) {
  return phase == Phase::train ? split.train : phase == Phase::validation ? split.validation : split.test;
}

bool Task::has_items(Phase phase) const {
  for (const auto& [name, items] : parts())
    if (name == name_of(phase)) return !items.empty();
  return false;
}

Metrics evaluate(const Task& task, Model& model, Phase phase) {
  const torch::NoGradGuard no_grad;
  const bool was_training = model->is_training();
  model->eval();
  const auto meter = task.meter(phase);
  for (std::int64_t step = 0; step < task.batch_count(phase, 0); ++step) {
    const Batch batch = task.batch(phase, 0, step);
    ForwardContext context;
    context.signal_keys = batch.signal_keys;
    meter->add(model->forward(batch.operators, batch.signals, context, batch.tuples), batch);
  }
  model->train(was_training);
  return meter->value();
}

}  // namespace gsan
