#include "gsan/train/resumed_settings.h"

#include <algorithm>

#include "gsan/core/atomic_file.h"
#include "gsan/core/text.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view resumable_keys[] = {"train.epochs", "train.patience", "train.checkpoint_seconds",
                                               "train.capture"};

bool is_resumable(std::string_view key) {
  return std::find(std::begin(resumable_keys), std::end(resumable_keys), key) != std::end(resumable_keys);
}

// A new run that goes on from the weights of this one.
std::string command_from(const fs::path& run, const std::string& words) {
  return concat("`gsan train ", (run / "config.yaml").string(), " --from ", run.string(), " ", words,
                " --output NEW`");
}

void require_resumable(const std::vector<std::string>& changes, const fs::path& run) {
  std::vector<std::string> refused;
  for (const std::string& word : changes)
    if (const std::string key(trimmed(std::string_view(word).substr(0, word.find('=')))); !is_resumable(key))
      refused.push_back(key);
  GSAN_CHECK(refused.empty(), "--resume: ", joined(refused), " cannot change in a run that has begun, only ",
             joined(resumable_keys), " can; start a new run from its weights with ",
             command_from(run, "key=value"));
}

}  // namespace

RunSettings resumed_settings(const fs::path& run, const fs::path& config,
                             const std::vector<std::string>& changes, const std::string& moved) {
  const std::string text = read_file(config);
  std::vector<std::string> words;
  if (!moved.empty()) words.push_back(moved);
  const RunSettings then = parse_run_settings(text, config.string(), words);
  if (changes.empty()) return then;
  words.insert(words.end(), changes.begin(), changes.end());
  RunSettings now = parse_run_settings(text, config.string(), words);
  require_resumable(changes, run);
  GSAN_CHECK(
      now.train.epochs == then.train.epochs || now.train.schedule.kind != ScheduleKind::cosine,
      "--resume: train.epochs cannot change from ", then.train.epochs, " to ", now.train.epochs,
      ": the learning rate falls along a cosine that ends with the last epoch (train.schedule.kind=cosine), "
      "so that a run of another length is another run from its first step; start one from its weights with ",
      command_from(run, concat("train.epochs=", now.train.epochs)));
  return now;
}

std::vector<SettingChange> changes_between(const RunSettings& then, const RunSettings& now) {
  const ConfigSchema before = run_schema(then), after = run_schema(now);
  std::vector<SettingChange> changes;
  for (const auto& [name, key] : after.keys()) {
    const auto found = before.keys().find(name);
    const std::string from = found == before.keys().end() ? "" : to_text(found->second.value);
    if (const std::string to = to_text(key.value); from != to) changes.push_back({name, from, to});
  }
  return changes;
}

void require_work(const TrainOptions& options, const TrainState& state, const fs::path& run,
                  bool has_record) {
  const bool ends_here = !has_record && state.step == 0 && options.epochs == state.epoch;
  GSAN_CHECK(
      options.epochs > state.epoch || ends_here, "--resume: ", run.string(), " has done ", state.epoch,
      " epochs; with train.epochs=", options.epochs, " nothing is left to train; give more",
      has_record ? "" : concat(", or train.epochs=", state.epoch + (state.step > 0), " to end it there"));
  GSAN_CHECK(options.patience == 0 || state.patience.waited < options.patience, "--resume: ", run.string(),
             " stopped early: the last ", state.patience.waited,
             " validations were not better, and train.patience is ", options.patience,
             "; to train longer, give a larger train.patience too, or 0");
}

}  // namespace gsan
