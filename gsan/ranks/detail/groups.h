#pragma once
// The backends of c10d. Their headers are met by one source each.

#include <string>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "gsan/ranks/rank_place.h"

namespace gsan {

/// Whether this build has them.
bool has_gloo();
bool has_nccl();

using GroupPtr = c10::intrusive_ptr<c10d::Backend>;

/// Waits until all ranks are connected, whose addresses it finds in the store.
GroupPtr gloo_group(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place);
/// Connects in the first call that exchanges something. `gpu`: the number of the one that this rank uses.
GroupPtr nccl_group(const c10::intrusive_ptr<c10d::Store>& store, const RankPlace& place, int gpu);

/// Of a GPU on the bus of this host; empty without NCCL.
std::string gpu_address(int gpu);

}  // namespace gsan
