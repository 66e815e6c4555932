#pragma once
// The kernel of ops/pair_dropout.h.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

template <class S>
struct PairDropout {
  const std::int32_t *sources = nullptr, *shared_keys = nullptr;    ///< [pairs]
  const std::int32_t *source_keys = nullptr, *part_keys = nullptr;  ///< [simplices]
  const std::int64_t* signal_keys = nullptr;                        ///< [signals]
  const std::int64_t* slot = nullptr;  ///< where the key of the stream lies; null: it is `stream`
  std::int64_t stream = 0, signals = 0, pairs = 0, simplices = 0;
  std::int64_t kept_from = 0;  ///< words from here on are kept
  double kept = 1;             ///< their value
  int heads = 0;
  S* mask = nullptr;  ///< [signals, pairs, heads]
};

/// float, double, Bf16. The mask of a source that is none of the simplices is zero.
template <class S>
void launch_pair_dropout(const PairDropout<S>& dropout, Stream stream);

}  // namespace gsan::ops::cuda
