// gsan reproduce: the tables of the paper, run by run, printed next to the paper.

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "gsan/report/forms.h"
#include "gsan/report/page.h"
#include "gsan/train/manifest.h"

#include "apps/gsan/commands.h"
#include "apps/gsan/options.h"
#include "apps/gsan/reproduce_json.h"
#include "apps/gsan/reproduce_runner.h"
#include "apps/gsan/table.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* epochs_of_timing = "train.epochs=3";

struct Options {
  std::vector<std::string> tables;
  report::PlanChoice choice;
  std::string protocol = "strict", format = "text";
  std::string experiments = "experiments", results, work = "runs/reproduce", page;
  double budget = -1;  // minutes; negative: none
  JobOptions jobs;
  bool list = false, report_only = false, time = false;
  ReportOptions output;

  fs::path results_folder() const {
    return results.empty() ? fs::path(experiments) / "results" : fs::path(results);
  }
};

void check_usage(Options& options) {
  if (options.output.json) options.format = "json";
  if (options.tables.empty() && options.page.empty())
    throw CLI::ValidationError("reproduce", "give a table, or all: --help names them");
  if (options.list + options.report_only + options.time + !options.page.empty() > 1)
    throw CLI::ValidationError("reproduce", "--list, --report, --time and --page exclude each other");
  const bool is_table = options.format == "csv" || options.format == "markdown";
  if (is_table && (options.list || options.time))
    throw CLI::ValidationError("--format", "csv and markdown are forms of tables; here text or json");
  for (const std::string& change : options.choice.set)
    if (change.starts_with("seed="))
      throw CLI::ValidationError("--set", "seeds are chosen by --seeds, got " + change);
  if (!options.page.empty() && (options.format != "text" || !options.tables.empty()))
    throw CLI::ValidationError("--page", "the template says which tables, and in which form");
}

report::PlanChoice choice_of(const Options& options) {
  report::PlanChoice choice = options.choice;
  choice.protocol = parse_enum<Protocol>(options.protocol, "--protocol");
  choice.tables.clear();
  const auto is_all = [](const std::string& name) { return name == "all"; };
  if (std::none_of(options.tables.begin(), options.tables.end(), is_all)) choice.tables = options.tables;
  return choice;
}

void tell_broken(const report::RecordStore& store) {
  for (const std::string& fault : store.broken())
    std::cerr << "gsan: " << fault << "; it does not count, and what it stood for is measured again. "
              << "Delete the line" << std::endl;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  Table table(rows.front());
  for (std::size_t r = 1; r < rows.size(); ++r) table.add(rows[r]);
  return table.text();
}

std::string tables_text(const std::vector<report::MeasuredTable>& tables) {
  std::string text;
  for (const report::MeasuredTable& table : tables) {
    text += concat(text.empty() ? "" : "\n", table.title, "\n");
    for (const report::ShownTable& shown : report::shown_tables(table, "+-", false))
      text += concat(shown.caption.empty() ? "" : concat("\n", shown.caption, "\n"), aligned(shown.rows));
    for (const std::string& note : report::notes_of(table)) text += note + "\n";
  }
  return text;
}

// One call of the command: the plan, the records, and what is done with them.
class Reproduction {
 public:
  explicit Reproduction(const Options& options)
      : options_(options),
        choice_(choice_of(options)),
        plan_(report::make_plan(options.experiments, choice_)),
        file_(report::read_tables(options.experiments)),
        store_(options.results_folder()) {
    tell_broken(store_);
  }

  ExitCode run() {
    if (options_.list) return list();
    if (options_.report_only) return tell({});
    // Runs of a changed tree go nowhere but where the user says.
    if (const auto refusal = report::refusal_to_record(make_manifest(0).git_revision);
        refusal && options_.results.empty())
      fail(Fault::argument, "reproduce: ", *refusal);
    const auto todo = options_.time ? timing_runs() : report::missing_runs(plan_, store_, estimate());
    const std::size_t total = options_.time ? todo.size() : report::all_runs(plan_).size();
    const RunnerOutcome outcome = run_missing(todo, total, store_, estimate(), runner_options());
    if (outcome.is_interrupted) {
      std::cerr << "interrupted; the same command goes on with what is missing\n";
      return ExitCode::interrupted;
    }
    if (!options_.time) return tell(outcome);
    for (const auto& [name, fault] : outcome.failed)
      std::cerr << "gsan: " << name << ": " << fault << std::endl;
    const ExitCode code = list();
    return outcome.failed.empty() ? code : ExitCode::run_failed;
  }

 private:
  report::TimeEstimate estimate() const {
    return report::TimeEstimate::here(store_, file_.same_work, machine_name());
  }

  ExitCode list() const {
    const report::TimeEstimate time = estimate();
    const auto cells = report::cells_of(plan_, store_, time);
    const auto progress = report::progress_of(plan_, store_, time);
    const auto whole = report::expected_time(plan_, time);
    const int jobs = options_.jobs.at_once();
    write(plan_json(cells, progress, whole, choice_.protocol),
          concat(aligned(report::shown_cells(cells)), report::progress_text(progress, jobs),
                 "all of it, from nothing: ", report::expected_text(whole, jobs), "\n"));
    return ExitCode::success;
  }

  // One short run of every kind of which no record of this machine tells an epoch from what is made once.
  std::vector<report::RunToDo> timing_runs() const {
    report::PlanChoice choice = choice_;
    choice.seeds = 1;
    choice.set.emplace_back(epochs_of_timing);
    const report::TimeEstimate known(store_, file_.same_work, machine_name());
    std::vector<report::RunToDo> runs;
    std::set<std::string> kinds;
    for (report::RunToDo& todo : report::all_runs(report::make_plan(options_.experiments, choice))) {
      if (todo.run.key.kind == report::RecordKind::rules || known.knows_epoch(todo.run)) continue;
      if (!kinds.insert(report::work_of(todo.run.key, file_.same_work)).second) continue;
      todo.for_time = true;
      runs.push_back(std::move(todo));
    }
    return runs;
  }

  RunnerOptions runner_options() const {
    RunnerOptions how{.experiments = options_.experiments,
                      .results = options_.results_folder(),
                      .work = options_.work,
                      .machine = machine_name()};
    how.jobs = options_.jobs.at_once();
    how.threads = options_.jobs.threads_of_each();
    how.device = options_.jobs.device;
    if (options_.budget >= 0) how.budget = 60 * options_.budget;
    how.quiet = options_.jobs.quiet;
    return how;
  }

  // Only whole targets are judged, and only by runs of the protocol.
  std::vector<report::JudgedTarget> targets_of(const std::vector<report::MeasuredTable>& tables) const {
    const bool is_part = !(choice_.rows.empty() && choice_.columns.empty() && choice_.blocks.empty());
    if (is_part || !choice_.set.empty()) return {};
    std::vector<report::JudgedTarget> targets = report::judge_targets(file_.targets, tables);
    for (report::JudgedTarget& target : targets)
      if (choice_.seeds > 0 && target.state == "met") target.state = "met so far";
    return targets;
  }

  ExitCode tell(const RunnerOutcome& outcome) const {
    const std::vector<report::MeasuredTable> tables = report::measure_tables(plan_, store_);
    const std::vector<report::JudgedTarget> targets = targets_of(tables);
    const report::PlanProgress progress = report::progress_of(plan_, store_, estimate());
    Json json = tables_json(tables, choice_.protocol);
    json["targets"] = targets_json(targets);
    json["runs"] = progress_json(progress);
    json["failed"] = Json::array();
    std::string failures;
    for (const auto& [name, fault] : outcome.failed) {
      json["failed"].push_back({{"run", name}, {"error", fault}});
      failures += concat("failed: ", name, ": ", fault, "\n");
    }
    if (outcome.is_over_budget) failures += "the budget is used up; the same command goes on\n";
    if (outcome.busy > 0) failures += concat(outcome.busy, " runs were left to another process\n");
    write(json, options_.format == "csv"        ? report::tables_csv(tables)
                : options_.format == "markdown" ? report::tables_markdown(tables)
                                                : concat(tables_text(tables), targets.empty() ? "" : "\n",
                                                         targets.empty() ? "" : aligned(report::shown_targets(targets)),
                                                         "\n", report::progress_text(progress, options_.jobs.at_once()),
                                                         failures));
    return outcome.failed.empty() ? ExitCode::success : ExitCode::run_failed;
  }

  void write(const Json& json, const std::string& text) const {
    ReportOptions how = options_.output;
    how.json = options_.format == "json";
    how.write(json, text);
  }

  const Options& options_;
  report::PlanChoice choice_;
  report::Plan plan_;
  report::TablesFile file_;
  report::RecordStore store_;
};

ExitCode run(const Options& options) {
  if (options.page.empty()) return Reproduction(options).run();
  const report::RecordStore store(options.results_folder());
  tell_broken(store);
  options.output.write(
      {}, report::results_page(options.experiments, options.results_folder(), options.page, store));
  return ExitCode::success;
}

}  // namespace

Command add_reproduce(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("reproduce", "The tables of the paper, measured and next to the printed numbers");
  command->footer(
      "Tables: trajectory, imputation, graph-classification, simplex-prediction, ablation-attention,\n"
      "ablation-hyperparameters, ablation-sharing.\n"
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
                   "key=value for every run: train.epochs=1. Such records are marked. Repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--experiments", options->experiments, "configs and tables.json")
      ->capture_default_str()
      ->type_name("FOLDER");
  command
      ->add_option("--results", options->results,
                   "records of the runs (default: EXPERIMENTS/results, which takes none of a changed tree)")
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
  command->add_option("--page", options->page, "fill in a page (experiments/*.md.in); runs nothing")
      ->type_name("TEMPLATE");
  command->add_option("--format", options->format, "text, csv, json or markdown")
      ->check(CLI::IsMember({"text", "csv", "json", "markdown"}))
      ->capture_default_str();
  options->output.add_to(*command, true);
  command->callback([options] { check_usage(*options); });
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
