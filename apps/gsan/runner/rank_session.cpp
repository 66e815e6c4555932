#include "apps/gsan/runner/rank_session.h"

#include <cstdlib>
#include <iostream>

#include "gsan/core/check.h"
#include "gsan/core/quoted.h"
#include "gsan/ranks/rank_watch.h"
#include "gsan/train/manifest.h"

#include "apps/gsan/console/device.h"
#include "apps/gsan/console/error_report.h"

namespace gsan::app {
namespace {

// Of everything that may change a bit.
std::string build_text() {
  const Manifest build = make_manifest(0);
  return concat("gsan ", build.gsan, build.git_revision.empty() ? "" : concat(" (", build.git_revision, ")"),
                " with torch ", build.torch);
}

RankSelf self(RankBackend backend, const std::string& name) {
  const torch::Device device = open_device(name);
  return {build_text(), backend, device.is_cuda() ? device.index() : -1};
}

// Others that wait for this rank to join; where it holds their store itself they find that out.
void tell_others(const RankPlace& place, const std::string& why) {
  if (place.size == 1 || (place.rank == 0 && !place.has_agent)) return;
  try {
    tell_ranks(place, why);
  } catch (const std::exception&) {  // the store is gone, or was never there
  }
}

}  // namespace

ExitCode as_rank(const RankPlace& place, RankBackend backend, const std::string& device,
                 const std::function<ExitCode(Ranks&)>& work) {
  GSAN_CHECK(why_no_ranks().empty(), "WORLD_SIZE=", place.size, ": ", why_no_ranks());
  const std::string own = rank_name(place.rank, host_name());
  std::optional<Ranks> ranks;
  try {
    ranks.emplace(place, self(backend, device));
    return work(*ranks);
  } catch (const std::exception& error) {
    const ErrorReport report = error_report(error);
    if (ranks) ranks->abort(report.text);
    // By one write: ranks share the stream.
    std::cerr << concat("gsan: ", report.text.starts_with(own) ? "" : own + ": ", escaped(report.text), "\n")
              << std::flush;
    std::cout.flush();
    if (!ranks) tell_others(place, concat(own, ": ", report.text));
    std::_Exit(static_cast<int>(report.code));
  }
}

}  // namespace gsan::app
