#pragma once
// This process as one of several ranks.

#include <functional>

#include "gsan/ranks/ranks.h"

#include "apps/gsan/console/exit_code.h"

namespace gsan::app {

/// Joins the others and does the work, on the device of that name. An error, also one before it has joined,
/// is reported with rank and host, tells the others why this rank stops, and ends the process at once:
/// threads that wait for lost ranks are not waited for.
ExitCode as_rank(const RankPlace& place, RankBackend backend, const std::string& device,
                 const std::function<ExitCode(Ranks&)>& work);

}  // namespace gsan::app
