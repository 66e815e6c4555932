#pragma once
// Short segments: a group of L threads takes a column of one; what is long waits for the whole block.

#include "gsan/ops/cuda/segment_walks.cuh"

namespace gsan::ops::cuda {

constexpr std::int64_t heavy_rows = 512;

// Each has run(team, list, signal, segment, column, span), and clears the tail of what it writes by rows.

template <class T>
struct ShortSoftmax {
  const T* x;
  T* y;

  __device__ void clear(const SegmentList& list) const { clear_tail(list, y); }
  template <class Team>
  __device__ __forceinline__ void run(const Team& team, const SegmentList& list, std::int64_t signal,
                                      std::int64_t, std::int64_t c, const Span& span) const {
    const std::int64_t C = list.columns;
    const T* from = column_of(x, list, signal, c);
    T* to = column_of(y, list, signal, c);
    if (span.count() <= rows_at_a_time * Team::size) {
      T held[rows_at_a_time], top = -INFINITY;
      double total = 0;
      const std::int64_t first = span.first + team.rank;
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q)
        if (first + q * Team::size < span.last) held[q] = __ldg(from + (first + q * Team::size) * C);
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q)
        if (first + q * Team::size < span.last) top = held[q] > top ? held[q] : top;
      top = team.max(top);
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q) {
        if (first + q * Team::size >= span.last) continue;
        held[q] = power(held[q] - top);
        total += static_cast<double>(held[q]);
      }
      const T factor = static_cast<T>(1 / team.sum(total));
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q)
        if (first + q * Team::size < span.last) to[(first + q * Team::size) * C] = held[q] * factor;
      return;
    }
    const T top = largest(team, span, from, C);
    const T factor = static_cast<T>(1 / sum_of_powers(team, span, from, C, top));
    for_rows<power_rows<T>>(team, span,
                            [&](std::int64_t r) { to[r * C] = power(__ldg(from + r * C) - top) * factor; });
  }
};

template <class T>
struct ShortSoftmaxBackward {
  const T *g, *y;
  T* to;

  __device__ void clear(const SegmentList& list) const { clear_tail(list, to); }
  template <class Team>
  __device__ __forceinline__ void run(const Team& team, const SegmentList& list, std::int64_t signal,
                                      std::int64_t, std::int64_t c, const Span& span) const {
    const std::int64_t C = list.columns;
    const T *of_g = column_of(g, list, signal, c), *of_y = column_of(y, list, signal, c);
    T* result = column_of(to, list, signal, c);
    if (span.count() <= rows_at_a_time * Team::size) {
      T a[rows_at_a_time], b[rows_at_a_time];
      double total = 0;
      const std::int64_t first = span.first + team.rank;
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q) {
        if (first + q * Team::size >= span.last) continue;
        a[q] = __ldg(of_g + (first + q * Team::size) * C), b[q] = __ldg(of_y + (first + q * Team::size) * C);
      }
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q)
        if (first + q * Team::size < span.last) total += static_cast<double>(a[q] * b[q]);
      const T mean = static_cast<T>(team.sum(total));
#pragma unroll
      for (int q = 0; q < rows_at_a_time; ++q)
        if (first + q * Team::size < span.last) result[(first + q * Team::size) * C] = b[q] * (a[q] - mean);
      return;
    }
    const T mean = static_cast<T>(sum_of_products(team, span, of_g, of_y, C));
    for_rows(team, span,
             [&](std::int64_t r) { result[r * C] = __ldg(of_y + r * C) * (__ldg(of_g + r * C) - mean); });
  }
};

template <class T>
struct ShortSum {
  const T* x;
  T* to;

  __device__ void clear(const SegmentList&) const {}
  template <class Team>
  __device__ __forceinline__ void run(const Team& team, const SegmentList& list, std::int64_t signal,
                                      std::int64_t segment, std::int64_t c, const Span& span) const {
    const double sum = sum_of(team, span, column_of(x, list, signal, c), list.columns);
    if (team.rank == 0) to[(signal * list.segments + segment) * list.columns + c] = static_cast<T>(sum);
  }
};

template <class T>
struct ShortArgmax {
  const T* x;
  std::int64_t* to;

  __device__ void clear(const SegmentList&) const {}
  template <class Team>
  __device__ __forceinline__ void run(const Team& team, const SegmentList& list, std::int64_t signal,
                                      std::int64_t segment, std::int64_t c, const Span& span) const {
    const std::int64_t row = best_row(team, span, column_of(x, list, signal, c), list.columns);
    if (team.rank == 0) to[(signal * list.segments + segment) * list.columns + c] = row;
  }
};

template <class T>
struct ShortSpread {
  const T* x;
  T* y;

  __device__ void clear(const SegmentList& list) const { clear_tail(list, y); }
  template <class Team>
  __device__ __forceinline__ void run(const Team& team, const SegmentList& list, std::int64_t signal,
                                      std::int64_t segment, std::int64_t c, const Span& span) const {
    const T value = __ldg(x + (signal * list.segments + segment) * list.columns + c);
    T* to = column_of(y, list, signal, c);
    for_rows(team, span, [&](std::int64_t r) { to[r * list.columns] = value; });
  }
};

struct SegmentItem {
  std::int64_t signal, segment, column;
  __device__ __forceinline__ SegmentItem(const SegmentList& list, std::int64_t item) {
    const std::int64_t row = list.columns == 1 ? item : item / list.columns;
    column = item - row * list.columns;
    signal = list.signals == 1 ? 0 : row / list.segments;
    segment = row - signal * list.segments;
  }
};

template <class Op, int L>
__global__ void __launch_bounds__(block_threads, 1) short_kernel(const SegmentList list, const Op op) {
  __shared__ double shared[2 * block_threads];
  constexpr int groups = block_threads / L;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups,
                     items = list.signals * list.segments * list.columns;
  op.clear(list);
  const std::int64_t mine = first + threadIdx.x / L;
  bool heavy = false;
  if (mine < items) {
    const SegmentItem item(list, mine);
    const Span span = span_of(list, item.segment);
    heavy = span.count() > heavy_rows;
    if (!heavy) op.run(GroupTeam<L>(), list, item.signal, item.segment, item.column, span);
  }
  if (!__syncthreads_or(heavy)) return;
  for (std::int64_t n = first; n < first + groups && n < items; ++n) {
    const SegmentItem item(list, n);
    const Span span = span_of(list, item.segment);
    if (span.count() > heavy_rows)
      op.run(BlockTeam<1>(shared), list, item.signal, item.segment, item.column, span);
  }
}

template <class Op>
void launch_short(const SegmentPlan& plan, const SegmentList& list, const Op& op, Stream stream) {
  const auto run = [&](auto shape) {
    constexpr int L = decltype(shape)::lanes;
    const unsigned needed = blocks_of<L>(list.items()),
                   blocks = needed == 0 ? 1 : needed;  // one for the tail
    short_kernel<Op, L><<<blocks, block_threads, 0, stream>>>(list, op);
  };
  switch (plan.lanes) {
    case 1:
      return run(RowShape<1, 1>{});
    case 4:
      return run(RowShape<1, 4>{});
    default:
      return run(RowShape<1, 16>{});
  }
}

}  // namespace gsan::ops::cuda
