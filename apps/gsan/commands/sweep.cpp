// gsan sweep: many trainings at once, over keys of the config and over seeds, ranked by validation.

#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/config_text.h"
#include "gsan/core/make_folder.h"
#include "gsan/train/recipes.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/runner/file_lock.h"
#include "apps/gsan/runner/job_options.h"
#include "apps/gsan/runner/run_words.h"
#include "apps/gsan/runner/sweep_outcomes.h"
#include "apps/gsan/runner/sweep_plan.h"
#include "apps/gsan/runner/sweep_ranking.h"
#include "apps/gsan/runner/sweep_work.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

struct SweepWords {
  RunWords words;
  std::vector<std::string> grid, random;
  int draws = 0, seeds = 0;  // 0: not given
  std::string output;
  bool resume = false;
  JobOptions jobs;
  ReportOptions report;
};

// The key `seed` of the config or among the words; a value that is none is reported with the other faults.
std::uint64_t first_seed(const SweepPlan& plan) {
  ConfigText config(find_config);
  if (plan.config) config.add_document(*plan.config, "config");
  for (const std::string& one : plan.base) config.add_override(one);
  const std::string text = config.text("seed").value_or("0");
  std::uint64_t seed = 0;
  std::from_chars(text.data(), text.data() + text.size(), seed);
  return seed;
}

// What the command line asks for.
SweepPlan wanted_plan(const SweepWords& options) {
  RunWords words = options.words;
  words.seed.reset();  // every run gets its own
  SweepPlan plan;
  plan.base = words.overrides();
  if (const std::string file = words.file(); !file.empty())
    plan.config = with_absolute_base(read_file(file), file);
  plan.space.seed = options.words.seed.value_or(first_seed(plan));
  for (const std::string& text : options.grid) plan.space.grid.push_back(parse_grid_axis(text));
  for (const std::string& text : options.random) plan.space.random.push_back(parse_random_axis(text));
  GSAN_CHECK(options.draws == 0 || !options.random.empty(),
             "--trials: says how often --random is drawn; a grid has as many trials as points");
  GSAN_CHECK(options.draws > 0 || options.random.empty(), "--random: give --trials N, too");
  plan.space.draws = std::max(1, options.draws);
  plan.seeds = std::max(1, options.seeds);
  plan.threads = options.jobs.threads_of_each();
  plan.space.validate();
  return plan;
}

// The plan of the folder, as it is there.
SweepPlan resumed_plan(const SweepWords& options) {
  GSAN_CHECK(options.resume && !options.output.empty(),
             "sweep: give a task or a config file; to go on with a sweep: --output FOLDER --resume");
  GSAN_CHECK(options.grid.empty() && options.random.empty(),
             "sweep: --resume without a task takes all keys from the folder");
  GSAN_CHECK(holds_sweep(options.output), "sweep: ", options.output, " holds no sweep to go on with");
  SweepPlan plan = read_plan(options.output);
  plan.space.draws = std::max(plan.space.draws, options.draws);
  plan.seeds = std::max(plan.seeds, options.seeds);
  return plan;
}

struct SettledSweep {
  SweepPlan plan;
  fs::path folder;
};

// Nothing is written before all of it is sound.
SettledSweep settle(const SweepWords& options) {
  SettledSweep sweep;
  const bool is_asked = !(options.words.words.empty() && options.words.config.empty());
  sweep.plan = is_asked ? wanted_plan(options) : resumed_plan(options);
  const RunSettings settings = checked_settings(sweep.plan);
  sweep.folder =
      !options.output.empty() ? fs::path(options.output) : fs::path("sweeps") / standard_name(settings);
  GSAN_CHECK(holds_sweep(sweep.folder) || !options.resume, "sweep: ", sweep.folder.string(),
             " holds no sweep to go on with");
  if (is_asked && holds_sweep(sweep.folder))
    sweep.plan = extend(read_plan(sweep.folder), sweep.plan, sweep.folder);
  return sweep;
}

ExitCode run(const SweepWords& options) {
  const SettledSweep sweep = settle(options);
  const auto& [plan, folder] = sweep;
  make_folder(folder);
  const std::optional<FileLock> lock = FileLock::try_take(folder / ".lock");
  GSAN_CHECK(lock, "sweep: another process is working in ", folder, "; wait for it or choose another folder");
  write_plan(folder, plan);

  SweepEnd end = work_on({.plan = plan,
                          .folder = folder,
                          .jobs = options.jobs.at_once(),
                          .threads = plan.threads,
                          .device = options.jobs.device,
                          .quiet = options.jobs.quiet});
  if (!end.is_finished) {
    std::cerr << "resume with: gsan sweep --output " << folder.string() << " --resume\n";
    return ExitCode::interrupted;
  }

  Json report{{"command", "sweep"}, {"folder", folder.string()}, {"seeds", plan.seeds}};
  report.update(ranking_json(outcomes_of(runs_of(folder, plan), plan.space.trials(), end.errors)));
  const fs::path table = folder / "ranking.csv";
  write_file_atomically(table, ranking_csv(report));
  report["files"] = {table.string()};
  options.report.write(report, ranking_text(report));
  return end.has_failed() ? ExitCode::run_failed : ExitCode::success;
}

}  // namespace

Command add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepWords>();
  CLI::App* command =
      app.add_subcommand("sweep", "Many trainings over settings and seeds, ranked by validation");
  command->footer(
      "Three seeds of every combination:\n"
      "  gsan sweep trajectory --grid model.heads=1,2 --grid model.n_layers=1,2 --seeds 3 --output heads\n"
      "Twenty draws:\n"
      "  gsan sweep trajectory --random train.optimizer.learning_rate=1e-4..1e-1:log --trials 20 --output "
      "rates\n"
      "Only what is missing, after an interruption:\n"
      "  gsan sweep --output rates --resume");
  options->words.add_to(*command);
  command
      ->add_option("--grid", options->grid,
                   "key=a,b,c: every value; several keys: every combination. Repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUES");
  command
      ->add_option("--random", options->random,
                   "key=low..high, key=low..high:log or key=a,b,c: a draw for every trial. Repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=RANGE");
  command->add_option("--trials", options->draws, "draws of the --random keys, for every point of the grid")
      ->check(CLI::Range(1, 100000));
  command->add_option("--seeds", options->seeds, "runs of each trial, with seed, seed + 1, ... (1)")
      ->check(CLI::Range(1, 10000));
  options->jobs.add_to(*command);
  command->add_option("--output", options->output, "folder of the sweep (default: sweeps/TASK-DATA-MODEL)")
      ->type_name("FOLDER");
  command->add_flag("--resume", options->resume, "go on with the sweep in the folder: run what is missing");
  options->report.add_to(*command, false);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
