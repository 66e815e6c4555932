// gsan report: one page about runs, or about the paper's tables.

#include <memory>

#include "gsan/core/atomic_file.h"
#include "gsan/core/text.h"
#include "gsan/report/html/run_page.h"
#include "gsan/report/html/tables_page.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/options.h"

namespace gsan::app {
namespace {

struct ReportWords {
  std::vector<std::string> runs;
  std::string output = "report.html";
  bool without_data = false;
  MachineOptions machine;
  ReportOptions report;
};

ExitCode run(const ReportWords& options) {
  const std::vector<std::filesystem::path> folders(options.runs.begin(), options.runs.end());
  const bool is_tables = report::html::is_results_folder(folders.front());
  GSAN_CHECK(!is_tables || folders.size() == 1, "report: ", options.runs.front(),
             " holds records of tables, which are a page of their own; give it alone, or run folders");
  const torch::Device device = options.machine.apply();
  const std::string page = is_tables ? report::html::tables_page(folders.front())
                                     : report::html::run_page(folders, {device, !options.without_data});
  write_file_atomically(options.output, page);
  options.report.write({{"command", "report"},
                        {"kind", is_tables ? "tables" : "runs"},
                        {"runs", options.runs},
                        {"bytes", page.size()},
                        {"files", {options.output}}},
                       "");
  return ExitCode::success;
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<ReportWords>();
  CLI::App* command = app.add_subcommand("report", "One page about runs, or about the paper's tables");
  command->footer(
      "Examples:\n"
      "  gsan report runs/flow --output report.html\n"
      "  gsan report runs/gsan runs/san --output compared.html\n"
      "  gsan report experiments/results --output tables.html\n"
      "The page is one file that loads nothing from anywhere: mail it, print it, open it on a phone.");
  command->add_option("RUN", options->runs, "run folders of `gsan train`, or a folder of records of tables")
      ->required()
      ->type_name("RUN ...");
  command->add_option("--output", options->output, "the page")->capture_default_str()->type_name("FILE.html");
  command->add_flag("--without-data", options->without_data,
                    "only what the run folders hold: no worst items, attention and pictures");
  options->machine.add_to(*command);
  options->report.add_to(*command, false);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
