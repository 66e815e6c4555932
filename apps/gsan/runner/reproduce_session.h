#pragma once
// One call of `gsan reproduce`: plan and records, what is run, what is printed.

#include <filesystem>
#include <string>
#include <vector>

#include "gsan/report/plan.h"

#include "apps/gsan/console/exit_code.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/runner/job_options.h"

namespace gsan::app {

/// The words of the command.
struct ReproduceOptions {
  std::vector<std::string> tables;
  report::PlanChoice choice;
  std::string protocol = "strict", format = "text";
  std::string experiments = "experiments", results, work = "runs/reproduce", page;
  double budget = -1;  // minutes; negative: none
  JobOptions jobs;
  bool list = false, report_only = false, time = false;
  ReportOptions output;

  std::filesystem::path results_folder() const {
    return results.empty() ? std::filesystem::path(experiments) / "results" : std::filesystem::path(results);
  }
};

/// Measures what is missing and prints the tables; or only one of the two, or a plan, or a page.
ExitCode reproduce(const ReproduceOptions& options);

}  // namespace gsan::app
