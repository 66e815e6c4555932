#include "apps/gsan/runner/job_options.h"

#include <algorithm>

#include "apps/gsan/runner/process_pool.h"

namespace gsan::app {

void JobOptions::add_to(CLI::App& command) {
  command.add_option("--jobs", jobs, "runs at the same time (default: one per core)")
      ->check(CLI::Range(1, 4096));
  command.add_option("--threads", threads, "threads of each run (default: cores / jobs)")
      ->check(CLI::Range(1, 4096));
  command.add_option("--device", device, "where the runs compute: cpu, cuda, cuda:1")->capture_default_str();
  command.add_flag("--quiet", quiet, "no progress");
}

int JobOptions::at_once() const { return jobs > 0 ? jobs : usable_cores(); }

int JobOptions::threads_of_each() const {
  return threads > 0 ? threads : std::max(1, usable_cores() / at_once());
}

}  // namespace gsan::app
