#include "gsan/core/check.h"
#include "gsan/ranks/detail/groups.h"

#ifdef GSAN_HAVE_GLOO
#define USE_C10D_GLOO
#include <chrono>
#include <cstdlib>

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace gsan {
namespace {

// The address by which other machines reach this one, unless all ranks are here.
std::shared_ptr<gloo::transport::Device> device_for(const RankPlace& place) {
  if (const char* name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr && *name != '\0')
    return c10d::ProcessGroupGloo::createDeviceForInterface(name);
  const bool is_here = place.address == "127.0.0.1" || place.address == "localhost" || place.address == "::1";
  return is_here ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                 : c10d::ProcessGroupGloo::createDefaultDevice();
}

}  // namespace

bool has_gloo() { return true; }

GroupPtr gloo_group(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place) {
  auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::hours(24));  // the watch decides
  options->devices.push_back(device_for(place));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.size, options);
}

}  // namespace gsan

#else

namespace gsan {

bool has_gloo() { return false; }

GroupPtr gloo_group(const c10::intrusive_ptr<c10d::Store>&, const RankPlace&) {
  fail(Fault::argument, "ranks: this build has no Gloo");
}

}  // namespace gsan

#endif
