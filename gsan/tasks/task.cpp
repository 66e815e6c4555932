#include "gsan/tasks/task.h"

#include "gsan/nn/batch_norm.h"

namespace gsan {

const Items& items_of(const Split& split, Phase phase) {
  return phase == Phase::train ? split.train : phase == Phase::validation ? split.validation : split.test;
}

bool Task::has_items(Phase phase) const {
  for (const auto& [name, items] : parts())
    if (name == name_of(phase)) return !items.empty();
  return false;
}

Batch Task::batch_part(std::int64_t, std::int64_t, std::int64_t, std::int64_t) const {
  fail(Fault::argument, name(), ": its batches cannot be divided");
}

Batch Task::example(Phase phase, std::int64_t number) const {
  const std::int64_t count = has_items(phase) ? example_count(phase) : 0;
  GSAN_CHECK(number >= 0 && number < count, name(), ": the ", name_of(phase), " part has ", count,
             " item(s), numbered from 0; got ", number);
  Batch batch = example_batch(phase, number);
  for (Tensor& x : batch.signals)
    if (x.defined()) x = x.flatten(0, -2).slice(0, 0, x.size(-2));  // one of one
  return batch;
}

ModelOutput EvaluationPass::output(const Batch& batch) const {
  ForwardContext context;
  context.signal_keys = batch.signal_keys;
  return model_->forward(batch.operators, batch.signals, context, batch.tuples);
}

void fit_inputs(const Task& task, Model& model) {
  model->fit_inputs([&](const auto& add) {
    for (std::int64_t step = 0; step < task.batch_count(Phase::train, 0); ++step)
      add(task.batch(Phase::train, 0, step).signals);
  });
}

void measure_batch_norms(const Task& task, Model& model) {
  measure_batch_norms(*model,
                      [&] { for_each_output(task, model, Phase::train, [](const auto&, const auto&) {}); });
}

void for_each_output(const Task& task, Model& model, Phase phase,
                     const std::function<void(const ModelOutput&, const Batch&)>& use) {
  const EvaluationPass pass(model);
  for (std::int64_t step = 0; step < task.batch_count(phase, 0); ++step) {
    const Batch batch = task.batch(phase, 0, step);
    use(pass.output(batch), batch);
  }
}

namespace {

std::unique_ptr<Meter> filled_meter(const Task& task, Model& model, Phase phase) {
  auto meter = task.meter(phase);
  for_each_output(task, model, phase,
                  [&](const ModelOutput& output, const Batch& batch) { meter->add(output, batch); });
  return meter;
}

}  // namespace

Metrics evaluate(const Task& task, Model& model, Phase phase) {
  return filled_meter(task, model, phase)->value();
}

Evaluation evaluate_in_detail(const Task& task, Model& model, Phase phase) {
  const auto meter = filled_meter(task, model, phase);
  Evaluation found{meter->value(), meter->details()};
  found.details.order = task.item_order();
  return found;
}

void require_fit(const Model& model, const ModelShape& shape, const std::string& data) {
  const ModelShape& made = model->shape();
  std::string faults;
  const auto compare = [&](const char* what, const auto& then, const auto& now) {
    if (then != now)
      faults += concat("\n  ", what, ": ", options::to_text(then), " in the model, ", options::to_text(now),
                       " for the data");
  };
  // Of the input only what the model reads counts.
  const std::vector<int>& read = model->backbone().in_channels();
  std::vector<int> now = shape.in_channels, then = made.in_channels;
  for (std::size_t k = 0; k < read.size() && now.size() == then.size(); ++k)
    if (read[k] == 0 && k < now.size()) now[k] = then[k];
  for (std::size_t k = read.size(); k < now.size() && now.size() == then.size(); ++k) now[k] = then[k];
  compare("features per order 0 ... K", then, now);
  compare("numbers of an answer", made.out_channels, shape.out_channels);
  compare("order that is read", made.order, shape.order);
  compare("simplices of a tuple", made.tuple_size, shape.tuple_size);
  compare("simplices of the complex", made.simplices, shape.simplices);
  GSAN_CHECK(faults.empty(), "the model was not trained for data like ", data, ":", faults,
             "\nTrain a model on such data, or bring data like those of the run.");
}

}  // namespace gsan
