// gsan reproduce: the tables of the paper, run by run, printed next to the paper.

#include <algorithm>
#include <iostream>
#include <memory>

#include "gsan/core/atomic_file.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/reproduce_estimate.h"
#include "apps/gsan/reproduce_flaws.h"
#include "apps/gsan/reproduce_list.h"
#include "apps/gsan/reproduce_page.h"
#include "apps/gsan/reproduce_plan.h"
#include "apps/gsan/reproduce_records.h"
#include "apps/gsan/reproduce_report.h"
#include "apps/gsan/reproduce_runs.h"
#include "apps/gsan/reproduce_targets.h"
#include "apps/gsan/runner/job_options.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* epochs_of_timing = "train.epochs=3";

struct Options {
  std::vector<std::string> tables;
  PlanChoice choice;
  std::string protocol = "strict", format = "text";
  std::string experiments = "experiments", results, work = "runs/reproduce", page;
  double budget = -1;  // minutes; negative: none
  int splits = 20;
  JobOptions jobs;
  bool list = false, report_only = false, time = false;
  ReportOptions report;

  fs::path results_folder() const {
    return results.empty() ? fs::path(experiments) / "results" : fs::path(results);
  }
};

bool is_flaws(const Options& options) { return options.tables == std::vector<std::string>{"flaws"}; }

void check_usage(Options& options) {
  if (options.report.json) options.format = "json";
  if (options.tables.empty() && options.page.empty())
    throw CLI::ValidationError("reproduce", "give a table, or all: --help names them");
  if (options.list + options.report_only + options.time + !options.page.empty() > 1)
    throw CLI::ValidationError("reproduce", "--list, --report, --time and --page exclude each other");
  const bool is_table = options.format == "csv" || options.format == "markdown";
  if (is_table && (options.list || options.time || is_flaws(options)))
    throw CLI::ValidationError("--format", "csv and markdown are forms of tables; here text or json");
  const PlanChoice& choice = options.choice;
  if (is_flaws(options) &&
      (options.list || options.time || choice.only_targets || choice.seeds > 0 ||
       !(choice.rows.empty() && choice.columns.empty() && choice.blocks.empty() && choice.set.empty())))
    throw CLI::ValidationError("flaws",
                               "it has no runs to choose from; --splits says how much is measured, "
                               "--report tells what was");
  for (const std::string& change : choice.set)
    if (change.starts_with("seed="))
      throw CLI::ValidationError("--set", "seeds are chosen by --seeds, got " + change);
  if (!options.page.empty() && (options.format != "text" || !options.tables.empty()))
    throw CLI::ValidationError("--page", "the template says which tables, and in which form");
}

PlanChoice choice_of(const Options& options) {
  PlanChoice choice = options.choice;
  choice.protocol = parse_enum<Protocol>(options.protocol, "--protocol");
  choice.tables.clear();
  const auto is_all = [](const std::string& name) { return name == "all"; };
  if (std::none_of(options.tables.begin(), options.tables.end(), is_all)) choice.tables = options.tables;
  return choice;
}

void tell_broken(const RecordStore& store) {
  for (const std::string& fault : store.broken())
    std::cerr << "gsan: " << fault << "; it does not count and its run is done again" << std::endl;
}

void write(const Options& options, const Json& report, const std::string& text) {
  ReportOptions how = options.report;
  how.json = options.format == "json";
  how.write(report, options.format == "csv"        ? tables_csv(report)
                    : options.format == "markdown" ? tables_markdown(report)
                                                   : text);
}

ExitCode list(const Options& options, const std::vector<PlannedTable>& plan, const RecordStore& store) {
  const Json report = plan_json(plan, store);
  write(options, report, plan_text(report, options.jobs.at_once()));
  return ExitCode::success;
}

// One short run of every kind of which no record of this machine tells an epoch from what is made once.
std::vector<RunToDo> timing_runs(const Options& options, const RecordStore& store) {
  PlanChoice choice = choice_of(options);
  choice.seeds = 1;
  choice.set.emplace_back(epochs_of_timing);
  const TimeEstimate known(store, machine_name());
  std::vector<RunToDo> runs;
  std::vector<std::string> kinds;
  for (RunToDo& todo : all_runs(make_plan(options.experiments, choice))) {
    const std::string kind = work_of(todo.run);
    if (known.knows_epoch(todo.run) || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    kinds.push_back(kind);
    todo.for_time = true;
    runs.push_back(std::move(todo));
  }
  return runs;
}

RunnerOptions runner_options(const Options& options) {
  RunnerOptions how{.results = options.results_folder(), .work = options.work};
  how.jobs = options.jobs.at_once();
  how.threads = options.jobs.threads_of_each();
  how.device = options.jobs.device;
  if (options.budget >= 0) how.budget = 60 * options.budget;
  how.quiet = options.jobs.quiet;
  return how;
}

// Only whole targets are judged, and only by runs of the protocol.
Json targets_of(const Options& options, const Json& report) {
  const PlanChoice& choice = options.choice;
  const bool is_part = !(choice.rows.empty() && choice.columns.empty() && choice.blocks.empty());
  if (is_part || !choice.set.empty()) return Json::array();
  const Json file = Json::parse(read_file(fs::path(options.experiments) / "tables.json"));
  Json targets = judge_targets(file.value("targets", Json::array()), report);
  for (Json& target : targets)
    if (choice.seeds > 0 && target["state"] == "met") target["state"] = "met so far";
  return targets;
}

ExitCode tell(const Options& options, const std::vector<PlannedTable>& plan, const RecordStore& store,
              const RunnerOutcome& outcome) {
  Json report = tables_json(plan, store);
  report["targets"] = targets_of(options, report);
  report["runs"] = progress_json(plan, store);
  report["failed"] = Json::array();
  std::string failures;
  for (const auto& [name, fault] : outcome.failed) {
    report["failed"].push_back({{"run", name}, {"error", fault}});
    failures += concat("failed: ", name, ": ", fault, "\n");
  }
  if (outcome.is_over_budget) failures += "the budget is used up; the same command goes on\n";
  if (outcome.busy > 0) failures += concat(outcome.busy, " runs were left to another process\n");
  const std::string targets = targets_text(report["targets"]);
  write(options, report,
        concat(tables_text(report), targets.empty() ? "" : "\n", targets, "\n",
               progress_text(report["runs"], options.jobs.at_once()), failures));
  return outcome.failed.empty() ? ExitCode::success : ExitCode::run_failed;
}

ExitCode flaws(const Options& options) {
  const fs::path file = flaws_file(options.results_folder());
  Json measured;
  if (options.report_only) {
    measured = read_flaws(file);
  } else {
    measured = measure_flaws(options.splits);
    fs::create_directories(options.results_folder());
    write_file_atomically(file, measured.dump(1) + "\n");
  }
  write(options, measured, flaws_text(measured));
  return ExitCode::success;
}

ExitCode run(const Options& options) {
  if (is_flaws(options)) return flaws(options);
  RecordStore store(options.results_folder());
  if (!options.page.empty()) {
    tell_broken(store);
    options.report.write({},
                         results_page(options.experiments, options.results_folder(), options.page, store));
    return ExitCode::success;
  }
  const std::vector<PlannedTable> plan = make_plan(options.experiments, choice_of(options));
  tell_broken(store);
  if (options.list) return list(options, plan, store);
  RunnerOutcome outcome;
  if (!options.report_only) {
    const std::vector<RunToDo> todo = options.time ? timing_runs(options, store) : missing_runs(plan, store);
    const std::size_t total = options.time ? todo.size() : all_runs(plan).size();
    outcome = run_missing(todo, total, store, runner_options(options));
    if (outcome.is_interrupted) {
      std::cerr << "interrupted; the same command goes on with what is missing\n";
      return ExitCode::interrupted;
    }
    if (options.time) {
      for (const auto& [name, fault] : outcome.failed)
        std::cerr << "gsan: " << name << ": " << fault << std::endl;
      const ExitCode code = list(options, plan, store);
      return outcome.failed.empty() ? code : ExitCode::run_failed;
    }
  }
  return tell(options, plan, store, outcome);
}

}  // namespace

Command add_reproduce(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("reproduce", "The tables of the paper, measured and next to the printed numbers");
  command->footer(
      "Tables: trajectory, imputation, graph-classification, simplex-prediction, ablation-attention,\n"
      "ablation-hyperparameters, ablation-sharing; flaws measures what the published protocols hide.\n"
      "What there is and what is missing:\n"
      "  gsan reproduce all --protocol published --list\n"
      "An hour of it; the same command goes on:\n"
      "  gsan reproduce trajectory --protocol published --budget 60\n"
      "The tables from the records alone:\n"
      "  gsan reproduce imputation --report --format markdown");
  command->add_option("TABLE", options->tables, "tables, or all")->type_name("TABLE|all ...");
  command->add_option("--protocol", options->protocol, "strict (free of leaks) or published")
      ->capture_default_str();
  command->add_option("--budget", options->budget, "start no run after so many minutes")
      ->check(CLI::Range(0.0, 1e6))
      ->type_name("MINUTES");
  options->jobs.add_to(*command);
  command
      ->add_option("--seeds", options->choice.seeds, "seeds of each cell (default: as many as the table has)")
      ->check(CLI::Range(1, 10000));
  const auto add_names = [&](const char* name, std::vector<std::string>& names, const char* help) {
    command->add_option(name, names, help)->delimiter(';')->allow_extra_args(false)->type_name("NAMES");
  };
  add_names("--rows", options->choice.rows, "only these rows: \"GSAN;SAT\". Repeated");
  add_names("--columns", options->choice.columns, "only these columns. Repeated");
  add_names("--blocks", options->choice.blocks, "only these parts of the table: \"10 % missing\". Repeated");
  command->add_flag("--targets", options->choice.only_targets, "only cells that a target speaks of");
  command
      ->add_option("--set", options->choice.set,
                   "key=value for every run: train.epochs=1. Such runs are kept apart and marked. Repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--experiments", options->experiments, "configs and tables.json")
      ->capture_default_str()
      ->type_name("FOLDER");
  command->add_option("--results", options->results, "records of the runs (default: EXPERIMENTS/results)")
      ->type_name("FOLDER");
  command->add_option("--work", options->work, "run folders while they run")
      ->capture_default_str()
      ->type_name("FOLDER");
  command->add_flag("--list", options->list,
                    "the plan, what is there and how long the rest takes; runs nothing");
  command->add_flag("--report", options->report_only, "the tables from the records; runs nothing");
  command->add_flag(
      "--time", options->time,
      "three epochs of every kind of run whose time per epoch is not known on this machine, then as --list");
  command->add_option("--page", options->page, "fill in a page (experiments/results.md.in); runs nothing")
      ->type_name("TEMPLATE");
  command->add_option("--splits", options->splits, "flaws: splits or masks of each number")
      ->check(CLI::Range(2, 10000))
      ->capture_default_str();
  command->add_option("--format", options->format, "text, csv, json or markdown")
      ->check(CLI::IsMember({"text", "csv", "json", "markdown"}))
      ->capture_default_str();
  options->report.add_to(*command, true);
  command->callback([options] { check_usage(*options); });
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
