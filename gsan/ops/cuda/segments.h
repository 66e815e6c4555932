#pragma once
// Kernels of ops/segments.h. Columns of segments are items; how threads share them follows from the shapes:
//   short  segments of a few rows: a group of `lanes` threads takes an item, read once where it fits
//   registers,
//          and a block takes together what is longer than 512 rows
//   long   few or large segments: blocks take pieces of items and leave parts, which are combined in order
// Rows behind the last offset belong to no segment. Offsets beyond the rows are cut, never followed.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

struct SegmentList {
  const std::int64_t* offsets = nullptr;
  std::int64_t signals = 1, segments = 0, rows = 0, columns = 0;
  std::int64_t items() const { return signals * segments * columns; }
};

struct SegmentPlan {
  int lanes = 1;   ///< short: threads per item, 1, 4 or 16
  int pieces = 0;  ///< long: most pieces per segment; 0: short

  explicit SegmentPlan(const SegmentList& list) {
    const std::int64_t all = list.signals * list.segments;
    const std::int64_t mean = list.segments > 0 ? (list.rows + list.segments - 1) / list.segments : 0;
    while (lanes < 16 && lanes * 4 < mean && lanes * list.columns < 16) lanes *= 4;
    if (all == 0 || mean <= 64 || (mean <= 256 && all * list.columns * lanes >= 1 << 16)) return;
    pieces = static_cast<int>(all >= 512 ? 8 : all <= 8 ? 512 : 4096 / all);
  }
  /// Of doubles; the long kernels keep two numbers per item and piece, and two per item.
  std::int64_t scratch(const SegmentList& list) const {
    return pieces > 0 ? 2 * list.items() * (pieces + 1) : 0;
  }
};

/// x, y [signals, rows, columns], contiguous; `scratch` as the plan says. float and double.
template <class T>
void launch_segment_softmax(const T* x, T* y, const SegmentList& list, double* scratch, Stream stream);

/// to = y (g − Σ g y): the gradient at the softmax y.
template <class T>
void launch_segment_softmax_backward(const T* g, const T* y, T* to, const SegmentList& list, double* scratch,
                                     Stream stream);

/// to [signals, segments, columns]
template <class T>
void launch_segment_sum(const T* x, T* to, const SegmentList& list, double* scratch, Stream stream);
template <class T>
void launch_segment_argmax(const T* x, std::int64_t* to, const SegmentList& list, double* scratch,
                           Stream stream);

/// y [signals, rows, columns] from x [signals, segments, columns].
template <class T>
void launch_segment_spread(const T* x, T* y, const SegmentList& list, Stream stream);

}  // namespace gsan::ops::cuda
