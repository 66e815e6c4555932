#include <algorithm>
#include <cmath>

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/share_range.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/segments_checks.h"

namespace gsan::ops {
namespace {

// Checked offsets, in memory of their own or the caller's.
class Segments {
 public:
  Segments(const char* who, const at::Tensor& offsets, std::int64_t rows)
      : kept_(offsets.contiguous()),
        offsets_(kept_.const_data_ptr<std::int64_t>()),
        count_(offsets.size(0) - 1),
        rows_(rows) {
    bool fine = offsets_[0] == 0 && offsets_[count_] == rows;
    for (std::int64_t s = 0; s < count_; ++s) fine &= offsets_[s] <= offsets_[s + 1];
    GSAN_CHECK(fine, who, ": offsets must increase from 0 to ", rows, " (the rows of all segments), got ",
               count_ + 1, " offsets from ", offsets_[0], " to ", offsets_[count_]);
  }

  // reduce(signal, segment, first row, past its last) for all signals and segments, by all threads.
  template <class Reduce>
  void for_all(std::int64_t signals, std::int64_t columns, const Reduce& reduce) const {
    if (count_ == 0) return;
    constexpr std::int64_t grain = 32768;
    const std::int64_t work = (rows_ / count_ + 1) * std::max<std::int64_t>(1, columns);
    share_range(0, signals * count_, std::max<std::int64_t>(1, grain / work),
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t n = begin; n < end; ++n) {
                    const std::int64_t s = n % count_;
                    reduce(n / count_, s, offsets_[s], offsets_[s + 1]);
                  }
                });
  }

 private:
  at::Tensor kept_;
  const std::int64_t* offsets_;
  std::int64_t count_, rows_;
};

std::int64_t signal_count(const at::Tensor& x) {
  return c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 2);
}

template <class T>
void run_softmax(const at::Tensor& x, const at::Tensor& result, const Segments& segments) {
  const std::int64_t rows = x.size(-2), columns = x.size(-1);
  const T* in = x.const_data_ptr<T>();
  T* out = result.mutable_data_ptr<T>();
  segments.for_all(signal_count(x), columns,
                   [=](std::int64_t signal, std::int64_t, std::int64_t first, std::int64_t last) {
                     const T* from = in + signal * rows * columns;
                     T* to = out + signal * rows * columns;
                     for (std::int64_t c = 0; first < last && c < columns; ++c) {
                       T largest = from[first * columns + c];
                       for (std::int64_t r = first; r < last; ++r)
                         largest = std::max(largest, from[r * columns + c]);
                       double total = 0;
                       for (std::int64_t r = first; r < last; ++r) {
                         const T value = std::exp(from[r * columns + c] - largest);
                         to[r * columns + c] = value;
                         total += static_cast<double>(value);
                       }
                       const T factor = static_cast<T>(1 / total);
                       for (std::int64_t r = first; r < last; ++r) to[r * columns + c] *= factor;
                     }
                   });
}

template <class T>
void run_sum(const at::Tensor& x, const at::Tensor& result, const Segments& segments) {
  const std::int64_t rows = x.size(-2), columns = x.size(-1), count = result.size(-2);
  const T* in = x.const_data_ptr<T>();
  T* out = result.mutable_data_ptr<T>();
  constexpr std::int64_t block = 64;  // columns that are summed at a time
  segments.for_all(signal_count(x), columns,
                   [=](std::int64_t signal, std::int64_t s, std::int64_t first, std::int64_t last) {
                     const T* from = in + signal * rows * columns;
                     T* to = out + (signal * count + s) * columns;
                     for (std::int64_t begin = 0; begin < columns; begin += block) {
                       const std::int64_t size = std::min(block, columns - begin);
                       double sums[block] = {};
                       for (std::int64_t r = first; r < last; ++r)
                         for (std::int64_t c = 0; c < size; ++c)
                           sums[c] += static_cast<double>(from[r * columns + begin + c]);
                       for (std::int64_t c = 0; c < size; ++c) to[begin + c] = static_cast<T>(sums[c]);
                     }
                   });
}

template <class T>
void run_argmax(const at::Tensor& x, const at::Tensor& result, const Segments& segments) {
  const std::int64_t rows = x.size(-2), columns = x.size(-1), count = result.size(-2);
  const T* in = x.const_data_ptr<T>();
  std::int64_t* out = result.mutable_data_ptr<std::int64_t>();
  segments.for_all(signal_count(x), columns,
                   [=](std::int64_t signal, std::int64_t s, std::int64_t first, std::int64_t last) {
                     const T* from = in + signal * rows * columns;
                     for (std::int64_t c = 0; c < columns; ++c) {
                       std::int64_t best = first < last ? first : -1;
                       for (std::int64_t r = first + 1; r < last && !std::isnan(from[best * columns + c]);
                            ++r) {
                         const T value = from[r * columns + c];
                         if (value > from[best * columns + c] || std::isnan(value)) best = r;
                       }
                       out[(signal * count + s) * columns + c] = best;
                     }
                   });
}

template <class T>
void run_spread(const at::Tensor& x, const at::Tensor& result, const Segments& segments) {
  const std::int64_t rows = result.size(-2), columns = x.size(-1), count = x.size(-2);
  const T* in = x.const_data_ptr<T>();
  T* out = result.mutable_data_ptr<T>();
  segments.for_all(signal_count(x), columns,
                   [=](std::int64_t signal, std::int64_t s, std::int64_t first, std::int64_t last) {
                     const T* from = in + (signal * count + s) * columns;
                     T* to = out + signal * rows * columns;
                     for (std::int64_t r = first; r < last; ++r)
                       std::copy(from, from + columns, to + r * columns);
                   });
}

at::Tensor softmax_cpu(const at::Tensor& x, const at::Tensor& offsets) {
  constexpr const char* who = "gsan::segment_softmax";
  check_segments(who, x, offsets);
  const at::Tensor y = at::empty(x.sizes(), x.options());
  const Segments segments(who, offsets, x.size(-2));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), who,
                             [&] { run_softmax<scalar_t>(x.contiguous(), y, segments); });
  return y;
}

at::Tensor sum_cpu(const at::Tensor& x, const at::Tensor& offsets) {
  constexpr const char* who = "gsan::segment_sum";
  const auto count = check_segments(who, x, offsets);
  const at::Tensor y = at::empty_symint(sizes_with(x, 2, {count, x.sym_size(-1)}), x.options());
  const Segments segments(who, offsets, x.size(-2));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), who, [&] { run_sum<scalar_t>(x.contiguous(), y, segments); });
  return y;
}

at::Tensor argmax_cpu(const at::Tensor& x, const at::Tensor& offsets) {
  constexpr const char* who = "gsan::segment_argmax";
  const auto count = check_segments(who, x, offsets);
  const at::Tensor y =
      at::empty_symint(sizes_with(x, 2, {count, x.sym_size(-1)}), x.options().dtype(at::kLong));
  const Segments segments(who, offsets, x.size(-2));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), who,
                             [&] { run_argmax<scalar_t>(x.contiguous(), y, segments); });
  return y;
}

at::Tensor spread_cpu(const at::Tensor& x, const at::Tensor& offsets, c10::SymInt rows) {
  constexpr const char* who = "gsan::segment_spread";
  check_spread(x, offsets, rows);
  const Segments segments(who, offsets, rows.expect_int());
  const at::Tensor y = at::empty_symint(sizes_with(x, 2, {rows, x.sym_size(-1)}), x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), who,
                             [&] { run_spread<scalar_t>(x.contiguous(), y, segments); });
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("segment_softmax", softmax_cpu);
  m.impl("segment_sum", sum_cpu);
  m.impl("segment_argmax", argmax_cpu);
  m.impl("segment_spread", spread_cpu);
}

}  // namespace gsan::ops
