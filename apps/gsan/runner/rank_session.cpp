#include "apps/gsan/runner/rank_session.h"

#include <cstdlib>
#include <iostream>

#include "gsan/core/check.h"
#include "gsan/core/quoted.h"
#include "gsan/train/manifest.h"

#include "apps/gsan/console/error_report.h"

namespace gsan::app {
namespace {

// Of everything that may change a bit.
std::string build_text() {
  const Manifest build = make_manifest(0);
  return concat("gsan ", build.gsan, build.git_revision.empty() ? "" : concat(" (", build.git_revision, ")"),
                " with torch ", build.torch);
}

}  // namespace

ExitCode as_rank(const RankPlace& place, const std::function<ExitCode(Ranks&)>& work) {
  GSAN_CHECK(why_no_ranks().empty(), "WORLD_SIZE=", place.size, ": ", why_no_ranks());
  const std::string own = rank_name(place.rank, host_name());
  std::optional<Ranks> ranks;
  try {
    ranks.emplace(place, build_text());
    return work(*ranks);
  } catch (const std::exception& error) {
    const ErrorReport report = error_report(error);
    if (ranks) ranks->abort(report.text);
    // By one write: ranks share the stream.
    std::cerr << concat("gsan: ", report.text.starts_with(own) ? "" : own + ": ", escaped(report.text), "\n")
              << std::flush;
    std::cout.flush();
    std::_Exit(static_cast<int>(report.code));
  }
}

}  // namespace gsan::app
