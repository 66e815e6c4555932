// What the tensors of kept are, for A applications: y, state [..., N, H, 4], the results of all applications
// but the last [A − 1, ..., N, H·F], u [A, ..., N, H·F]; see pair_attention_kernel.h.

#include "gsan/ops/cpu/attention/pair_attention.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <ATen/Dispatch.h>

#include "gsan/core/check.h"
#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/attention/pair_attention_kernel.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/pair_list.h"
#include "gsan/ops/cpu/row_ranges.h"
#include "gsan/ops/detail/attention_checks.h"

namespace gsan::ops {
namespace {

// An operand of more bytes than this leaves the caches near a core: its rows are fetched ahead.
constexpr std::int64_t near_bytes = std::int64_t{1} << 20;

// Weights of at most so many bytes are kept for the other powers of a call: they stay in some cache.
constexpr std::int64_t kept_bytes = std::int64_t{1} << 22;

// The largest of `rows` numbers, in strands that do not wait for each other.
template <class T>
T largest(const T* x, std::int64_t stride, std::int64_t rows) {
  constexpr int strands = 8;
  T tops[strands];
  std::fill(tops, tops + strands, -std::numeric_limits<T>::infinity());
  for (std::int64_t i = 0; i < rows; i += strands) {
    for (int s = 0; s < strands; ++s) {
      const T value = x[std::min(i + s, rows - 1) * stride];
      tops[s] = value > tops[s] ? value : tops[s];
    }
  }
  return *std::max_element(tops, tops + strands);
}

// Memory for one thread, aligned to a cache line.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t size) : memory_(static_cast<std::size_t>(size) + 64 / sizeof(T)) {}
  T* data() {
    return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(memory_.data()) + 63) &
                                ~std::uintptr_t{63});
  }

 private:
  std::vector<T> memory_;
};

/// The operands of one call, whose rows all applications walk in the same way.
template <class T>
class PairFilter {
 public:
  explicit PairFilter(const AttentionOperands& o)
      : taps_(o.taps),
        receiver_(o.receiver),
        source_(o.source),
        offsets_(o.structure[0].contiguous()),
        sources_(o.structure[1].contiguous()),
        slope_(static_cast<T>(o.negative_slope)),
        sigmoid_(o.sigmoid),
        kernels_(current_build<T>(GSAN_BUILDS_OF(pair_attention))) {
    if (o.mask) mask_ = o.mask->contiguous(), mirror_ = o.structure[2].contiguous();
    if (o.signs) signs_ = o.signs->contiguous();
    signals_ = signal_count(o.taps, 3);
    rows_ = o.taps.size(-3), tap_count_ = o.taps.size(-2), width_ = o.taps.size(-1);
    heads_ = o.receiver.size(-1), features_ = width_ / heads_;
    applications_ = tap_count_ - 1 + o.first_power;
    aligned_ = features_ * static_cast<std::int64_t>(sizeof(T)) % 64 == 0;
    far_ = rows_ * width_ * static_cast<std::int64_t>(sizeof(T)) > near_bytes;
  }

  std::vector<at::Tensor> forward(bool keep) {
    const auto options = taps_.options();
    const at::Tensor y = pooled_empty(leading_sizes(taps_, {rows_, width_}), options);
    const bool reads_state = keep || applications_ > 1;
    at::Tensor state, u;
    if (reads_state) state = pooled_empty(leading_sizes(taps_, {rows_, heads_, 4}), options);
    if (keep) u = pooled_empty(leading_sizes(taps_, {rows_, width_}, applications_), options);
    const std::int64_t between = keep ? applications_ - 1 : std::min<std::int64_t>(applications_ - 1, 2);
    const at::Tensor inner = pooled_empty(leading_sizes(taps_, {rows_, width_}, between), options);
    find_tops();
    const at::Tensor weights = room_for_weights(keep ? 2 : 1);
    StridedRows x(tap(tap_count_ - 1));
    for (std::int64_t a = 0; a < applications_; ++a) {
      const std::int64_t added = tap_count_ - 2 - a;
      const at::Tensor result = a == applications_ - 1 ? y : inner[a % between];
      const at::Tensor kept = keep ? u[a] : at::Tensor();
      apply(x, added, result, kept, state, weights, a == 0);
      x = StridedRows(result);
    }
    if (!keep) return {y};
    return {y, state, inner, u};
  }

  std::vector<at::Tensor> backward(const at::Tensor& gradient, const std::vector<at::Tensor>& kept) {
    check_kept(kept);
    const at::Tensor &y = kept[0], &state = kept[1], &inner = kept[2], &u = kept[3];
    const auto options = taps_.options();
    const at::Tensor of_taps = pooled_empty(taps_.sizes(), options),
                     of_receiver = pooled_empty(receiver_.x.sizes(), options),
                     of_source = pooled_empty(source_.x.sizes(), options),
                     packed = pooled_empty(state.sizes(), options);
    const at::Tensor weights = room_for_weights(mask_.defined() || signs_.defined() ? 3 : 2);
    StridedRows g(gradient);
    if (applications_ < tap_count_) of_taps.select(-2, 0).copy_(gradient);
    for (std::int64_t a = applications_ - 1; a >= 0; --a) {
      const bool last = a == applications_ - 1;
      const at::Tensor result = last ? y : inner[a];
      sum_rows(g, result, tap_count_ - 2 - a, u[a], state, packed, of_receiver, !last);
      const at::Tensor of_x = of_taps.select(-2, tap_count_ - 1 - a);
      sum_columns(g, StridedRows(a == 0 ? tap(tap_count_ - 1) : inner[a - 1]), packed, of_x, of_source,
                  weights, last);
      g = StridedRows(of_x);
    }
    return {of_taps, of_receiver, of_source};
  }

 private:
  void check_kept(const std::vector<at::Tensor>& kept) const {
    const auto row = leading_sizes(taps_, {rows_, width_}, applications_);
    auto between = row;
    --between[0];
    const auto is = [&](std::size_t i, const c10::DimVector& sizes) {
      return kept[i].sizes() == sizes && kept[i].is_contiguous() && kept[i].is_cpu() &&
             kept[i].scalar_type() == taps_.scalar_type();
    };
    GSAN_CHECK(
        kept.size() == 4 && is(1, leading_sizes(taps_, {rows_, heads_, 4})) && is(2, between) && is(3, row),
        "gsan::attention_powers_backward: kept must be all that attention_powers returned with keep for the "
        "same operands");
  }

  at::Tensor tap(std::int64_t p) const { return taps_.select(-2, p); }

  // [signals, arrays, H, stride] for a call of several applications (KeptWeights), or nothing.
  at::Tensor room_for_weights(std::int64_t arrays) const {
    const std::int64_t stride = sources_.size(0) + rows_ + 64 / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t numbers = signals_ * arrays * heads_ * stride;
    if (applications_ < 2 || numbers * static_cast<std::int64_t>(sizeof(T)) > kept_bytes) return {};
    return pooled_empty({signals_, arrays, heads_, stride}, taps_.options());
  }

  KeptWeights<T> kept_weights(const at::Tensor& room, std::int64_t signal) const {
    if (!room.defined()) return {};
    return {room.mutable_data_ptr<T>() + signal * room.stride(0), room.size(3)};
  }

  void find_tops() {
    tops_.resize(static_cast<std::size_t>(signals_ * heads_), std::numeric_limits<T>::quiet_NaN());
    if (sigmoid_ || slope_ < 0) return;  // then the largest source has not the largest score
    for (std::int64_t i = 0; i < signals_ * heads_; ++i)
      tops_[static_cast<std::size_t>(i)] = largest(
          source_.data<T>() + i / heads_ * source_.signal_stride + i % heads_, source_.row_stride, rows_);
  }

  RowsOf<const T> rows_of(const StridedRows& x, std::int64_t signal) const {
    return {x.data<T>() + signal * x.signal_stride, x.row_stride};
  }

  AttentionPairs<T> list_of(std::int64_t signal) const {
    AttentionPairs<T> list{};
    list.offsets = offsets_.const_data_ptr<std::int64_t>();
    list.sources = sources_.const_data_ptr<std::int32_t>();
    list.pairs = sources_.size(0);
    if (signs_.defined()) list.signs = signs_.const_data_ptr<std::int8_t>();
    if (mask_.defined()) list.mask = mask_.const_data_ptr<T>() + signal * list.pairs * heads_;
    if (mirror_.defined() && mirror_.scalar_type() == at::kInt)
      list.mirror = mirror_.const_data_ptr<std::int32_t>();
    else if (mirror_.defined())
      list.wide_mirror = mirror_.const_data_ptr<std::int64_t>();
    list.receiver = rows_of(receiver_, signal), list.source = rows_of(source_, signal);
    list.tops = tops_.data() + (tops_.empty() ? 0 : signal * heads_);
    list.heads = heads_, list.features = features_, list.slope = slope_, list.sigmoid = sigmoid_;
    return list;
  }

  // compute(signal, first, last, scratch) for all rows, by all threads; `check` the tables on the way.
  template <class Compute>
  void for_rows(const char* who, bool check, const Compute& compute) const {
    const PairList<std::int32_t> narrow(
        offsets_, sources_, mirror_.defined() && mirror_.scalar_type() == at::kInt ? mirror_ : at::Tensor());
    const auto in_range = [&](std::int64_t begin, std::int64_t end) {
      if (mirror_.defined() && mirror_.scalar_type() == at::kLong)
        return PairList<std::int64_t>(offsets_, sources_, mirror_).in_range(begin, end);
      return narrow.in_range(begin, end);
    };
    if (!narrow.has_ends()) fail_on_pairs(who, offsets_, sources_, mirror_);
    const bool fine = share_rows(
        signals_, rows_, width_, [&](std::int64_t i) { return i + narrow.offsets[i]; },
        [&](std::int64_t signal, std::int64_t begin, std::int64_t end) {
          Scratch<T> scratch(kernels_.scratch(heads_, features_));
          constexpr std::int64_t checked_at_a_time = 256;
          while (begin < end) {
            const std::int64_t stop = check ? std::min(end, begin + checked_at_a_time) : end;
            if (check && !in_range(begin, stop)) return false;
            compute(signal, begin, stop, scratch.data());
            begin = stop;
          }
          return true;
        });
    if (!fine) fail_on_pairs(who, offsets_, sources_, mirror_);
  }

  void apply(const StridedRows& x, std::int64_t added, const at::Tensor& y, const at::Tensor& u,
             const at::Tensor& state, const at::Tensor& weights, bool first) const {
    AttentionForward<T> call{};
    call.first = first;
    call.stream = aligned_ && should_stream(y);
    call.prefetch = far_;
    const StridedRows addend(tap(std::max<std::int64_t>(added, 0)));
    for_rows("gsan::attention_powers", first,
             [&](std::int64_t signal, std::int64_t begin, std::int64_t end, T* scratch) {
               AttentionForward<T> own = call;
               own.list = list_of(signal);
               own.kept = kept_weights(weights, signal);
               own.x = rows_of(x, signal);
               if (added >= 0) own.tap = rows_of(addend, signal);
               own.y = y.mutable_data_ptr<T>() + signal * rows_ * width_;
               if (u.defined()) own.u = u.mutable_data_ptr<T>() + signal * rows_ * width_;
               if (state.defined()) own.state = state.mutable_data_ptr<T>() + signal * rows_ * heads_ * 4;
               kernels_.forward(own, scratch, begin, end);
             });
  }

  void sum_rows(const StridedRows& g, const at::Tensor& y, std::int64_t added, const at::Tensor& u,
                const at::Tensor& state, const at::Tensor& packed, const at::Tensor& of_receiver,
                bool add) const {
    const StridedRows addend(tap(std::max<std::int64_t>(added, 0))), result(y);
    share_rows(
        signals_, rows_, width_, [](std::int64_t i) { return i; },
        [&](std::int64_t signal, std::int64_t begin, std::int64_t end) {
          const std::int64_t before = signal * rows_;
          AttentionRows<T> call{};
          call.gradient = rows_of(g, signal), call.y = rows_of(result, signal);
          if (added >= 0) call.tap = rows_of(addend, signal);
          call.u = u.const_data_ptr<T>() + before * width_;
          call.state = state.const_data_ptr<T>() + before * heads_ * 4;
          call.packed = packed.mutable_data_ptr<T>() + before * heads_ * 4;
          call.of_receiver = of_receiver.mutable_data_ptr<T>() + before * heads_;
          call.heads = heads_, call.features = features_, call.slope = slope_, call.sigmoid = sigmoid_,
          call.add = add;
          kernels_.rows(call, begin, end);
          return true;
        });
  }

  void sum_columns(const StridedRows& g, const StridedRows& x, const at::Tensor& packed,
                   const at::Tensor& of_x, const at::Tensor& of_source, const at::Tensor& weights,
                   bool first) const {
    const std::int64_t signal_stride = rows_ * tap_count_ * width_;
    const bool stream = aligned_ && of_x.numel() * static_cast<std::int64_t>(sizeof(T)) >= stream_bytes &&
                        reinterpret_cast<std::uintptr_t>(of_x.const_data_ptr()) % 64 == 0;
    for_rows("gsan::attention_powers_backward", first,
             [&](std::int64_t signal, std::int64_t begin, std::int64_t end, T* scratch) {
               AttentionColumns<T> call{};
               call.list = list_of(signal);
               call.kept = kept_weights(weights, signal);
               call.gradient = rows_of(g, signal), call.x = rows_of(x, signal);
               call.packed = packed.const_data_ptr<T>() + signal * rows_ * heads_ * 4;
               call.of_x = {of_x.mutable_data_ptr<T>() + signal * signal_stride, tap_count_ * width_};
               call.of_source = of_source.mutable_data_ptr<T>() + signal * rows_ * heads_;
               call.first = first, call.stream = stream, call.prefetch = far_;
               kernels_.columns(call, scratch, begin, end);
             });
  }

  at::Tensor taps_;
  StridedRows receiver_, source_;
  at::Tensor offsets_, sources_, mirror_, mask_, signs_;
  std::vector<T> tops_;  ///< [signals, H], for the first application
  T slope_;
  bool sigmoid_;
  const PairAttentionKernels<T>& kernels_;
  std::int64_t signals_, rows_, tap_count_, width_, heads_, features_, applications_;
  bool aligned_, far_;
};

}  // namespace

std::vector<at::Tensor> pair_attention_forward(const AttentionOperands& operands, bool keep) {
  return AT_DISPATCH_FLOATING_TYPES(operands.taps.scalar_type(), "attention",
                                    [&] { return PairFilter<scalar_t>(operands).forward(keep); });
}

std::vector<at::Tensor> pair_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept) {
  return AT_DISPATCH_FLOATING_TYPES(operands.taps.scalar_type(), "attention_backward",
                                    [&] { return PairFilter<scalar_t>(operands).backward(gradient, kept); });
}

}  // namespace gsan::ops
