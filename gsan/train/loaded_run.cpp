#include "gsan/train/loaded_run.h"

#include "gsan/data/sources/source.h"
#include "gsan/nn/weights.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/checkpoint.h"
#include "gsan/train/class_names.h"
#include "gsan/train/run_folder.h"
#include "gsan/train/stored_run.h"
#include "gsan/train/target_units.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

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

}  // namespace

LoadedRun load_run(const fs::path& path, const LoadOptions& options) {
  RunSettings settings = read_run_settings(path);
  const StoredWeights stored = read_weights_of(path, options.weights);
  Model model = model_of(stored.file, stored.source);
  require_same_spec(model->spec(), settings.model, stored.source);
  model->to(options.device);
  model->set_precision(settings.train.precision);
  if (options.data.empty()) {
    require_data(path, settings.task.data);
  } else {
    const bool is_folder = fs::is_directory(options.data);
    const std::string folder = is_folder ? fs::canonical(options.data).string() : "";
    settings.task.data =
        with_source(settings.task.data, is_folder ? find_source("", folder).title : options.data, folder);
    settings.task.trained = TrainedOn{read_class_names(path), model->shape().in_channels,
                                      options.uses_positives, read_target_units(path)};
  }
  settings.task.max_memory = options.max_memory;
  MadeTask made = make_task(settings.task, settings.seed, options.device);
  if (options.data.empty()) require_same_data(path, *made.task, made.data);
  require_fit(model, made.task->shape(), settings.task.data.name);
  return {{std::move(settings), options.device, std::move(made.task), std::move(made.data), model,
           std::move(made.split)},
          stored.epoch};
}

LoadedRun load_saved_model(const fs::path& weights, RunSettings settings, const LoadOptions& options) {
  Model model = model_of(read_weights(weights), weights.string());
  model->to(options.device);
  model->set_precision(settings.train.precision);
  settings.model = model->spec();
  settings.task.max_memory = options.max_memory;
  MadeTask made = make_task(settings.task, settings.seed, options.device);
  require_fit(model, made.task->shape(), settings.task.data.name);
  return {{std::move(settings), options.device, std::move(made.task), std::move(made.data), model,
           std::move(made.split)}};
}

}  // namespace gsan
