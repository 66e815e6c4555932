#pragma once
// Long segments: a block takes W columns of a piece of one, combine_kernel the parts of all pieces in order.
// The parts are two doubles each, [2][items][pieces]; what is combined follows them, [2][items].

#include "gsan/ops/cuda/segment_walks.cuh"

namespace gsan::ops::cuda {

constexpr std::int64_t shortest_piece = 64;

struct LongParts {
  double* data;
  std::int64_t items;
  int pieces;

  __device__ __forceinline__ double& part(int which, std::int64_t item, int piece) const {
    return data[(which * items + item) * pieces + piece];
  }
  __device__ __forceinline__ double& combined(int which, std::int64_t item) const {
    return data[2 * items * pieces + which * items + item];
  }
};

// The rows of one piece of a segment; how many pieces are not empty.
struct Pieces {
  Span whole;
  std::int64_t length;
  __device__ __forceinline__ Pieces(const Span& span, int most) : whole(span) {
    length = (span.count() + most - 1) / most;
    length = length < shortest_piece ? shortest_piece : length;
  }
  __device__ __forceinline__ int count() const {
    return static_cast<int>((whole.count() + length - 1) / length);
  }
  __device__ __forceinline__ Span operator[](int piece) const {
    const std::int64_t first = whole.first + piece * length;
    return {first < whole.last ? first : whole.last,
            first + length < whole.last ? first + length : whole.last};
  }
};

// Each has part(team, list, signal, column, span, first, second), what a piece leaves, and combine(list,
// parts, item, count); or write(team, list, parts, item, signal, column, span) for the rows of a piece.

template <class T>
struct LongSoftmax {
  const T* x;
  T* y;
  template <class Team>
  __device__ __forceinline__ void part(const Team& team, const SegmentList& list, std::int64_t signal,
                                       std::int64_t c, const Span& span, double& top, double& sum) const {
    const T* from = column_of(x, list, signal, c);
    const T largest_here = largest(team, span, from, list.columns);
    top = static_cast<double>(largest_here);
    // Rows of −∞ alone count nothing here: another piece may hold a finite one.
    sum = sum_of_powers(team, span, from, list.columns, largest_here == -INFINITY ? T(0) : largest_here);
  }
  __device__ void combine(const SegmentList&, const LongParts& parts, std::int64_t item, int count) const {
    double top = -INFINITY, sum = 0;
    for (int p = 0; p < count; ++p) top = parts.part(0, item, p) > top ? parts.part(0, item, p) : top;
    for (int p = 0; p < count; ++p) sum += parts.part(1, item, p) * exp(parts.part(0, item, p) - top);
    parts.combined(0, item) = top, parts.combined(1, item) = 1 / sum;
  }
  template <class Team>
  __device__ __forceinline__ void write(const Team& team, const SegmentList& list, const LongParts& parts,
                                        std::int64_t item, std::int64_t signal, std::int64_t c,
                                        const Span& span) const {
    const T top = static_cast<T>(parts.combined(0, item)), factor = static_cast<T>(parts.combined(1, item));
    const T* from = column_of(x, list, signal, c);
    T* to = column_of(y, list, signal, c);
    for_rows<power_rows<T>>(team, span, [&](std::int64_t r) {
      to[r * list.columns] = power(__ldg(from + r * list.columns) - top) * factor;
    });
  }
  __device__ void clear(const SegmentList& list) const { clear_tail(list, y); }
};

template <class T>
struct LongSoftmaxBackward {
  const T *g, *y;
  T* to;
  template <class Team>
  __device__ __forceinline__ void part(const Team& team, const SegmentList& list, std::int64_t signal,
                                       std::int64_t c, const Span& span, double& sum, double&) const {
    sum = sum_of_products(team, span, column_of(g, list, signal, c), column_of(y, list, signal, c),
                          list.columns);
  }
  __device__ void combine(const SegmentList&, const LongParts& parts, std::int64_t item, int count) const {
    double sum = 0;
    for (int p = 0; p < count; ++p) sum += parts.part(0, item, p);
    parts.combined(0, item) = sum;
  }
  template <class Team>
  __device__ __forceinline__ void write(const Team& team, const SegmentList& list, const LongParts& parts,
                                        std::int64_t item, std::int64_t signal, std::int64_t c,
                                        const Span& span) const {
    const T mean = static_cast<T>(parts.combined(0, item));
    const T *of_g = column_of(g, list, signal, c), *of_y = column_of(y, list, signal, c);
    T* result = column_of(to, list, signal, c);
    for_rows(team, span, [&](std::int64_t r) {
      result[r * list.columns] = __ldg(of_y + r * list.columns) * (__ldg(of_g + r * list.columns) - mean);
    });
  }
  __device__ void clear(const SegmentList& list) const { clear_tail(list, to); }
};

template <class T>
struct LongSum {
  const T* x;
  T* to;
  template <class Team>
  __device__ __forceinline__ void part(const Team& team, const SegmentList& list, std::int64_t signal,
                                       std::int64_t c, const Span& span, double& sum, double&) const {
    sum = sum_of(team, span, column_of(x, list, signal, c), list.columns);
  }
  __device__ void combine(const SegmentList&, const LongParts& parts, std::int64_t item, int count) const {
    double sum = 0;
    for (int p = 0; p < count; ++p) sum += parts.part(0, item, p);
    to[item] = static_cast<T>(sum);
  }
};

template <class T>
struct LongArgmax {
  const T* x;
  std::int64_t* to;
  template <class Team>
  __device__ __forceinline__ void part(const Team& team, const SegmentList& list, std::int64_t signal,
                                       std::int64_t c, const Span& span, double& row, double&) const {
    row = __longlong_as_double(best_row(team, span, column_of(x, list, signal, c), list.columns));
  }
  __device__ void combine(const SegmentList& list, const LongParts& parts, std::int64_t item,
                          int count) const {
    const std::int64_t signal = item / (list.segments * list.columns), c = item % list.columns;
    const T* from = column_of(x, list, signal, c);
    T best = 0;
    std::int64_t row = -1;
    for (int p = 0; p < count; ++p) {
      const std::int64_t r = __double_as_longlong(parts.part(0, item, p));
      const T value = r < 0 ? T(0) : from[r * list.columns];
      if (replaces(best, row, value, r)) best = value, row = r;
    }
    to[item] = row;
  }
};

template <class T>
struct LongSpread {
  const T* x;
  T* y;
  template <class Team>
  __device__ __forceinline__ void write(const Team& team, const SegmentList& list, const LongParts&,
                                        std::int64_t item, std::int64_t signal, std::int64_t c,
                                        const Span& span) const {
    const T value = __ldg(x + item);
    T* to = column_of(y, list, signal, c);
    for_rows(team, span, [&](std::int64_t r) { to[r * list.columns] = value; });
  }
  __device__ void clear(const SegmentList& list) const { clear_tail(list, y); }
};

// Which piece of which columns of which segment a block has.
struct LongPlace {
  std::int64_t signal, segment, column;
  int piece;
  __device__ __forceinline__ LongPlace(const SegmentList& list, int pieces, int width) {
    const std::int64_t tiles = (list.columns + width - 1) / width;
    std::int64_t rest = blockIdx.x;
    piece = static_cast<int>(rest % pieces), rest /= pieces;
    column = rest % tiles * width + threadIdx.x % width, rest /= tiles;
    segment = rest % list.segments, signal = rest / list.segments;
  }
};

template <class Op, int W>
__global__ void __launch_bounds__(block_threads)
    parts_kernel(const SegmentList list, const LongParts parts, const Op op) {
  __shared__ double shared[2 * block_threads];
  const LongPlace place(list, parts.pieces, W);
  const Pieces pieces(span_of(list, place.segment), parts.pieces);
  if (place.piece >= pieces.count()) return;
  const bool mine = place.column < list.columns;
  Span span = pieces[place.piece];
  if (!mine) span.last = span.first;
  const BlockTeam<W> team(shared);
  double first = 0, second = 0;
  op.part(team, list, place.signal, mine ? place.column : 0, span, first, second);
  if (team.rank != 0 || !mine) return;
  const std::int64_t item = (place.signal * list.segments + place.segment) * list.columns + place.column;
  parts.part(0, item, place.piece) = first, parts.part(1, item, place.piece) = second;
}

template <class Op>
__global__ void __launch_bounds__(block_threads)
    combine_kernel(const SegmentList list, const LongParts parts, const Op op) {
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (item >= parts.items) return;
  const Pieces pieces(span_of(list, item / list.columns % list.segments), parts.pieces);
  op.combine(list, parts, item, pieces.count());
}

template <class Op, int W>
__global__ void __launch_bounds__(block_threads)
    write_kernel(const SegmentList list, const LongParts parts, const Op op) {
  op.clear(list);
  const LongPlace place(list, parts.pieces, W);
  const Pieces pieces(span_of(list, place.segment), parts.pieces);
  if (place.piece >= pieces.count() || place.column >= list.columns) return;
  const BlockTeam<W> team(nullptr);
  const std::int64_t item = (place.signal * list.segments + place.segment) * list.columns + place.column;
  op.write(team, list, parts, item, place.signal, place.column, pieces[place.piece]);
}

// run(RowShape<1, W>, blocks) for the width W of the tiles of columns.
template <class Run>
void with_tiles(const SegmentList& list, int pieces, const Run& run) {
  const auto call = [&](auto shape) {
    constexpr int W = decltype(shape)::lanes;
    const std::int64_t tiles = (list.columns + W - 1) / W;
    run(shape, static_cast<unsigned>(list.signals * list.segments * tiles * pieces));
  };
  if (list.columns == 1) return call(RowShape<1, 1>{});
  if (list.columns <= 8) return call(RowShape<1, 8>{});
  call(RowShape<1, 32>{});
}

template <class Op>
void launch_parts(const SegmentList& list, const LongParts& parts, const Op& op, Stream stream) {
  with_tiles(list, parts.pieces, [&](auto shape, unsigned blocks) {
    parts_kernel<Op, decltype(shape)::lanes><<<blocks, block_threads, 0, stream>>>(list, parts, op);
  });
  combine_kernel<<<blocks_of<1>(parts.items), block_threads, 0, stream>>>(list, parts, op);
}

template <class Op>
void launch_write(const SegmentList& list, const LongParts& parts, const Op& op, Stream stream) {
  with_tiles(list, parts.pieces, [&](auto shape, unsigned blocks) {
    write_kernel<Op, decltype(shape)::lanes><<<blocks, block_threads, 0, stream>>>(list, parts, op);
  });
}

}  // namespace gsan::ops::cuda
