#pragma once
// What the commands share that decompose a signal.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gsan/hodge/decomposition.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {

/// --tolerance and --max-iterations.
void add_solver_options(CLI::App& command, SolverOptions& solver);

/// One object per column: its name, the whole energy and that of the three parts.
Json energies_json(const HodgeDecomposition& parts, const std::vector<std::string>& columns);

}  // namespace gsan::app
