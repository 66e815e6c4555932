#pragma once
// How the kernels with B and Bᵀ see signals [..., N, F] and share their rows among threads.

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <ATen/core/Tensor.h>

#include "gsan/ops/cpu/share_range.h"

namespace gsan::ops {

// A result of at least this size is written past the caches: by the time anybody reads
// it, its beginning would have left them anyway.
constexpr std::int64_t stream_bytes = std::int64_t{16} << 20;

/// Whether rows of y [..., N, F], contiguous, may and should be written past the caches.
inline bool should_stream(const at::Tensor& y) {
  return static_cast<std::int64_t>(y.nbytes()) >= stream_bytes &&
         y.size(-1) * static_cast<std::int64_t>(y.element_size()) % 64 == 0 &&
         reinterpret_cast<std::uintptr_t>(y.const_data_ptr()) % 64 == 0;
}

/// A signal whose rows are contiguous, themselves any distance apart: a tap of stacked products needs no
/// copy.
struct StridedRows {
  at::Tensor x;
  std::int64_t signal_stride, row_stride;

  explicit StridedRows(const at::Tensor& signal) : x(signal) {
    if (!is_regular()) x = x.clone(at::MemoryFormat::Contiguous);
    row_stride = x.stride(-2);
    signal_stride = x.size(-2) * row_stride;  // of a single signal
    for (std::int64_t d = 0; d + 2 < x.dim(); ++d)
      if (x.size(d) != 1) signal_stride = x.stride(d);  // the innermost one
  }

  template <class T>
  const T* data() const {
    return x.const_data_ptr<T>();
  }

 private:
  // Whether rows are contiguous and the signals an equal distance apart. The stride of a dimension of size 1
  // means nothing, and contiguous() would keep it.
  bool is_regular() const {
    if (x.stride(-1) != 1 && x.size(-1) != 1) return false;
    std::int64_t expected = -1;
    for (std::int64_t d = x.dim() - 3; d >= 0; --d) {
      if (x.size(d) == 1) continue;
      if (expected >= 0 && x.stride(d) != expected) return false;
      expected = x.stride(d) * x.size(d);
    }
    return true;
  }
};

/// Calls compute(signal, first row, last row) for ranges of rows that cover all signals, by all threads, each
/// with an equal share of the work: before(i) is the work before row i, in rows of `features` numbers
/// touched. False when a call returned false. Whatever before() returns between the ends, every row is
/// covered once.
template <class Before, class Compute>
bool share_rows(std::int64_t signals, std::int64_t rows, std::int64_t features, const Before& before,
                const Compute& compute) {
  const std::int64_t total = before(rows);
  const auto row_at = [&](std::int64_t work) {  // first row with at least `work` before it
    if (work <= 0) return std::int64_t{0};
    if (work >= total) return rows;
    std::int64_t low = 0, high = rows;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (before(middle) < work)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  constexpr std::int64_t grain = 32768;  // numbers that make another thread worth waking
  std::atomic<bool> fine = true;
  share_range(0, signals * total, std::max<std::int64_t>(1, grain / features),
              [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t s = begin / total; s * total < end; ++s) {
                  const std::int64_t from = row_at(begin - s * total), to = row_at(end - s * total);
                  if (from < to && !compute(s, from, to)) fine = false;
                }
              });
  return fine;
}

}  // namespace gsan::ops
