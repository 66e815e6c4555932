#include "gsan/ranks/rank_backend.h"

#include "gsan/core/check.h"

namespace gsan {
namespace {

// Why NCCL cannot carry what these ranks exchange; empty: it can.
std::string why_no_nccl(const std::vector<RankMeans>& ranks) {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const RankMeans& one = ranks[r];
    if (!one.has_nccl)
      return concat("the build of ", one.name,
                    " has no NCCL; build it with CUDA (-DGSAN_CUDA=ON) and the header nccl.h (PyPI: "
                    "nvidia-nccl-cu13, or NVIDIA's libnccl-dev)");
    if (one.gpu.empty()) return concat(one.name, " computes on the CPU; give all ranks --device cuda");
    for (std::size_t s = 0; s < r; ++s)
      if (ranks[s].host == one.host && ranks[s].gpu == one.gpu)
        return concat(ranks[s].name, " and ", one.name, " share the GPU ", one.gpu,
                      ", which NCCL does not allow; start at most one rank per GPU");
  }
  return "";
}

}  // namespace

RankBackend chosen_backend(RankBackend wanted, const std::vector<RankMeans>& ranks) {
  if (wanted != RankBackend::gloo) {
    const std::string why = why_no_nccl(ranks);
    if (why.empty()) return RankBackend::nccl;
    GSAN_CHECK(wanted != RankBackend::nccl, "ranks: --backend nccl: ", why, ", or take --backend gloo");
  }
  for (const RankMeans& one : ranks)
    GSAN_CHECK(one.has_gloo, "ranks: the build of ", one.name,
               " has no Gloo, by which ranks exchange what they found",
               wanted == RankBackend::gloo ? "" : " unless each has a GPU of its own",
               "; install its headers (Debian: libgloo-dev, or run ./quickstart.sh) and build again");
  return RankBackend::gloo;
}

}  // namespace gsan
