#pragma once
// The tables of ops/pairs.h for the launchers.

#include "gsan/ops/cuda/pairs.h"
#include "gsan/ops/cuda/tensors.h"

namespace gsan::ops::cuda {

/// Holds the tables while a kernel is launched.
struct PairTensors {
  at::Tensor offsets, sources, mirror;
  PairList list;

  /// For signals [..., N, heads, features]; `mirror_` undefined: not used.
  PairTensors(const at::Tensor& offsets_, const at::Tensor& sources_, const at::Tensor& mirror_,
              std::int64_t signals, std::int64_t heads, std::int64_t features)
      : offsets(offsets_.contiguous()),
        sources(sources_.contiguous()),
        mirror(mirror_.defined() ? mirror_.contiguous() : mirror_) {
    list.offsets = data<std::int64_t>(offsets), list.sources = data<std::int32_t>(sources);
    if (mirror.defined() && mirror.scalar_type() == at::kLong)
      list.wide_mirror = data<std::int64_t>(mirror);
    else
      list.mirror = data<std::int32_t>(mirror);
    list.signals = signals, list.rows = offsets.size(0) - 1, list.pairs = sources.size(0);
    list.heads = static_cast<int>(heads), list.features = static_cast<int>(features);
  }
};

}  // namespace gsan::ops::cuda
