#pragma once
// What the launchers of CUDA kernels are given. Free of torch and of CUDA headers, so that the sources with
// kernels (.cu) and those that register them with torch (.cpp) share it and compile fast.

#include <cstdint>

struct CUstream_st;

namespace gsan::ops::cuda {

using Stream = CUstream_st*;

/// bfloat16 as it lies in memory; kernels load it as float and round to it when they store.
struct Bf16 {
  std::uint16_t bits;
};

/// In which type numbers stored as S are multiplied and added.
template <class S>
struct ComputeOf {
  using Type = S;
};
template <>
struct ComputeOf<Bf16> {
  using Type = float;
};
template <class S>
using Compute = typename ComputeOf<S>::Type;

/// Rows of signals: row i of signal s begins at data + s · signal + i · row.
template <class S>
struct Rows {
  S* data = nullptr;
  std::int64_t signal = 0, row = 0;
};

}  // namespace gsan::ops::cuda
