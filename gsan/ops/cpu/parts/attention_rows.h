#pragma once
// A term with attention on the rows of a unit: as ops/cpu/attention/pair_attention.cpp does it for whole
// tensors, with the same kernels.

#include <limits>

#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/parts/incidence_rows.h"

namespace gsan::ops {

template <class T>
class AttentionRowsOfUnit {
 public:
  /// The weights of all pairs, which are worth keeping from the forward to the backward pass.
  struct PairWeights {
    RowsOf<T> state{};
    KeptWeights<T> kept{};
  };

  /// What the forward pass made and the backward pass reads.
  struct Made {
    AttentionPairs<T> list{};
    std::int64_t taps = 1, applications = 0;
    RowsOf<const T> products{};  ///< taps of W numbers, one after the other
    RowsOf<T> state{}, y{};
    std::vector<RowsOf<T>> inner, u;
    std::vector<T> tops;  ///< [H], of the part that was computed last
  };

  AttentionRowsOfUnit(const PartAttention& term, std::int64_t heads, std::int64_t features)
      : term_(term),
        heads_(heads),
        features_(features),
        width_(heads * features),
        kernels_(current_build<T>(GSAN_BUILDS_OF(pair_attention))) {}

  /// Memory for the weights.
  PairWeights room_for(const RowRange& range, PartScratch<T>& memory) const {
    return {memory.rows(range, 4 * heads_), room(range, 2, memory)};
  }

  /// products: the taps; scores: the receivers' H numbers, then the sources'. `parts`: where each begins.
  /// With `weights` they are made there, or read from there where they are `known`. The result is written to
  /// `y`.
  Made forward(RowsOf<const T> products, RowsOf<const T> scores, std::int64_t taps, std::int64_t first_power,
               const RowRange& range, const std::int64_t* parts, std::int64_t part_count, bool keep,
               const PairWeights* weights, bool known, RowsOf<T> y, PartScratch<T>& memory) const {
    Made made;
    made.y = y;
    made.taps = taps, made.applications = taps - 1 + first_power, made.products = products;
    made.list = list_of(scores);
    made.tops.resize(static_cast<std::size_t>(heads_));
    made.list.tops = made.tops.data();
    KeptWeights<T> kept;
    if (weights)
      made.state = weights->state, kept = weights->kept;
    else if (keep || made.applications > 1)
      made.state = memory.rows(range, 4 * heads_);
    if (!weights && made.applications > 1) kept = room(range, keep ? 2 : 1, memory);
    T* const scratch = memory.take(kernels_.scratch(heads_, features_));
    RowsOf<const T> x = from_column(products, (taps - 1) * width_);
    for (std::int64_t a = 0; a < made.applications; ++a) {
      const bool last = a + 1 == made.applications;
      const RowsOf<T> result = last ? y : memory.rows(range, width_);
      AttentionForward<T> call{};
      call.list = made.list, call.kept = kept, call.x = x, call.y = result.data, call.state = made.state.data;
      if (const std::int64_t tap = taps - 2 - a; tap >= 0) call.tap = from_column(products, tap * width_);
      if (keep) call.u = made.u.emplace_back(memory.rows(range, width_)).data;
      call.first = a == 0 && !known, call.keep_some = weights != nullptr;
      if (call.first) {
        for (std::int64_t p = 0; p < part_count; ++p) {
          find_tops(call.list.source, parts[p], parts[p + 1], made.tops);
          kernels_.forward(call, scratch, parts[p], parts[p + 1]);
        }
      } else {
        kernels_.forward(call, scratch, range.begin, range.end);
      }
      if (!last) made.inner.push_back(result);
      x = readable(result);
    }
    return made;
  }

  /// of_products has the layout of the products and is written; so are the 2H numbers of of_scores.
  void backward(const Made& made, RowsOf<const T> gradient, RowsOf<T> of_products, RowsOf<T> of_scores,
                const RowRange& range, PartScratch<T>& memory) const {
    const std::int64_t A = made.applications, taps = made.taps;
    const RowsOf<T> packed = memory.rows(range, 4 * heads_), of_receiver = memory.rows(range, heads_),
                    of_source = memory.rows(range, heads_);
    const KeptWeights<T> kept = A > 1 ? room(range, term_.mask.defined() ? 3 : 2, memory) : KeptWeights<T>{};
    T* const scratch = memory.take(kernels_.scratch(heads_, features_));
    if (A < taps) copy_rows(gradient, of_products, width_, range);
    RowsOf<const T> g = gradient;
    for (std::int64_t a = A - 1; a >= 0; --a) {
      const auto index = static_cast<std::size_t>(a);
      const bool last = a == A - 1;
      AttentionRows<T> rows{};
      rows.gradient = g, rows.y = readable(last ? made.y : made.inner[index]);
      if (const std::int64_t tap = taps - 2 - a; tap >= 0)
        rows.tap = from_column(made.products, tap * width_);
      rows.u = made.u[index].data, rows.state = made.state.data;
      rows.packed = packed.data, rows.of_receiver = of_receiver.data;
      rows.heads = heads_, rows.features = features_, rows.slope = made.list.slope;
      rows.sigmoid = made.list.sigmoid, rows.add = !last;
      kernels_.rows(rows, range.begin, range.end);
      AttentionColumns<T> columns{};
      columns.list = made.list, columns.kept = kept, columns.gradient = g, columns.packed = packed.data;
      columns.x = a == 0 ? from_column(made.products, (taps - 1) * width_) : readable(made.inner[index - 1]);
      columns.of_x = from_column(of_products, (taps - 1 - a) * width_), columns.of_source = of_source.data;
      columns.first = last;
      kernels_.columns(columns, scratch, range.begin, range.end);
      g = readable(columns.of_x);
    }
    copy_rows(readable(of_receiver), of_scores, heads_, range);
    copy_rows(readable(of_source), from_column(of_scores, heads_), heads_, range);
  }

 private:
  AttentionPairs<T> list_of(RowsOf<const T> scores) const {
    AttentionPairs<T> list{};
    list.offsets = term_.offsets.const_data_ptr<std::int64_t>();
    list.sources = term_.sources.const_data_ptr<std::int32_t>();
    list.pairs = term_.sources.size(0);
    list.mask = numbers_of<T>(term_.mask);
    if (list.mask) list.mirror = term_.mirror.const_data_ptr<std::int32_t>();
    list.receiver = scores, list.source = from_column(scores, heads_);
    list.heads = heads_, list.features = features_;
    list.slope = static_cast<T>(term_.negative_slope), list.sigmoid = term_.sigmoid;
    return list;
  }

  KeptWeights<T> room(const RowRange& range, std::int64_t arrays, PartScratch<T>& memory) const {
    const std::int64_t* const offsets = term_.offsets.const_data_ptr<std::int64_t>();
    const std::int64_t first = offsets[range.begin] + range.begin,
                       stride =
                           offsets[range.end] + range.end - first + 64 / static_cast<std::int64_t>(sizeof(T));
    return {shifted(memory.take(arrays * heads_ * stride), first, 1), stride};
  }

  // The largest sources of a part, which bound its scores; of no use where LReLU does not increase.
  void find_tops(RowsOf<const T> source, std::int64_t begin, std::int64_t end, std::vector<T>& tops) const {
    const bool is_bound = !term_.sigmoid && term_.negative_slope >= 0;
    tops.assign(tops.size(),
                is_bound ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::quiet_NaN());
    if (!is_bound) return;
    for (std::int64_t i = begin; i < end; ++i) {
      const T* const row = row_at(source, i);
      for (std::size_t h = 0; h < tops.size(); ++h) tops[h] = row[h] > tops[h] ? row[h] : tops[h];
    }
  }

  const PartAttention& term_;
  std::int64_t heads_, features_, width_;
  const PairAttentionKernels<T>& kernels_;
};

}  // namespace gsan::ops
