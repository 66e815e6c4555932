#pragma once
// The loop behind pair_dropout_mask, compiled once per instruction set: Philox on many pairs at a time.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

template <class T>
struct DropoutArguments {
  const std::int32_t *sources, *shared, *source_keys, *part_keys;  ///< as in ops/pair_dropout.h
  std::int64_t simplices;
  std::uint32_t signal_key;
  std::uint64_t stream;
  std::int64_t kept_from;  ///< words from here on are kept
  T kept;
  std::int64_t heads;
  T* mask;  ///< [E, heads] of this signal
};

/// Pairs begin … end − 1; false when a source is none of the simplices.
template <class T>
using DropoutKernel = bool (*)(const DropoutArguments<T>&, std::int64_t begin, std::int64_t end);

GSAN_DECLARE_KERNEL(dropout, DropoutKernel);

}  // namespace gsan::ops
