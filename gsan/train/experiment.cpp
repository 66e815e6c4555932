#include "gsan/train/experiment.h"

#include <ATen/Context.h>

#include "gsan/core/atomic_file.h"
#include "gsan/nn/weights.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/class_names.h"
#include "gsan/train/diagnosis.h"
#include "gsan/train/task_training.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

Manifest manifest_of(const Experiment& experiment) {
  Manifest manifest = make_manifest(experiment.settings.seed);
  manifest.device = experiment.device.str();
  manifest.data = experiment.data;
  return manifest;
}

std::vector<std::string> dead_layers(const Task& task, Model& model) {
  std::vector<std::string> sentences;
  for (const LayerDiagnosis& layer : diagnose(task, model, /*with_gradients=*/false))
    if (layer.is_dead()) sentences.push_back(layer.sentence());
  return sentences;
}

RunRecord make_record(Experiment& experiment, const TrainResult& result, const Manifest& manifest) {
  const Task& task = *experiment.task;
  RunRecord record;
  record.task = task.name();
  record.protocol = name_of(experiment.settings.task.protocol);
  record.data = experiment.settings.task.data.name;
  record.model = experiment.settings.model.name;
  record.seed = experiment.settings.seed;
  record.end = name_of(result.end);
  record.epochs = result.epochs;
  record.best_epoch = result.best_epoch;
  record.parameters = experiment.model->parameter_count();
  const bool can_validate = task.has_items(Phase::validation);
  record.choosing_metric = can_validate ? task.choosing_metric() : "";
  record.headline_metric = task.headline_metric();
  record.more_is_better = task.more_is_better();
  if (can_validate) record.validation = evaluate(task, experiment.model, Phase::validation);
  if (task.has_items(Phase::test)) {
    record.test = evaluate(task, experiment.model, Phase::test);
    record.rules = task.rules(Phase::test);
  }
  record.remarks = task.remarks();
  record.warnings = dead_layers(task, experiment.model);
  record.seconds = manifest.seconds;
  if (manifest.later_epochs > 0) record.epoch_seconds = manifest.later_seconds / manifest.later_epochs;
  return record;
}

struct StoredWeights {
  SafetensorsFile file;
  std::string source;
  std::int64_t epoch = -1;
};

fs::path weights_file(const fs::path& run, RunWeights weights) {
  const fs::path best = RunFolder::best_checkpoint(run);
  switch (weights) {
    case RunWeights::best:
      return best;
    case RunWeights::previous:
      return previous_checkpoint(best);
    case RunWeights::last:
      return RunFolder::last_checkpoint(run);
  }
  return best;
}

std::int64_t stored_epoch(const Checkpoint& checkpoint, RunWeights weights) {
  int epoch = -1;
  const OptionMap state = checkpoint.settings(weights == RunWeights::last ? "state." : "best.");
  if (const auto found = state.find("epoch"); found != state.end()) options::from_text(found->second, epoch);
  return weights == RunWeights::last ? epoch - 1 : epoch;  // the state is that of the epoch to come
}

StoredWeights read_weights_of(const fs::path& run, RunWeights weights) {
  const fs::path path = weights_file(run, weights);
  GSAN_CHECK(fs::exists(path) || !no_checkpoint(RunFolder::best_checkpoint(run)) ||
                 !no_checkpoint(RunFolder::last_checkpoint(run)),
             run.string(), " holds no weights yet: ", path.string(),
             " is missing; resume the run with `gsan train --resume ", run.string(), "`");
  try {
    Checkpoint checkpoint = read_newest_checkpoint(path).checkpoint;
    const std::int64_t epoch = stored_epoch(checkpoint, weights);
    NamedTensors tensors =
        weights == RunWeights::last ? checkpoint.part("model.") : std::move(checkpoint.tensors);
    return {{std::move(tensors), std::move(checkpoint.metadata)}, path.string(), epoch};
  } catch (const Error& error) {
    std::string others;
    for (const auto& [other, name] : EnumNames<RunWeights>::names)
      if (other != weights && fs::exists(weights_file(run, other)))
        others += concat(others.empty() ? "" : " or ", "--weights ", name);
    fail(error.fault(), error.what(),
         others.empty() ? "" : concat("; weights of another epoch are there: take them with ", others));
  }
}

// What the file says of the model against what the settings say.
void require_same_spec(const ModelSpec& stored, const ModelSpec& wanted, const std::string& source) {
  const ModelShape none;
  const OptionMap then = to_map(stored, none), now = to_map(wanted, none);
  std::vector<std::string> faults;
  for (const auto& [name, value] : now)
    if (const auto found = then.find(name); found == then.end() || found->second != value)
      faults.push_back(concat(name, " is ", found == then.end() ? "missing" : found->second, " there, ",
                              value, " in config.yaml"));
  options::report(concat(source, " is of another model than the run"), faults);
}

RunSettings limited(RunSettings settings, std::size_t max_memory) {
  settings.task.max_memory = max_memory;
  return settings;
}

fs::path split_file(const fs::path& run) { return run / "splits" / "split.json"; }

// The split is last: where it is, all is.
void write_items(const RunFolder& folder, const Task& task) {
  write_class_names(folder.path(), task.class_names());
  folder.write_split("split", task.parts());
}

// Passes everything on, and says after the first epoch which layers are dead.
class DeadLayerWatch final : public TrainObserver {
 public:
  DeadLayerWatch(Experiment& experiment, TrainObserver* next) : experiment_(experiment), next_(next) {}
  void on_begin(double done) override {
    if (next_ != nullptr) next_->on_begin(done);
  }
  void on_step(const StepReport& report) override {
    if (next_ != nullptr) next_->on_step(report);
  }
  void on_epoch(const EpochReport& report) override {
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

 private:
  Experiment& experiment_;
  TrainObserver* next_;
};

RunOutcome train(Experiment& experiment, RunFolder* folder, const RunServices& services, bool is_resumed) {
  TrainResult result;
  DeadLayerWatch watch(experiment, services.observer);
  {
    TaskTraining training(*experiment.task, experiment.model,
                          {.measure_batch_norms = !experiment.settings.task.is_published(),
                           .recompute = experiment.settings.train.recompute});
    Trainer trainer(training, experiment.settings.train, experiment.settings.seed,
                    {folder, &watch, services.stop});
    fit_inputs(*experiment.task, experiment.model);
    at::manual_seed(experiment.settings.seed);  // its state is part of every checkpoint
    result = is_resumed ? trainer.resume() : trainer.run();
    if (result.end == TrainEnd::interrupted) return {result.end, {}};
    trainer.load_best();
  }  // what a next step would need is freed before the evaluation
  RunOutcome outcome{result.end,
                     make_record(experiment, result, folder != nullptr ? folder->manifest() : Manifest())};
  if (folder != nullptr) write_record(record_file(folder->path()), *outcome.record);
  return outcome;
}

}  // namespace

fs::path record_file(const fs::path& run) { return run / "results.json"; }

Experiment make_experiment(RunSettings settings, torch::Device device) {
  Experiment experiment{std::move(settings), device, nullptr, {}, Model{nullptr}};
  MadeTask made = make_task(experiment.settings.task, experiment.settings.seed, device);
  experiment.task = std::move(made.task);
  experiment.data = std::move(made.data);
  experiment.model = Model(experiment.settings.model, experiment.task->shape(),
                           RandomStream(experiment.settings.seed, "weights"));
  experiment.model->to(device);
  return experiment;
}

RunOutcome train_experiment(Experiment& experiment, const std::optional<fs::path>& path,
                            const RunServices& services) {
  if (!path) return train(experiment, nullptr, services, false);
  RunFolder folder = RunFolder::create(*path, manifest_of(experiment), to_yaml(experiment.settings));
  write_items(folder, *experiment.task);
  return train(experiment, &folder, services, false);
}

RunOutcome start_run(const RunSettings& settings, const fs::path& path, const RunServices& services) {
  GSAN_CHECK(!fs::exists(path / "manifest.json"), path.string(),
             " holds a run already; resume it with `gsan train --resume ", path.string(),
             "`, or choose another folder with --output");
  Experiment experiment = make_experiment(limited(settings, services.max_memory), services.device);
  return train_experiment(experiment, path, services);
}

RunOutcome resume_run(const fs::path& path, const RunServices& services) {
  RunFolder folder = RunFolder::open(path);
  if (fs::exists(record_file(path))) {
    RunRecord record = read_record(record_file(path));
    const TrainEnd end = parse_enum<TrainEnd>(record.end, record_file(path).string() + ": end");
    return {end, std::move(record)};
  }
  Experiment experiment =
      make_experiment(limited(read_run_settings(path), services.max_memory), services.device);
  require_same_data(path, *experiment.task, experiment.data);
  if (!fs::exists(split_file(path))) write_items(folder, *experiment.task);  // it ended before it wrote them
  if (services.observer != nullptr)
    for (const std::string& difference : differences(folder.manifest(), manifest_of(experiment)))
      services.observer->on_message("not as in the run so far: " + difference);
  return train(experiment, &folder, services, true);
}

void require_same_data(const fs::path& run, const Task& task, const DataHashes& data) {
  Manifest now;
  now.data = data;
  std::string text;
  for (const std::string& difference : data_differences(read_manifest(run / "manifest.json"), now))
    text += "\n  " + difference;
  GSAN_CHECK(text.empty(), run.string(), ": the data are not those of the run any more:", text,
             "\nBring the old files back; or take the new ones as other data (eval and predict: --data "
             "FOLDER), or begin a new run.");
  GSAN_CHECK(
      !fs::exists(split_file(run)) || read_file(split_file(run)) == RunFolder::split_text(task.parts()),
      split_file(run).string(),
      " is not the split that the settings of the run give now: a file that "
      "split.file names was changed, or the run is of another version of gsan; begin a new run");
}

RunSettings read_run_settings(const fs::path& path) {
  GSAN_CHECK(fs::exists(path / "manifest.json"), path.string(),
             " holds no run: there is no manifest.json in it; `gsan train` makes one");
  read_manifest(path / "manifest.json");  // a run of another version is refused as such, not for its keys
  const fs::path config = path / "config.yaml";
  return parse_run_settings(read_file(config), config.string());
}

LoadedRun load_run(const fs::path& path, const LoadOptions& options) {
  RunSettings settings = read_run_settings(path);
  const StoredWeights stored = read_weights_of(path, options.weights);
  Model model = model_of(stored.file, stored.source);
  require_same_spec(model->spec(), settings.model, stored.source);
  model->to(options.device);
  if (!options.data.empty()) {
    const bool is_folder = fs::is_directory(options.data);
    const fs::path folder = is_folder ? fs::canonical(options.data) : fs::path();
    settings.task.data = with_source(settings.task.data,
                                     is_folder ? folder.filename().string() : options.data, folder.string());
    settings.task.trained = TrainedOn{read_class_names(path), model->shape().in_channels};
  }
  if (options.keeps_order) settings.task.data.reorder = VertexOrder::given;
  settings.task.max_memory = options.max_memory;
  MadeTask made = make_task(settings.task, settings.seed, options.device);
  if (options.data.empty()) require_same_data(path, *made.task, made.data);
  require_fit(model, made.task->shape(), settings.task.data.name);
  return {{std::move(settings), options.device, std::move(made.task), std::move(made.data), model},
          stored.epoch};
}

}  // namespace gsan
