#include "gsan/ops/cuda/long_segments.cuh"
#include "gsan/ops/cuda/segments.h"
#include "gsan/ops/cuda/short_segments.cuh"

namespace gsan::ops::cuda {

template <class T>
void launch_segment_softmax(const T* x, T* y, const SegmentList& list, double* scratch, Stream stream) {
  const SegmentPlan plan(list);
  if (list.columns == 0 || list.rows == 0 || list.signals == 0) return;
  if (plan.pieces == 0) return launch_short(plan, list, ShortSoftmax<T>{x, y}, stream);
  const LongParts parts{scratch, list.items(), plan.pieces};
  launch_parts(list, parts, LongSoftmax<T>{x, y}, stream);
  launch_write(list, parts, LongSoftmax<T>{x, y}, stream);
}

template <class T>
void launch_segment_softmax_backward(const T* g, const T* y, T* to, const SegmentList& list, double* scratch,
                                     Stream stream) {
  const SegmentPlan plan(list);
  if (list.columns == 0 || list.rows == 0 || list.signals == 0) return;
  if (plan.pieces == 0) return launch_short(plan, list, ShortSoftmaxBackward<T>{g, y, to}, stream);
  const LongParts parts{scratch, list.items(), plan.pieces};
  launch_parts(list, parts, LongSoftmaxBackward<T>{g, y, to}, stream);
  launch_write(list, parts, LongSoftmaxBackward<T>{g, y, to}, stream);
}

template <class T>
void launch_segment_sum(const T* x, T* to, const SegmentList& list, double* scratch, Stream stream) {
  const SegmentPlan plan(list);
  if (list.items() == 0) return;
  if (plan.pieces == 0) return launch_short(plan, list, ShortSum<T>{x, to}, stream);
  launch_parts(list, {scratch, list.items(), plan.pieces}, LongSum<T>{x, to}, stream);
}

template <class T>
void launch_segment_argmax(const T* x, std::int64_t* to, const SegmentList& list, double* scratch,
                           Stream stream) {
  const SegmentPlan plan(list);
  if (list.items() == 0) return;
  if (plan.pieces == 0) return launch_short(plan, list, ShortArgmax<T>{x, to}, stream);
  launch_parts(list, {scratch, list.items(), plan.pieces}, LongArgmax<T>{x, to}, stream);
}

template <class T>
void launch_segment_spread(const T* x, T* y, const SegmentList& list, Stream stream) {
  const SegmentPlan plan(list);
  if (list.columns == 0 || list.rows == 0 || list.signals == 0) return;
  if (plan.pieces == 0) return launch_short(plan, list, ShortSpread<T>{x, y}, stream);
  launch_write(list, {nullptr, list.items(), plan.pieces}, LongSpread<T>{x, y}, stream);
}

#define GSAN_INSTANTIATE(T)                                                                          \
  template void launch_segment_softmax(const T*, T*, const SegmentList&, double*, Stream);           \
  template void launch_segment_softmax_backward(const T*, const T*, T*, const SegmentList&, double*, \
                                                Stream);                                             \
  template void launch_segment_sum(const T*, T*, const SegmentList&, double*, Stream);               \
  template void launch_segment_argmax(const T*, std::int64_t*, const SegmentList&, double*, Stream); \
  template void launch_segment_spread(const T*, T*, const SegmentList&, Stream)
GSAN_INSTANTIATE(float);
GSAN_INSTANTIATE(double);

}  // namespace gsan::ops::cuda
