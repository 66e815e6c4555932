// gsan reproduce: the tables of the paper, run by run, printed next to the paper.

#include <memory>

#include "apps/gsan/commands/command.h"
#include "apps/gsan/runner/reproduce_session.h"

namespace gsan::app {
namespace {

void check_usage(ReproduceOptions& options) {
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

}  // namespace

Command add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
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
      "twelve epochs of every kind of run whose time per epoch is not known on this machine, then as --list");
  command->add_option("--page", options->page, "fill in a page (experiments/*.md.in); runs nothing")
      ->type_name("TEMPLATE");
  command->add_option("--format", options->format, "text, csv, json or markdown")
      ->check(CLI::IsMember({"text", "csv", "json", "markdown"}))
      ->capture_default_str();
  options->output.add_to(*command, true);
  command->callback([options] { check_usage(*options); });
  return {command, [options] { return reproduce(*options); }};
}

}  // namespace gsan::app
