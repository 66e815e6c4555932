#include "apps/gsan/runner/reproduce_session.h"

#include <algorithm>
#include <iostream>

#include "gsan/report/forms.h"
#include "gsan/report/page.h"
#include "gsan/train/manifest.h"

#include "apps/gsan/console/table.h"
#include "apps/gsan/runner/reproduce_json.h"
#include "apps/gsan/runner/reproduce_runner.h"

namespace gsan::app {
namespace {

report::PlanChoice choice_of(const ReproduceOptions& options) {
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
  explicit Reproduction(const ReproduceOptions& options)
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
    const auto todo = options_.time
                          ? report::timing_runs(options_.experiments, choice_, store_, machine_name())
                          : report::missing_runs(plan_, store_, estimate());
    const std::size_t total = options_.time ? todo.size() : report::all_runs(plan_).size();
    const RunnerOutcome outcome = run_missing(todo, total, store_, estimate(), runner_options());
    if (outcome.is_interrupted) {
      std::cerr << "interrupted; the same command runs what is missing\n";
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
    if (outcome.is_over_budget) failures += "the budget is used up; the same command resumes\n";
    if (outcome.busy > 0) failures += concat(outcome.busy, " runs were left to another process\n");
    std::string text;
    if (options_.format == "csv") {
      text = report::tables_csv(tables);
    } else if (options_.format == "markdown") {
      text = report::tables_markdown(tables);
    } else {
      text = tables_text(tables);
      if (!targets.empty()) text += "\n" + aligned(report::shown_targets(targets));
      text += concat("\n", report::progress_text(progress, options_.jobs.at_once()), failures);
    }
    write(json, text);
    return outcome.failed.empty() ? ExitCode::success : ExitCode::run_failed;
  }

  void write(const Json& json, const std::string& text) const {
    ReportOptions how = options_.output;
    how.json = options_.format == "json";
    how.write(json, text);
  }

  const ReproduceOptions& options_;
  report::PlanChoice choice_;
  report::Plan plan_;
  report::TablesFile file_;
  report::RecordStore store_;
};

}  // namespace

ExitCode reproduce(const ReproduceOptions& options) {
  if (options.page.empty()) return Reproduction(options).run();
  const report::RecordStore store(options.results_folder());
  tell_broken(store);
  options.output.write(
      {}, report::results_page(options.experiments, options.results_folder(), options.page, store));
  return ExitCode::success;
}

}  // namespace gsan::app
