#pragma once
// How the CPU kernels walk a pair list: rows are shared by the threads, and the tables of a few rows
// are checked right before these rows are computed.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <ATen/core/Tensor.h>

#include "gsan/ops/cpu/share_range.h"

namespace gsan::ops {

/// Whether all `count` numbers are 0 … bound − 1. The sign of n or of bound − 1 − n tells one that is not:
/// integers of one width and no branch, so that every build makes vectors of it.
template <class Int>
bool are_below(const Int* numbers, std::int64_t count, std::int64_t bound) {
  using Bits = std::make_unsigned_t<Int>;
  const auto last = static_cast<Bits>(std::min<std::int64_t>(bound - 1, std::numeric_limits<Int>::max()));
  Bits signs = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto n = static_cast<Bits>(numbers[i]);
    signs |= n | (last - n);
  }
  return static_cast<std::make_signed_t<Int>>(signs) >= 0;
}

/// `mirror` is null for a kernel that does not use it.
template <class M>
struct PairList {
  const std::int64_t* offsets;
  const std::int32_t* sources;
  const M* mirror;
  std::int64_t rows, pairs;

  PairList(const at::Tensor& offsets_, const at::Tensor& sources_, const at::Tensor& mirror_)
      : offsets(offsets_.const_data_ptr<std::int64_t>()),
        sources(sources_.const_data_ptr<std::int32_t>()),
        mirror(mirror_.defined() ? mirror_.const_data_ptr<M>() : nullptr),
        rows(offsets_.size(0) - 1),
        pairs(sources_.size(0)) {}

  /// Whether the list covers the pairs 0 … pairs − 1.
  bool has_ends() const { return offsets[0] == 0 && offsets[rows] == pairs; }

  /// Whether what the rows begin … end − 1 name exists.
  bool in_range(std::int64_t begin, std::int64_t end) const {
    const std::int64_t first = offsets[begin], last = offsets[end];
    bool fine = first >= 0 && last <= pairs;
    for (std::int64_t i = begin; i < end; ++i) fine &= offsets[i] <= offsets[i + 1];
    if (!fine) return false;
    return are_below(sources + first, last - first, rows) &&
           (!mirror || are_below(mirror + first, last - first, pairs));
  }

  /// Calls compute(signal, first, last) for the rows begin … end − 1 of all signals, one signal after the
  /// other; false, with rows left out, when a table is none.
  template <class Compute>
  bool walk(std::int64_t begin, std::int64_t end, const Compute& compute) const {
    constexpr std::int64_t checked_at_a_time = 256;
    while (begin < end) {
      const std::int64_t first = begin % rows;
      const std::int64_t last = std::min({rows, first + (end - begin), first + checked_at_a_time});
      if (!in_range(first, last)) return false;
      compute(begin / rows, first, last);
      begin += last - first;
    }
    return true;
  }

  /// walk() over every row of every signal, by all threads; `work` is what a pair costs, in numbers.
  template <class Compute>
  bool walk_all(std::int64_t signals, std::int64_t work, const Compute& compute) const {
    if (!has_ends()) return false;
    if (rows == 0) return true;
    constexpr std::int64_t grain = 32768;
    const std::int64_t row_work = std::max<std::int64_t>(1, work) * (pairs / rows + 1);
    std::atomic<bool> fine = true;
    share_range(0, signals * rows, std::max<std::int64_t>(1, grain / row_work),
                [&](std::int64_t begin, std::int64_t end) {
                  if (!walk(begin, end, compute)) fine = false;
                });
    return fine;
  }
};

/// Says which table is none, after walk() said that one is. `mirror` undefined: not used.
[[noreturn]] void fail_on_pairs(const char* who, const at::Tensor& offsets, const at::Tensor& sources,
                                const at::Tensor& mirror);

/// Signals of x whose last `own` dimensions belong to one signal.
inline std::int64_t signal_count(const at::Tensor& x, std::int64_t own) {
  return c10::multiply_integers(x.sizes().begin(), x.sizes().end() - own);
}

}  // namespace gsan::ops
