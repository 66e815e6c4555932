// gsan worker: takes part in a sweep that another process has begun, from this machine or another one.

#include <iostream>
#include <memory>

#include "gsan/core/check.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/runner/job_options.h"
#include "apps/gsan/runner/sweep_work.h"

namespace gsan::app {
namespace {

struct WorkerWords {
  std::string folder;
  double lost_after = 60;
  JobOptions jobs;
};

ExitCode run(const WorkerWords& options) {
  GSAN_CHECK(holds_sweep(options.folder), "worker: ", options.folder,
             " holds no sweep; begin one with gsan sweep TASK --output ", options.folder);
  const SweepPlan plan = read_plan(options.folder);
  const SweepEnd end = work_on(
      {.plan = plan,
       .folder = options.folder,
       .jobs = options.jobs.at_once(),
       .threads = options.jobs.threads > 0 ? options.jobs.threads : plan.threads,
       .device = options.jobs.device,
       .quiet = options.jobs.quiet,
       .lost_after = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.lost_after))});
  if (!end.is_finished) return ExitCode::interrupted;
  for (const std::string& error : end.errors)
    if (!error.empty()) std::cerr << "gsan: a run failed: " << error << std::endl;
  return end.has_failed() ? ExitCode::run_failed : ExitCode::success;
}

}  // namespace

Command add_worker(CLI::App& app) {
  auto options = std::make_shared<WorkerWords>();
  CLI::App* command = app.add_subcommand("worker", "Train runs of a sweep, beside others that do the same");
  command->footer(
      "On every machine that sees the folder, while gsan sweep runs there or later:\n"
      "  gsan worker sweeps/rates\n"
      "As many on each machine as torchrun starts:\n"
      "  torchrun --no-python --nproc-per-node=2 gsan worker sweeps/rates --jobs 1");
  command->add_option("FOLDER", options->folder, "folder of a sweep (gsan sweep --output)")->required();
  command
      ->add_option("--lost-after", options->lost_after,
                   "seconds after which the run of a worker that was not heard of is given to another; the "
                   "same for all workers of a sweep")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str();
  options->jobs.add_to(*command);
  return {command, [options] { return run(*options); }};
}

}  // namespace gsan::app
