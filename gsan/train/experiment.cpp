#include "gsan/train/experiment.h"

#include <algorithm>

#include <ATen/Context.h>

#include "gsan/core/text.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/class_names.h"
#include "gsan/train/detail/experiment.h"
#include "gsan/train/diagnosis.h"
#include "gsan/train/run_warnings.h"
#include "gsan/train/start_weights.h"
#include "gsan/train/stored_run.h"
#include "gsan/train/target_units.h"
#include "gsan/train/task_training.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> dead_layers(const Task& task, Model& model) {
  std::vector<std::string> sentences;
  for (const LayerDiagnosis& layer : diagnose(task, model, /*with_gradients=*/false))
    if (layer.is_dead()) sentences.push_back(layer.sentence());
  return sentences;
}

// "stratified at random: train 60, validation 20, test 20"
std::string split_sentence(const Experiment& experiment) {
  return concat(experiment.split, ": ", joined(experiment.task->parts(), ", ", [](const auto& part) {
                  return concat(part.first, " ", part.second.size());
                }));
}

// Ranks that would train something else are found before the first step.
void require_same_experiment(const Experiment& experiment, Ranks& ranks) {
  ranks.require_same("the config", to_yaml(experiment.settings));
  std::string data;
  for (const auto& [file, hash] : experiment.data)  // folders may differ between machines
    data += concat(fs::path(file).filename().string(), " ", hash, "\n");
  for (const auto& [part, items] : experiment.task->parts()) data += concat(part, " ", joined(items), "\n");
  ranks.require_same("the data", data);
}

// How ranks share the work, where that is not as one would expect.
void tell_division(const Experiment& experiment, const Ranks& ranks, TrainObserver* observer) {
  if (observer == nullptr || ranks.size() == 1) return;
  const int micro_batches = experiment.settings.train.micro_batches;
  if (const std::string why = why_not_divided(*experiment.task); !why.empty())
    observer->on_message(concat("every rank computes the whole of every step: ", why));
  else if (micro_batches < ranks.size())
    observer->on_message(concat(ranks.size(), " ranks share ", std::max(1, micro_batches),
                                " micro-batches of a step (train.micro_batches), so that some have none"));
}

struct TrainedRun {
  const TrainResult& result;
  const Manifest& manifest;
  std::vector<EpochMetrics> epochs;  // of all sessions
};

RunRecord make_record(Experiment& experiment, TrainedRun run) {
  const Task& task = *experiment.task;
  RunRecord record;
  record.task = task.name();
  record.protocol = name_of(experiment.settings.task.protocol);
  record.data = experiment.settings.task.data.name;
  record.model = experiment.settings.model.name;
  record.seed = experiment.settings.seed;
  record.end = name_of(run.result.end);
  record.epochs = run.result.epochs;
  record.best_epoch = run.result.best_epoch;
  record.parameters = experiment.model->parameter_count();
  const bool can_validate = task.has_items(Phase::validation);
  record.choosing_metric = can_validate ? task.choosing_metric() : "";
  record.headline_metric = task.headline_metric();
  record.more_is_better = task.more_is_better();
  record.split = split_sentence(experiment);
  if (can_validate) record.validation = evaluate(task, experiment.model, Phase::validation);
  if (task.has_items(Phase::test)) {
    Evaluation test = evaluate_in_detail(task, experiment.model, Phase::test);
    record.test = std::move(test.metrics);
    record.test_details = std::move(test.details);
    record.rules = task.rules(Phase::test);
  }
  record.remarks = task.remarks();
  record.notes = task.notes();
  record.warnings = dead_layers(task, experiment.model);
  RunViews views{std::move(run.epochs), view_parts(task, experiment.model)};
  views.steps = record.epochs * passes_of_epoch(task, experiment.settings.train.least_steps) *
                task.batch_count(Phase::train, 0);
  for (std::string& warning : run_warnings(record, views, counted_classes(task, experiment.model)))
    record.warnings.push_back(std::move(warning));
  record.seconds = run.manifest.seconds;
  if (run.manifest.later_epochs > 0)
    record.epoch_seconds = run.manifest.later_seconds / run.manifest.later_epochs;
  return record;
}

// The numbers of an answer must mean the same classes as in the run that the weights are of.
void require_same_classes(const fs::path& from, const Task& task) {
  const fs::path run = fs::is_directory(from) ? from : fs::absolute(from).parent_path().parent_path();
  if (!fs::exists(run / "manifest.json")) return;  // weights of no run
  const std::vector<std::string> then = read_class_names(run), now = task.class_names();
  GSAN_CHECK(then == now, "--from: the classes of ", run.string(), " are ", joined(then),
             ", those of the data ", joined(now), "; weights go on only with the same classes");
}

// Passes everything on, says after the first epoch which layers are dead, and keeps the metrics.
class RunWatch final : public TrainObserver {
 public:
  RunWatch(Experiment& experiment, TrainObserver* next) : experiment_(experiment), next_(next) {}
  void on_begin(double done) override {
    if (next_ != nullptr) next_->on_begin(done);
  }
  void on_step(const StepReport& report) override {
    if (next_ != nullptr) next_->on_step(report);
  }
  void on_epoch(const EpochReport& report) override {
    epochs_.push_back({report.epoch, report.metrics});
    if (next_ == nullptr) return;
    next_->on_epoch(report);
    if (report.epoch > 0) return;
    for (const std::string& sentence : dead_layers(*experiment_.task, experiment_.model))
      next_->on_message("warning: after the first epoch " + sentence);
  }
  void on_message(const std::string& message) override {
    if (next_ != nullptr) next_->on_message(message);
  }
  void on_end() override {
    if (next_ != nullptr) next_->on_end();
  }
  const std::vector<EpochMetrics>& epochs() const { return epochs_; }  // of this session

 private:
  Experiment& experiment_;
  TrainObserver* next_;
  std::vector<EpochMetrics> epochs_;
};

}  // namespace

Manifest manifest_of(const Experiment& experiment) {
  Manifest manifest = make_manifest(experiment.settings.seed);
  manifest.device = experiment.device.str();
  manifest.data = experiment.data;
  manifest.first_weights = experiment.first_weights;
  return manifest;
}

RunSettings limited(RunSettings settings, std::size_t max_memory) {
  settings.task.max_memory = max_memory;
  return settings;
}

void write_items(const RunFolder& folder, const Experiment& experiment) {
  write_class_names(folder.path(), experiment.task->class_names());
  write_target_units(folder.path(), experiment.task->target_scale());
  folder.write_split("split", experiment.task->parts(), experiment.split);
}

RunOutcome train(Experiment& experiment, RunFolder* folder, const RunServices& services, bool is_resumed) {
  TrainResult result;
  RunWatch watch(experiment, services.observer);
  if (services.ranks != nullptr) {
    require_same_experiment(experiment, *services.ranks);
    tell_division(experiment, *services.ranks, services.observer);
  }
  {
    TaskTraining training(*experiment.task, experiment.model,
                          {.measure_batch_norms = !experiment.settings.task.is_published(),
                           .passes = passes_of_epoch(*experiment.task, experiment.settings.train.least_steps),
                           .micro_batches = std::max(1, experiment.settings.train.micro_batches),
                           .ranks = services.ranks,
                           .recompute = experiment.settings.train.recompute});
    Trainer trainer(training, experiment.settings.train, experiment.settings.seed,
                    {folder, &watch, services.stop, services.ranks});
    // Other weights come with what they measured of their inputs, and a checkpoint too.
    if (experiment.first_weights.path.empty()) fit_inputs(*experiment.task, experiment.model);
    at::manual_seed(experiment.settings.seed);  // its state is part of every checkpoint
    result = is_resumed ? trainer.resume() : trainer.run();
    if (services.ranks != nullptr) services.ranks->leave();
    const bool follows = services.ranks != nullptr && !services.ranks->is_first();
    if (result.end == TrainEnd::interrupted || follows) return {result.end, {}};
    trainer.load_best();
  }  // what a next step would need is freed before the evaluation
  RunOutcome outcome{result.end, folder != nullptr
                                     ? make_record(experiment, {result, folder->manifest(),
                                                                read_metrics(folder->metrics_file())})
                                     : make_record(experiment, {result, Manifest(), watch.epochs()})};
  if (folder != nullptr) write_record(record_file(folder->path()), *outcome.record);
  return outcome;
}

fs::path record_file(const fs::path& run) { return run / "results.json"; }

RunSettings with_micro_batches(RunSettings settings, const Ranks* ranks) {
  if (ranks != nullptr && settings.train.micro_batches == 0)
    settings.train.micro_batches = standard_micro_batches;
  return settings;
}

// An empty text: nothing is to be done, for the run is finished.
void announce(const std::optional<RunSettings>& settings, const RunServices& services) {
  if (services.ranks != nullptr) services.ranks->broadcast(settings ? to_yaml(*settings) : "");
}

std::optional<RunSettings> followed_settings(const std::optional<RunSettings>& own,
                                             const RunServices& services) {
  const std::string announced = services.ranks->broadcast("");
  if (announced.empty()) return std::nullopt;
  return own ? with_micro_batches(*own, services.ranks)
             : parse_run_settings(announced, concat("the config of ", services.ranks->name(0)));
}

Experiment make_experiment(RunSettings settings, torch::Device device) {
  Experiment experiment{std::move(settings), device, nullptr, {}, Model{nullptr}};
  MadeTask made = make_task(experiment.settings.task, experiment.settings.seed, device);
  experiment.task = std::move(made.task);
  experiment.data = std::move(made.data);
  experiment.split = std::move(made.split);
  experiment.model = Model(experiment.settings.model, experiment.task->shape(),
                           RandomStream(experiment.settings.seed, "weights"));
  experiment.model->to(device, type_of(experiment.settings.train.precision));
  experiment.model->set_precision(experiment.settings.train.precision);
  return experiment;
}

RunOutcome train_experiment(Experiment& experiment, const std::optional<fs::path>& path,
                            const RunServices& services) {
  if (!path) return train(experiment, nullptr, services, false);
  Manifest manifest = manifest_of(experiment);
  if (const std::string& data = experiment.settings.task.data.path; !data.empty())
    manifest.data_folder = fs::weakly_canonical(fs::absolute(data))
                               .lexically_relative(fs::weakly_canonical(fs::absolute(*path)))
                               .string();
  RunFolder folder = [&] {
    const SlowWork writes(services.ranks);
    RunFolder made = RunFolder::create(*path, manifest, to_yaml(experiment.settings));
    write_items(made, experiment);
    return made;
  }();
  return train(experiment, &folder, services, false);
}

RunOutcome start_run(const RunSettings& wanted, const fs::path& path, const RunServices& services,
                     const fs::path& from) {
  const RunSettings settings = with_micro_batches(wanted, services.ranks);
  if (services.is_restart && fs::exists(path / "manifest.json")) {
    GSAN_CHECK(to_yaml(read_run_settings(path)) == to_yaml(settings), path.string(),
               " holds another run than the one that is restarted; choose another folder with --output");
    return resume_run(path, services);
  }
  GSAN_CHECK(!fs::exists(path / "manifest.json"), path.string(),
             " holds a run already; resume it with `gsan train --resume ", path.string(),
             "`, or choose another folder with --output");
  announce(settings, services);
  Experiment experiment = make_experiment(limited(settings, services.max_memory), services.device);
  if (!from.empty()) {
    require_same_classes(from, *experiment.task);
    experiment.first_weights = load_start_weights(from, experiment.model);
  }
  return train_experiment(experiment, path, services);
}

RunOutcome follow_run(const std::optional<RunSettings>& own, const RunServices& services) {
  std::optional<RunSettings> settings = followed_settings(own, services);
  if (!settings) return {};
  Experiment experiment =
      make_experiment(limited(std::move(*settings), services.max_memory), services.device);
  return train(experiment, nullptr, services, false);
}

}  // namespace gsan
