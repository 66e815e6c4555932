// What the tensors of kept are, for A applications: y, state and selves [..., N, H, 4], the results of all
// applications but the last [A − 1, ..., N, H·F], u [A, ..., N, H·F], and per signal and head the weights and
// factors of the slots [S·H, 3, I, 2]; see star_kernels.h.

#include "gsan/ops/cuda/attention/star_attention.h"

#include <ATen/ops/empty.h>

#include "gsan/ops/cuda/attention/pair_attention_kernels.h"
#include "gsan/ops/cuda/attention/star_kernels.h"
#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/attention_checks.h"

namespace gsan::ops::cuda {
namespace {

template <class S>
class StarFilter {
 public:
  using T = Compute<S>;

  explicit StarFilter(const AttentionOperands& o)
      : launch_(o.taps),
        taps_(aligned_rows(o.taps, 2)),
        receiver_(with_rows(o.receiver)),
        source_(with_rows(o.source)) {
    GSAN_CHECK(o.negative_slope >= 0 && o.negative_slope <= 1,
               "gsan::attention_powers: negative_slope must lie in [0, 1], got ", o.negative_slope,
               "; sums over stars rest on it, pass a structure of pairs for any other");
    for (int i = 0; i < 4; ++i) held_[i] = o.structure[i].contiguous();
    tables_ = {data<std::int32_t>(held_[0]),
               data<std::int64_t>(held_[1]),
               data<std::int32_t>(held_[2]),
               data<std::uint8_t>(held_[3]),
               held_[0].size(0),
               held_[1].size(0) - 1,
               held_[2].size(0),
               static_cast<int>(held_[0].size(1))};
    if (o.mask) mask_ = o.mask->contiguous();
    if (o.signs) signs_ = o.signs->contiguous();
    signals_ = signal_count(o.taps, 3), rows_ = o.taps.size(-3);
    tap_count_ = o.taps.size(-2), width_ = o.taps.size(-1), heads_ = o.receiver.size(-1);
    features_ = width_ / heads_, applications_ = tap_count_ - 1 + o.first_power;
    slope_ = static_cast<T>(o.negative_slope);
    make_room();
  }

  std::vector<at::Tensor> forward(bool keep) {
    const auto options = taps_.options();
    const at::Tensor y = at::empty(sizes({rows_, width_}), options);
    const std::int64_t between = keep ? applications_ - 1 : std::min<std::int64_t>(applications_ - 1, 2);
    const at::Tensor inner = at::empty(sizes({rows_, width_}, between), options),
                     u = at::empty(sizes({rows_, width_}, keep ? applications_ : 0), options),
                     state = at::empty(sizes({rows_, heads_, 4}), receiver_.options()),
                     selves = at::empty(sizes({rows_, heads_, 4}), receiver_.options()),
                     slots = slot_room(keep ? signals_ * heads_ : 1);
    for (std::int64_t item = 0; item < signals_ * heads_; ++item) {
      const std::int64_t s = item / heads_, h = item % heads_;
      const SlotWeights<T> weights = weights_of(slots, keep ? item : 0);
      weigh(s, h, weights, state, selves);
      Rows<const S> x = tap(tap_count_ - 1);
      for (std::int64_t a = 0; a < applications_; ++a) {
        const at::Tensor result = a == applications_ - 1 ? y : inner[a % between];
        const Rows<const S> added = tap(tap_count_ - 2 - a), to = rows_of<S>(result),
                            kept = keep ? rows_of<S>(u[a]) : Rows<const S>{};
        for_slices([&](std::int64_t d, int features) {
          make_panels(weights.source, weights.factor, 1, at(x, s, h, d), x.row, features);
          StarRows<S> call = rows_call(weights.receiver, weights.factor, 0, state, selves, s, h, features);
          call.x = at(x, s, h, d), call.x_row = x.row;
          call.tap = at(added, s, h, d), call.tap_row = added.row;
          call.y = const_cast<S*>(at(to, s, h, d)), call.y_row = to.row;
          call.u = const_cast<S*>(at(kept, s, h, d)), call.u_row = kept.row;
          launch_star_rows(call, launch_.stream);
          check_launch();
        });
        x = to;
      }
    }
    if (!keep) return {y};
    return {y, state, selves, inner, u, slots};
  }

  std::vector<at::Tensor> backward(const at::Tensor& gradient, const std::vector<at::Tensor>& kept) {
    GSAN_CHECK(
        kept.size() == 6 && kept[5].numel() == signals_ * heads_ * 6 * tables_.incidences,
        "gsan::attention_powers_backward: kept must be all that attention_powers returned with keep for the "
        "same operands");
    const at::Tensor &y = kept[0], &state = kept[1], &selves = kept[2], &inner = kept[3], &u = kept[4],
                     &slots = kept[5];
    const auto contiguous = [](const at::Tensor& like) { return at::empty(like.sizes(), like.options()); };
    const at::Tensor of_scores = at::empty(sizes({rows_, 2, heads_}), receiver_.options());
    const at::Tensor of_taps = contiguous(taps_), of_receiver = of_scores.select(-2, 0),
                     of_source = of_scores.select(-2, 1), packed = contiguous(state),
                     outer = aligned_rows(gradient);
    if (applications_ < tap_count_) of_taps.select(-2, 0).copy_(gradient);
    Rows<const S> g = rows_of<S>(outer);
    for (std::int64_t a = applications_ - 1; a >= 0; --a) {
      const bool last = a == applications_ - 1;
      const at::Tensor of_x = of_taps.select(-2, tap_count_ - 1 - a);
      launch_attention_rows(
          AttentionRows<S>{g, rows_of<S>(last ? y : inner[a]), tap(tap_count_ - 2 - a), rows_of<S>(u[a]),
                           data<T>(state), writable<T>(packed), writable<T>(of_receiver),
                           static_cast<int>(2 * heads_), signals_, rows_, static_cast<int>(heads_),
                           static_cast<int>(features_), slope_, false, !last},
          launch_.stream);
      check_launch();
      const Rows<const S> x = a == 0 ? tap(tap_count_ - 1) : rows_of<S>(inner[a - 1]);
      for (std::int64_t item = 0; item < signals_ * heads_; ++item)
        columns(item, g, x, weights_of(slots, item), state, selves, packed, of_x, of_source, !last);
      g = rows_of<S>(of_x);
    }
    return {of_taps, of_receiver, of_source};
  }

 private:
  c10::DimVector sizes(std::initializer_list<std::int64_t> last,
                       std::optional<std::int64_t> first = {}) const {
    return leading_sizes(taps_, last, first);
  }

  // Scratch of one signal and head.
  void make_room() {
    const std::int64_t I = tables_.incidences, blocks = star_blocks(I),
                       width = std::min<std::int64_t>(features_, star_slice);
    const auto of = [&](at::ScalarType type) { return receiver_.options().dtype(type); };
    scores_ = at::empty({I}, receiver_.options());
    indices_ = at::empty({3, I}, of(at::kInt));
    tops_ = at::empty({tables_.face_count}, receiver_.options());
    sums_ = at::empty({2, I}, of(at::kDouble)), block_sums_ = at::empty({2 * blocks}, of(at::kDouble));
    panels_ = at::empty({2, I, width}, receiver_.options());
    panel_sums_ = at::empty({2 * blocks, width}, receiver_.options());
    sorting_ = at::empty({sort_bytes<T>(tables_)}, of(at::kByte));
    sorted_ = {writable<T>(scores_), writable<std::int32_t>(indices_), writable<std::int32_t>(indices_) + I};
    places_ = writable<std::int32_t>(indices_) + 2 * I;
  }

  at::Tensor slot_room(std::int64_t items) const {
    return at::empty({items, 3, tables_.incidences, 2}, receiver_.options());
  }
  SlotWeights<T> weights_of(const at::Tensor& slots, std::int64_t item) const {
    T* const first = writable<T>(slots) + item * 6 * tables_.incidences;
    return {first, first + 2 * tables_.incidences, first + 4 * tables_.incidences};
  }

  Numbers<T> numbers(const at::Tensor& scores, std::int64_t s, std::int64_t h) const {
    const Rows<const T> rows = rows_of<T>(scores);
    return {rows.data + s * rows.signal + h, rows.row};
  }
  const S* at(const Rows<const S>& x, std::int64_t s, std::int64_t h, std::int64_t d) const {
    return x.data ? x.data + s * x.signal + h * features_ + d : nullptr;
  }
  // {…} of row i at i · 4H.
  const T* of_rows(const at::Tensor& state, std::int64_t s, std::int64_t h) const {
    return data<T>(state) + (s * rows_ * heads_ + h) * 4;
  }
  // Without data for p < 0.
  Rows<const S> tap(std::int64_t p) const {
    if (p < 0) return {};
    Rows<const S> rows = rows_of<S>(taps_, 2);
    rows.data += p * width_;
    return rows;
  }
  template <class Each>
  void for_slices(const Each& each) const {
    for (std::int64_t d = 0; d < features_; d += star_slice)
      each(d, static_cast<int>(std::min<std::int64_t>(star_slice, features_ - d)));
  }

  void sort_by(Numbers<T> scores) {
    launch_sort<T>(tables_, scores, sorted_, sorting_.mutable_data_ptr(), launch_.stream);
    check_launch();
  }

  void weigh(std::int64_t s, std::int64_t h, const SlotWeights<T>& weights, const at::Tensor& state,
             const at::Tensor& selves) {
    const Numbers<T> receiver = numbers(receiver_, s, h), source = numbers(source_, s, h);
    const T* const mask =
        mask_.defined() ? data<T>(mask_) + s * (tables_.incidences + rows_) * heads_ + h : nullptr;
    launch_weigh_sources<T>(tables_, source, mask, heads_, data<std::int8_t>(signs_), slope_,
                            writable<T>(tops_), weights, launch_.stream);
    sort_by(source);
    launch_find_places<T>(tables_, receiver, sorted_, places_, launch_.stream);
    double* const above = writable<double>(sums_);
    double* const below = above + tables_.incidences;
    launch_running_numbers<T>(tables_, sorted_, weights.source, {}, above, below,
                              writable<double>(block_sums_), launch_.stream);
    launch_weigh_rows<T>(
        {tables_, places_, receiver, source, data<T>(tops_), above, below,
         mask ? mask + tables_.incidences * heads_ : nullptr, heads_, slope_, weights,
         const_cast<T*>(of_rows(state, s, h)), const_cast<T*>(of_rows(selves, s, h)), 4 * heads_},
        launch_.stream);
    check_launch();
  }

  void make_panels(const T* weights, const T* factor, int which, const S* x, std::int64_t x_row,
                   int features) {
    T* const above = writable<T>(panels_);
    launch_star_panels(StarPanels<S>{tables_, sorted_, weights, factor, which, x, x_row, features, above,
                                     above + tables_.incidences * features, writable<T>(panel_sums_)},
                       launch_.stream);
    check_launch();
  }

  StarRows<S> rows_call(const T* weights, const T* factor, int which, const at::Tensor& state,
                        const at::Tensor& selves, std::int64_t s, std::int64_t h, int features) const {
    StarRows<S> call{};
    call.tables = tables_, call.places = places_;
    call.above = data<T>(panels_), call.below = call.above + tables_.incidences * features;
    call.weights = weights, call.factor = factor, call.which_factor = which;
    call.state = of_rows(state, s, h), call.selves = of_rows(selves, s, h), call.stride = 4 * heads_;
    call.features = features, call.slope = slope_;
    return call;
  }

  // dx and dt of one signal and head.
  void columns(std::int64_t item, const Rows<const S>& g, const Rows<const S>& x,
               const SlotWeights<T>& weights, const at::Tensor& state, const at::Tensor& selves,
               const at::Tensor& packed, const at::Tensor& of_x, const at::Tensor& of_source, bool add) {
    const std::int64_t s = item / heads_, h = item % heads_;
    sort_by(numbers(receiver_, s, h));
    launch_find_places<T>(tables_, numbers(source_, s, h), sorted_, places_, launch_.stream);
    double* const above = writable<double>(sums_);
    double* const below = above + tables_.incidences;
    launch_running_numbers<T>(tables_, sorted_, weights.receiver, {of_rows(packed, s, h) + 3, 4 * heads_},
                              above, below, writable<double>(block_sums_), launch_.stream);
    check_launch();
    const Rows<const S> to = rows_of<S>(of_x);
    for_slices([&](std::int64_t d, int features) {
      make_panels(weights.receiver, weights.factor, 0, at(g, s, h, d), g.row, features);
      StarRows<S> call = rows_call(weights.source, weights.factor, 1, state, selves, s, h, features);
      call.x = at(g, s, h, d), call.x_row = g.row;
      call.dual = at(x, s, h, d), call.dual_row = x.row;
      call.y = const_cast<S*>(at(to, s, h, d)), call.y_row = to.row;
      if (d == 0) call.packed = of_rows(packed, s, h), call.D_above = above, call.D_below = below;
      call.of_source = writable<T>(of_source) + s * rows_ * 2 * heads_ + h,
      call.of_source_stride = 2 * heads_;
      call.add = add || d > 0;
      launch_star_rows(call, launch_.stream);
      check_launch();
    });
  }

  Launch launch_;
  at::Tensor taps_, receiver_, source_, mask_, signs_, held_[4];
  at::Tensor scores_, indices_, tops_, sums_, block_sums_, panels_, panel_sums_, sorting_;
  StarTables tables_;
  SortedStars<T> sorted_;
  std::int32_t* places_;
  std::int64_t signals_, rows_, tap_count_, width_, heads_, features_, applications_;
  T slope_;
};

}  // namespace

std::vector<at::Tensor> star_attention_forward(const AttentionOperands& operands, bool keep) {
  std::vector<at::Tensor> made;
  with_type("gsan::attention_powers", operands.taps.scalar_type(),
            [&]<class S>(S) { made = StarFilter<S>(operands).forward(keep); });
  return made;
}

std::vector<at::Tensor> star_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept) {
  std::vector<at::Tensor> made;
  with_type("gsan::attention_powers", operands.taps.scalar_type(),
            [&]<class S>(S) { made = StarFilter<S>(operands).backward(gradient, kept); });
  return made;
}

}  // namespace gsan::ops::cuda
