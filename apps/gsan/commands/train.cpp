// gsan train: a model for a task, from data to results, in a run folder.

#include <functional>
#include <iostream>
#include <memory>

#include "gsan/core/atomic_file.h"
#include "gsan/core/text.h"
#include "gsan/tasks/task_kinds.h"
#include "gsan/train/experiment.h"
#include "gsan/train/progress.h"
#include "gsan/train/start_weights.h"
#include "gsan/train/stored_run.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/device.h"
#include "apps/gsan/console/keys_page.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/out_of_memory.h"
#include "apps/gsan/console/rehearsal_report.h"
#include "apps/gsan/console/run_report.h"
#include "apps/gsan/console/stop_signal.h"
#include "apps/gsan/runner/memory_limit.h"
#include "apps/gsan/runner/rank_launcher.h"
#include "apps/gsan/runner/rank_session.h"
#include "apps/gsan/runner/retained_memory.h"
#include "apps/gsan/runner/run_words.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

// Without progress, what people must know is told all the same.
class OnlyMessages final : public TrainObserver {
 public:
  void on_message(const std::string& message) override { std::cerr << "gsan: " << message << std::endl; }
};

struct TrainWords {
  RunWords words;
  std::string output, resume, from;
  bool quiet = false, check = false, keys = false, keys_page = false;
  MachineOptions machine;
  RankOptions ranks;
  MemoryLimit memory;
  ReportOptions report;
};

void check_usage(const TrainWords& options) {
  if (options.keys_page) return;
  if (options.ranks.max_restarts > 0 && options.ranks.processes == 0)
    throw CLI::ValidationError("--max-restarts",
                               "goes with --processes; torchrun has an option of the same name");
  if (!options.resume.empty() &&
      !(options.words.has_keys_only() && options.output.empty() && options.from.empty()))
    throw CLI::ValidationError(
        "--resume", "takes task, data, model and folder from the run; give nothing with it but key=value");
  if (options.resume.empty() && options.words.empty())
    throw CLI::ValidationError(
        "train", concat("give a task (", joined(task_names()), "), a config file or --resume RUN"));
}

// The first steps of the run, and nothing that stays. Ranks make them together; rank 0 reports.
ExitCode check(RunSettings settings, const TrainWords& options, const RunServices& services) {
  Ranks* const ranks = services.ranks;
  settings = with_micro_batches(std::move(settings), ranks);
  settings.task.max_memory = services.max_memory;
  Experiment experiment = make_experiment(std::move(settings), services.device);
  if (!options.from.empty()) load_start_weights(options.from, experiment.model);
  const Rehearsal found = rehearse(experiment, {.ranks = ranks});
  if (ranks != nullptr) ranks->leave();
  if (ranks == nullptr || ranks->is_first())
    options.report.write(rehearsal_json(experiment, found), rehearsal_text(experiment, found));
  return ExitCode::success;
}

// Memory that ends leaves the run as its last checkpoint has it.
RunOutcome saying_how_to_resume(const fs::path& path, const std::function<RunOutcome()>& train) {
  try {
    return train();
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    fail(Fault::resource, out_of_memory_text(error, concat("training ", path.string())), resume_text(path));
  }
}

// A rank that follows rank 0: nothing is written or printed.
ExitCode follow(const TrainWords& options, RunServices services) {
  std::optional<RunSettings> own;
  if (options.resume.empty()) own = options.words.settings();
  if (own && own->train.recompute) return_large_blocks();
  services.device = options.machine.apply();
  services.max_memory = options.memory.apply(services.device.is_cpu());
  services.stop = &catch_stop_signals();
  if (options.check) return check(followed_settings(own, services).value(), options, services);
  const RunOutcome outcome = follow_run(own, services);
  return outcome.end == TrainEnd::interrupted ? ExitCode::interrupted : ExitCode::success;
}

ExitCode train(const TrainWords& options, const RunServices& with) {
  const bool is_new = options.resume.empty();
  RunSettings settings =
      is_new ? options.words.settings() : read_run_settings(options.resume, options.words.words);
  const fs::path path = !is_new                  ? fs::path(options.resume)
                        : options.output.empty() ? standard_folder(settings)
                                                 : fs::path(options.output);
  if (settings.train.recompute) return_large_blocks();
  const torch::Device device = options.machine.apply();
  settings.task.max_memory = options.memory.apply(device.is_cpu());
  RunServices services = with;
  services.device = device;
  services.max_memory = settings.task.max_memory;
  if (options.check) {
    announce(with_micro_batches(settings, services.ranks), services);
    return check(std::move(settings), options, services);
  }
  services.stop = &catch_stop_signals();
  Progress progress(std::cerr, progress_options(2));
  OnlyMessages messages;
  services.observer = &progress;
  if (options.quiet) services.observer = &messages;

  const RunOutcome outcome = saying_how_to_resume(path, [&] {
    return is_new ? start_run(settings, path, services, options.from)
                  : resume_run(path, services, options.words.words);
  });
  if (!outcome.record) {
    if (options.report.json)
      options.report.write({{"command", "train"}, {"run", path.string()}, {"end", name_of(outcome.end)}}, "");
    std::cerr << "interrupted; resume with: gsan train --resume " << path.string() << std::endl;
    return ExitCode::interrupted;
  }
  const std::string text = run_text(path, *outcome.record, settings);
  write_file_atomically(path / "report.txt", text);
  options.report.write(run_json(path, *outcome.record, settings), text);
  return ExitCode::success;
}

ExitCode run(const TrainWords& options) {
  if (options.keys_page) {
    std::cout << keys_page() << std::flush;
    return ExitCode::success;
  }
  if (options.keys) {
    std::cout << run_schema(options.words.settings()).describe() << std::flush;
    return ExitCode::success;
  }
  if (options.ranks.processes > 0) return launch_ranks(options.ranks, options.machine.threads == 0);
  const std::optional<RankPlace> place = rank_place();
  if (!place) {
    GSAN_CHECK(options.ranks.backend == name_of(RankBackend::automatic),
               "--backend: one process exchanges nothing; it goes with --processes N or torchrun");
    return train(options, {});
  }
  const std::string device = device_of_rank(options.machine.device, place->local_rank);
  const auto backend = parse_enum<RankBackend>(options.ranks.backend, "--backend");
  return as_rank(*place, backend, device, [&](Ranks& ranks) {
    TrainWords own = options;
    own.machine.device = device;
    RunServices services;
    services.ranks = &ranks;
    services.is_restart = place->restarts > 0;
    return ranks.is_first() ? train(own, services) : follow(own, services);
  });
}

}  // namespace

Command add_train(CLI::App& app) {
  auto options = std::make_shared<TrainWords>();
  CLI::App* command = app.add_subcommand("train", "Train a model for a task");
  command->footer(
      "Examples:\n"
      "  gsan train trajectory --output runs/islands\n"
      "  gsan train trajectory --model san model.hidden_channels=16 train.epochs=30 --output runs/san\n"
      "  gsan train --resume runs/islands\n"
      "  gsan train --resume runs/authors train.epochs=400\n"
      "  gsan train runs/streets/config.yaml --from runs/streets --data town --output runs/town\n"
      "  gsan train graph-classification --processes 4 --output runs/proteins\n"
      "  gsan train trajectory --keys\n"
      "Ctrl-C saves a checkpoint and says how to resume; a second one ends at once.");
  options->words.add_to(*command);
  command->add_option("--output", options->output, "run folder (default runs/TASK-DATA-MODEL-seedN)")
      ->type_name("RUN");
  command
      ->add_option("--resume", options->resume,
                   "continue the run in this folder; with train.epochs=N a finished one is trained longer "
                   "(not along a "
                   "cosine, whose rates depend on the length: --from)")
      ->type_name("RUN");
  command
      ->add_option("--from", options->from,
                   "start from the weights of a run (its best epoch) or of a weights file")
      ->type_name("RUN|FILE");
  command->add_flag("--keys", options->keys,
                    "print every key with its value, rule and meaning instead of training");
  command->add_flag("--keys-page", options->keys_page,
                    "print the reference page of all keys (docs/config.md)");
  command->add_flag("--check", options->check,
                    "print what the run will do, with the time and memory of its first steps, and stop");
  command->add_flag("--quiet", options->quiet,
                    "no progress on standard error, only what is not as it should be");
  options->machine.add_to(*command);
  options->ranks.add_to(*command);
  options->memory.add_to(*command);
  options->report.add_to(*command, false);
  command->callback([options] { check_usage(*options); });
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
