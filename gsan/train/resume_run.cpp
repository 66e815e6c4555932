#include "gsan/train/detail/experiment.h"
#include "gsan/train/resumed_settings.h"
#include "gsan/train/start_weights.h"
#include "gsan/train/stored_run.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

// Those that the run began with, unless a checkpoint has later ones.
void take_first_weights(Experiment& experiment, const RunFolder& folder) {
  experiment.first_weights = folder.manifest().first_weights;
  if (!experiment.first_weights.path.empty() && no_checkpoint(folder.last_checkpoint()))
    load_start_weights(experiment.first_weights, experiment.model, folder.path());
}

void change_settings(RunFolder& folder, const RunSettings& settings, std::vector<SettingChange> changes) {
  TrainState state;
  const fs::path last = folder.last_checkpoint();
  GSAN_CHECK(!no_checkpoint(last) || !fs::exists(record_file(folder.path())), "--resume: ", last.string(),
             " is missing: the run cannot be trained longer; start a new one from its weights with --from ",
             folder.path().string());
  if (!no_checkpoint(last)) {
    const CheckpointFile file = read_checkpoint(last);
    state = from_map<TrainState>(file.checkpoint.settings("state."), file.path.string());
  }
  require_work(settings.train, state, folder.path(), fs::exists(record_file(folder.path())));
  for (SettingChange& change : changes) change.epochs = state.epoch, change.time = utc_now();
  folder.change_settings(to_yaml(settings), changes);
}

}  // namespace

RunOutcome resume_run(const fs::path& path, const RunServices& services,
                      const std::vector<std::string>& words) {
  RunFolder folder = RunFolder::open(path);
  std::vector<SettingChange> changes;
  if (!words.empty()) changes = changes_between(read_run_settings(path), read_run_settings(path, words));
  if (fs::exists(record_file(path)) && changes.empty()) {
    RunRecord record = read_record(record_file(path));
    const TrainEnd end = parse_enum<TrainEnd>(record.end, record_file(path).string() + ": end");
    announce(std::nullopt, services);
    return {end, std::move(record)};
  }
  RunSettings settings = read_run_settings(path, words);
  require_data(path, settings.task.data);
  announce(settings, services);
  Experiment experiment = make_experiment(limited(std::move(settings), services.max_memory), services.device);
  require_same_data(path, *experiment.task, experiment.data);
  take_first_weights(experiment, folder);
  if (!changes.empty()) change_settings(folder, experiment.settings, std::move(changes));
  if (!fs::exists(split_file(path))) {  // it ended before it wrote them
    const SlowWork writes(services.ranks);
    write_items(folder, experiment);
  }
  if (services.observer != nullptr)
    for (const std::string& difference : differences(folder.manifest(), manifest_of(experiment)))
      services.observer->on_message("not as in the run so far: " + difference);
  return train(experiment, &folder, services, true);
}

}  // namespace gsan
