#pragma once
// `gsan train --processes N`: this command again, as N ranks on this machine.

#include <CLI/CLI.hpp>

#include "gsan/ranks/rank_backend.h"

#include "apps/gsan/console/exit_code.h"

namespace gsan::app {

struct RankOptions {
  int processes = 0;  ///< 0: this process trains by itself, or as the rank that its environment says
  int max_restarts = 0;
  std::string backend{name_of(RankBackend::automatic)};

  void add_to(CLI::App& command);
};

/// Starts the ranks with the words of this process, and waits for them. Once one has failed the others stop
/// within half a minute; ranks that were ended by a signal, or lost each other, are started again, and
/// resume, max_restarts times at most. `shares_cores`: each takes its share of the cores.
ExitCode launch_ranks(const RankOptions& options, bool shares_cores);

}  // namespace gsan::app
