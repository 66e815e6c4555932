// A group of threads owns a row, and each of them every so many-th number of its pairs.

#include "gsan/ops/cuda/pair_rows.cuh"

namespace gsan::ops::cuda {
namespace {

template <class T>
struct PairSum {
  PairList list;
  Rows<const T> receiver, source;
  T* y;
};

template <class T>
__device__ __forceinline__ void sum_row(const PairSum<T>& s, const RowPlace& place, const PairSpan& span,
                                        int start, int step) {
  const PairList& list = s.list;
  const int heads = list.heads;
  const std::int64_t count = static_cast<std::int64_t>(span.count) * heads;
  const T* receiver = s.receiver.data + place.signal * s.receiver.signal + place.row * s.receiver.row;
  const T* source = s.source.data + place.signal * s.source.signal;
  T* y = s.y + (place.signal * list.pairs + span.first) * heads;
#pragma unroll 4
  for (std::int64_t n = start; n < count; n += step) {
    const std::int64_t pair = heads == 1 ? n : n / heads;
    const int h = static_cast<int>(n - pair * heads);
    y[n] = __ldg(receiver + h) + __ldg(source + __ldg(list.sources + span.first + pair) * s.source.row + h);
  }
}

template <class T, int L>
__global__ void __launch_bounds__(block_threads) pair_sum_kernel(const PairSum<T> s) {
  constexpr int groups = block_threads / L;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * groups,
                     rows = s.list.signals * s.list.rows, mine = first + threadIdx.x / L;
  clear_last_pairs(s.list, s.y);
  bool heavy = false;
  if (mine < rows) {
    const RowPlace place(s.list, mine);
    const PairSpan span(s.list, place.row);
    heavy = span.heavy();
    if (!heavy) sum_row(s, place, span, threadIdx.x % L, L);
  }
  if (!__syncthreads_or(heavy)) return;
  for (std::int64_t n = first; n < first + groups && n < rows; ++n) {
    const RowPlace place(s.list, n);
    const PairSpan span(s.list, place.row);
    if (span.heavy()) sum_row(s, place, span, threadIdx.x, block_threads);
  }
}

}  // namespace

template <class T>
void launch_pair_sum(const PairList& list, const Rows<const T>& receiver, const Rows<const T>& source, T* y,
                     Stream stream) {
  const std::int64_t rows = list.signals * list.rows;
  if (rows == 0 || list.heads == 0 || list.pairs == 0) return;
  const std::int64_t mean = list.pairs * list.heads / list.rows;
  const PairSum<T> sum{list, receiver, source, y};
  if (mean <= 4) return pair_sum_kernel<T, 1><<<blocks_of<1>(rows), block_threads, 0, stream>>>(sum);
  if (mean <= 24) return pair_sum_kernel<T, 4><<<blocks_of<4>(rows), block_threads, 0, stream>>>(sum);
  pair_sum_kernel<T, 16><<<blocks_of<16>(rows), block_threads, 0, stream>>>(sum);
}

#define GSAN_INSTANTIATE(T) \
  template void launch_pair_sum(const PairList&, const Rows<const T>&, const Rows<const T>&, T*, Stream)
GSAN_INSTANTIATE(float);
GSAN_INSTANTIATE(double);

}  // namespace gsan::ops::cuda
