#pragma once
// What carries the bytes that ranks exchange: Gloo, through the memory of the hosts, or NCCL, between GPUs.

#include <string>
#include <vector>

#include "gsan/core/options.h"

namespace gsan {

enum class RankBackend {
  automatic,  ///< nccl where every rank has a GPU of its own and all builds can, else gloo
  gloo,
  nccl,
};
template <>
struct EnumNames<RankBackend> {
  static constexpr std::pair<RankBackend, std::string_view> names[] = {
      {RankBackend::automatic, "automatic"}, {RankBackend::gloo, "gloo"}, {RankBackend::nccl, "nccl"}};
};

/// What a rank has, as it tells the others.
struct RankMeans {
  std::string name;  ///< "rank 2 on node7"
  std::string host;
  std::string gpu;  ///< the address of its GPU on the bus of its host; empty: it computes on the CPU
  bool has_gloo = false, has_nccl = false;  ///< its build
};

/// gloo or nccl, for all ranks, in their order; the same on every rank. Fault::argument with what to do where
/// the wanted one cannot be had, as two ranks on one GPU under NCCL.
RankBackend chosen_backend(RankBackend wanted, const std::vector<RankMeans>& ranks);

}  // namespace gsan
