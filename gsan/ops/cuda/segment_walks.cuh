#pragma once
// What the kernels of short and long segments share: where a segment lies, and walks over its rows.

#include "gsan/ops/cuda/segments.h"
#include "gsan/ops/cuda/teams.cuh"

namespace gsan::ops::cuda {

constexpr int rows_at_a_time = 4;  // per thread, on their way at the same time

__device__ __forceinline__ float power(float x) { return expf(x); }
__device__ __forceinline__ double power(double x) { return exp(x); }

/// Rows at a time where each takes a power, which needs many registers in double.
template <class T>
constexpr int power_rows = sizeof(T) == 8 ? 1 : 2;

struct Span {
  std::int64_t first, last;
  __device__ __forceinline__ std::int64_t count() const { return last - first; }
};

__device__ __forceinline__ Span span_of(const SegmentList& list, std::int64_t segment) {
  const std::int64_t first = __ldg(list.offsets + segment), last = __ldg(list.offsets + segment + 1);
  Span span{first < 0 ? 0 : first, last < list.rows ? last : list.rows};
  if (span.last < span.first) span.last = span.first;
  return span;
}

/// Where column c of the rows of a signal begins.
template <class T>
__device__ __forceinline__ T* column_of(T* x, const SegmentList& list, std::int64_t signal, std::int64_t c) {
  return x + signal * list.rows * list.columns + c;
}

/// f(row) for the rows that fall to a thread of the team, some of them at the same time.
template <int at_a_time = rows_at_a_time, class Team, class F>
__device__ __forceinline__ void for_rows(const Team& team, const Span& span, const F& f) {
#pragma unroll at_a_time
  for (std::int64_t r = span.first + team.rank; r < span.last; r += Team::size) f(r);
}

template <class Team, class T>
__device__ __forceinline__ T largest(const Team& team, const Span& span, const T* x, std::int64_t columns) {
  T top = -INFINITY;
  for_rows(team, span, [&](std::int64_t r) {
    const T value = __ldg(x + r * columns);
    top = value > top ? value : top;
  });
  return team.max(top);
}

/// Σ exp(x − top)
template <class Team, class T>
__device__ __forceinline__ double sum_of_powers(const Team& team, const Span& span, const T* x,
                                                std::int64_t columns, T top) {
  double total = 0;
  for_rows<power_rows<T>>(
      team, span, [&](std::int64_t r) { total += static_cast<double>(power(__ldg(x + r * columns) - top)); });
  return team.sum(total);
}

template <class Team, class T>
__device__ __forceinline__ double sum_of(const Team& team, const Span& span, const T* x,
                                         std::int64_t columns) {
  double total = 0;
  for_rows(team, span, [&](std::int64_t r) { total += static_cast<double>(__ldg(x + r * columns)); });
  return team.sum(total);
}

template <class Team, class T>
__device__ __forceinline__ double sum_of_products(const Team& team, const Span& span, const T* x, const T* y,
                                                  std::int64_t columns) {
  double total = 0;
  for_rows(team, span, [&](std::int64_t r) {
    total += static_cast<double>(__ldg(x + r * columns) * __ldg(y + r * columns));
  });
  return team.sum(total);
}

/// The first largest row; −1 where there is none.
template <class Team, class T>
__device__ __forceinline__ std::int64_t best_row(const Team& team, const Span& span, const T* x,
                                                 std::int64_t columns) {
  T best = 0;
  std::int64_t row = -1;
  for_rows(team, span, [&](std::int64_t r) {
    const T value = __ldg(x + r * columns);
    if (replaces(best, row, value, r)) best = value, row = r;
  });
  team.best(best, row);
  return row;
}

/// Zeros in the rows behind the last offset, by all threads of the grid.
template <class T>
__device__ __forceinline__ void clear_tail(const SegmentList& list, T* y) {
  std::int64_t end = __ldg(list.offsets + list.segments);
  end = end < 0 ? 0 : end;
  const std::int64_t count = (list.rows - end) * list.columns,
                     step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t s = 0; s < list.signals && count > 0; ++s) {
    T* to = y + (s * list.rows + end) * list.columns;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x; i < count;
         i += step)
      to[i] = 0;
  }
}

}  // namespace gsan::ops::cuda
