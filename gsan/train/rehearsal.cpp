#include "gsan/train/rehearsal.h"

#include <algorithm>
#include <chrono>

#include "gsan/core/long_work.h"
#include "gsan/core/process_memory.h"
#include "gsan/nn/batch_norm.h"
#include "gsan/train/task_training.h"

namespace gsan {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Times what a loop reports, and stops it after a while.
class Stopwatch final : public TrainObserver {
 public:
  explicit Stopwatch(double seconds) : seconds_(seconds) {}

  void on_begin(double) override { last_ = now(); }
  void on_step(const StepReport&) override {
    const double took = lap();
    if (steps++ == 0) {
      first = took;
      stops_at_ = last_ + seconds_;
      return;
    }
    others += took;
    if (last_ >= stops_at_) stop = true;
  }
  void on_epoch(const EpochReport&) override {
    validation = lap();  // the last one: the first makes what others find
    ++epochs;
  }

  std::atomic<bool> stop = false;
  std::int64_t steps = 0, epochs = 0;
  double first = 0, others = 0, validation = 0;

 private:
  double lap() {
    const double before = last_;
    last_ = now();
    return last_ - before;
  }
  double seconds_, last_ = 0, stops_at_ = 0;
};

// One pass over a phase in evaluation, estimated from its first batch.
double pass_seconds(const Task& task, Model& model, Phase phase) {
  const std::int64_t batches = task.has_items(phase) ? task.batch_count(phase, 0) : 0;
  if (batches == 0) return 0;
  const double began = now();
  EvaluationPass(model).output(task.batch(phase, 0, 0));
  return static_cast<double>(batches) * (now() - began);
}

}  // namespace

Rehearsal rehearse(Experiment& experiment, const RehearsalOptions& with) {
  const Task& task = *experiment.task;
  const TrainOptions& options = experiment.settings.train;
  const bool measures_norms = !experiment.settings.task.is_published();
  const LongWork work("the first steps of the run");
  Rehearsal found;
  found.bytes_before = resident_memory();
  const int passes = passes_of_epoch(task, options.least_steps);
  found.steps_per_epoch = passes * task.batch_count(Phase::train, 0);
  Stopwatch watch(with.seconds);
  {
    TaskTraining training(task, experiment.model,
                          {.measure_batch_norms = measures_norms,
                           .passes = passes,
                           .micro_batches = std::max(1, options.micro_batches),
                           .ranks = with.ranks,
                           .recompute = options.recompute});
    if (with.ranks != nullptr) found.ranks = with.ranks->size();
    found.micro_batches = training.micro_batches();
    fit_inputs(task, experiment.model);
    Trainer(training, options, experiment.settings.seed, {nullptr, &watch, &watch.stop, with.ranks}).run();
  }
  found.steps = watch.steps;
  found.first_step_seconds = watch.first;
  found.step_seconds = watch.steps > 1 ? watch.others / static_cast<double>(watch.steps - 1) : watch.first;
  found.is_validation_measured = watch.epochs > 0;
  found.validation_seconds = watch.validation;
  if (!found.is_validation_measured) {
    found.validation_seconds = pass_seconds(task, experiment.model, Phase::validation);
    if (measures_norms && !batch_norms_of(*experiment.model).empty())
      found.validation_seconds += pass_seconds(task, experiment.model, Phase::train);
  }
  found.peak_bytes = std::max(peak_resident_memory(), found.bytes_before);  // counted with a lag
  found.epoch_seconds = static_cast<double>(found.steps_per_epoch) * found.step_seconds +
                        found.validation_seconds / options.validate_every;
  found.run_seconds = options.epochs * found.epoch_seconds + found.first_step_seconds - found.step_seconds;
  return found;
}

}  // namespace gsan
