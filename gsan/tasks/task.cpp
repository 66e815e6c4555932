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

void for_each_output(const Task& task, Model& model, Phase phase,
                     const std::function<void(const ModelOutput&, const Batch&)>& use) {
  const torch::NoGradGuard no_grad;
  const bool was_training = model->is_training();
  model->eval();
  for (std::int64_t step = 0; step < task.batch_count(phase, 0); ++step) {
    const Batch batch = task.batch(phase, 0, step);
    ForwardContext context;
    context.signal_keys = batch.signal_keys;
    use(model->forward(batch.operators, batch.signals, context, batch.tuples), batch);
  }
  model->train(was_training);
}

Metrics evaluate(const Task& task, Model& model, Phase phase) {
  const auto meter = task.meter(phase);
  for_each_output(task, model, phase,
                  [&](const ModelOutput& output, const Batch& batch) { meter->add(output, batch); });
  return meter->value();
}

}  // namespace gsan
