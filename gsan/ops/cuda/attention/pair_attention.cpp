// What the tensors of kept are, for A applications: y, state [..., N, H, 4], the results of all applications
// but the last [A − 1, ..., N, H·F], u [A, ..., N, H·F]; see pair_attention_kernels.h.

#include "gsan/ops/cuda/attention/pair_attention.h"

#include <ATen/ops/empty.h>

#include "gsan/ops/cuda/attention/heavy_rows.h"
#include "gsan/ops/cuda/attention/pair_attention_kernels.h"
#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/attention_checks.h"

namespace gsan::ops::cuda {
namespace {

// Lists of fewer pairs find the largest score of each row by a pass over it, and are not searched for long
// rows: that costs less than another launch.
constexpr std::int64_t long_list = std::int64_t{1} << 17;

/// The operands of one call, whose rows all applications walk in the same way.
template <class S>
class PairFilter {
 public:
  using T = Compute<S>;

  explicit PairFilter(const AttentionOperands& o)
      : launch_(o.taps),
        taps_(aligned_rows(o.taps, 2)),
        receiver_(with_rows(o.receiver)),
        source_(with_rows(o.source)),
        offsets_(o.structure[0].contiguous()),
        sources_(o.structure[1].contiguous()) {
    list_.signals = signal_count(o.taps, 3);
    list_.rows = o.taps.size(-3), taps_count_ = o.taps.size(-2), width_ = o.taps.size(-1);
    list_.heads = static_cast<int>(o.receiver.size(-1)),
    list_.features = static_cast<int>(width_ / list_.heads);
    list_.slope = static_cast<T>(o.negative_slope), list_.sigmoid = o.sigmoid;
    list_.offsets = data<std::int64_t>(offsets_), list_.sources = data<std::int32_t>(sources_);
    list_.pairs = sources_.size(0);
    list_.receiver = rows_of<T>(receiver_), list_.source = rows_of<T>(source_);
    if (o.signs) signs_ = o.signs->contiguous(), list_.signs = data<std::int8_t>(signs_);
    if (o.mask) {
      mask_ = o.mask->contiguous(), mirror_ = o.structure[2].contiguous();
      list_.mask = data<T>(mask_);
      if (mirror_.scalar_type() == at::kInt)
        list_.mirror = data<std::int32_t>(mirror_);
      else
        list_.wide_mirror = data<std::int64_t>(mirror_);
    }
    applications_ = taps_count_ - 1 + o.first_power;
    list_.has_heavy = list_.pairs >= long_list && may_have_heavy_rows(offsets_);
  }

  std::vector<at::Tensor> forward(bool keep) {
    const auto options = taps_.options();
    const at::Tensor y = at::empty(leading_sizes(taps_, {list_.rows, width_}), options);
    const std::int64_t between = keep ? applications_ - 1 : std::min<std::int64_t>(applications_ - 1, 2);
    const at::Tensor inner = at::empty(leading_sizes(taps_, {list_.rows, width_}, between), options);
    at::Tensor state, u;
    if (keep) {
      state = at::empty(leading_sizes(taps_, {list_.rows, list_.heads, 4}), receiver_.options());
      u = at::empty(leading_sizes(taps_, {list_.rows, width_}, applications_), options);
    }
    const at::Tensor tops = largest_sources();
    Rows<const S> x = tap(taps_count_ - 1);
    for (std::int64_t a = 0; a < applications_; ++a) {
      const at::Tensor result = a == applications_ - 1 ? y : inner[a % between];
      AttentionForward<S> call{
          list_, x, tap(taps_count_ - 2 - a), writable_rows<S>(result), {}, nullptr, data<T>(tops)};
      if (keep) call.u = writable_rows<S>(u[a]);
      if (a == 0) call.state = writable<T>(state);
      launch_attention_forward(call, launch_.stream);
      check_launch();
      x = rows_of<S>(result);
    }
    if (!keep) return {y};
    return {y, state, inner, u};
  }

  std::vector<at::Tensor> backward(const at::Tensor& gradient, const std::vector<at::Tensor>& kept) {
    check_kept(kept);
    const at::Tensor &y = kept[0], &state = kept[1], &inner = kept[2], &u = kept[3];
    const auto contiguous = [](const at::Tensor& like) { return at::empty(like.sizes(), like.options()); };
    // Both gradients of scores lie side by side, as whoever multiplies them wants them.
    const at::Tensor of_scores =
        at::empty(leading_sizes(taps_, {list_.rows, 2, list_.heads}), receiver_.options());
    const at::Tensor of_taps = contiguous(taps_), of_receiver = of_scores.select(-2, 0),
                     of_source = of_scores.select(-2, 1), packed = contiguous(state),
                     outer = aligned_rows(gradient);
    const int of_row = 2 * list_.heads;
    if (applications_ < taps_count_) of_taps.select(-2, 0).copy_(gradient);
    Rows<const S> g = rows_of<S>(outer);
    for (std::int64_t a = applications_ - 1; a >= 0; --a) {
      const bool last = a == applications_ - 1;
      const at::Tensor of_x = of_taps.select(-2, taps_count_ - 1 - a);
      launch_attention_rows(AttentionRows<S>{g, rows_of<S>(last ? y : inner[a]), tap(taps_count_ - 2 - a),
                                             rows_of<S>(u[a]), data<T>(state), writable<T>(packed),
                                             writable<T>(of_receiver), of_row, list_.signals, list_.rows,
                                             list_.heads, list_.features, list_.slope, list_.sigmoid, !last},
                            launch_.stream);
      check_launch();
      launch_attention_columns(
          AttentionColumns<S>{list_, g, a == 0 ? tap(taps_count_ - 1) : rows_of<S>(inner[a - 1]),
                              data<T>(packed), writable_rows<S>(of_x), writable<T>(of_source), of_row, !last},
          launch_.stream);
      check_launch();
      g = rows_of<S>(of_x);
    }
    return {of_taps, of_receiver, of_source};
  }

 private:
  void check_kept(const std::vector<at::Tensor>& kept) const {
    const auto row = leading_sizes(taps_, {list_.rows, width_}, applications_);
    auto between = row;
    --between[0];
    const auto is = [&](std::size_t i, const c10::DimVector& sizes, at::ScalarType type) {
      return kept[i].sizes() == sizes && kept[i].is_contiguous() && kept[i].device() == taps_.device() &&
             kept[i].scalar_type() == type;
    };
    const auto type = taps_.scalar_type();
    GSAN_CHECK(
        kept.size() == 4 &&
            is(1, leading_sizes(taps_, {list_.rows, list_.heads, 4}), receiver_.scalar_type()) &&
            is(2, between, type) && is(3, row, type) && kept[0].is_contiguous(),
        "gsan::attention_powers_backward: kept must be all that attention_powers returned with keep for "
        "the same operands");
  }

  // Without data for p < 0.
  Rows<const S> tap(std::int64_t p) const {
    if (p < 0) return {};
    Rows<const S> rows = rows_of<S>(taps_, 2);
    rows.data += p * width_;
    return rows;
  }

  // [signals, H], or nothing where they bound no score or are not worth a launch.
  at::Tensor largest_sources() const {
    if (list_.sigmoid || list_.slope < 0 || list_.pairs < long_list) return {};
    const std::int64_t columns = list_.signals * list_.heads;
    const at::Tensor made = at::empty({columns * (1 + most_parts)}, source_.options());
    launch_largest(list_.source, list_.signals, list_.rows, list_.heads, writable<T>(made),
                   writable<T>(made) + columns, launch_.stream);
    check_launch();
    return made;
  }

  Launch launch_;
  at::Tensor taps_, receiver_, source_, offsets_, sources_, signs_, mask_, mirror_;
  AttentionPairs<S> list_;
  std::int64_t taps_count_, width_, applications_;
};

}  // namespace

std::vector<at::Tensor> pair_attention_forward(const AttentionOperands& operands, bool keep) {
  std::vector<at::Tensor> made;
  with_type("gsan::attention_powers", operands.taps.scalar_type(),
            [&]<class S>(S) { made = PairFilter<S>(operands).forward(keep); });
  return made;
}

std::vector<at::Tensor> pair_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept) {
  std::vector<at::Tensor> made;
  with_type("gsan::attention_powers", operands.taps.scalar_type(),
            [&]<class S>(S) { made = PairFilter<S>(operands).backward(gradient, kept); });
  return made;
}

}  // namespace gsan::ops::cuda
