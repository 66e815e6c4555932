// Rows are taken in blocks of some hundred pairs: first the weights of all pairs of a block, then the sums of
// the features. A row longer than a block is summed in parts.

#include "gsan/ops/cpu/attention/pair_sums.h"

namespace gsan::ops {
namespace {

// The end of the rows from `begin` on that fit a block, at least one, whose sources are put in their slots.
template <class T>
inline std::int64_t begin_block(const AttentionPairs<T>& list, std::int64_t begin, std::int64_t end,
                                std::int32_t* sources) {
  std::int64_t stop = begin, slots = 0;
  for (; stop < end; ++stop) {
    const std::int64_t n = list.offsets[stop + 1] - list.offsets[stop];
    if (slots + slots_of(n) > block_slots) break;
    write_sources<T>(list.sources + list.offsets[stop], n, list.pairs - list.offsets[stop], sources + slots);
    slots += slots_of(n);
  }
  return stop > begin ? stop : begin + 1;
}

// Whether this block is one row that does not fit one.
template <class T>
inline bool is_long(const AttentionPairs<T>& list, std::int64_t begin, std::int64_t stop) {
  return list.offsets[stop] - list.offsets[begin] >= block_slots;
}

// Calls part(first pair, count) for the parts of a long row.
template <class Part>
inline void for_parts(std::int64_t begin, std::int64_t end, const Part& part) {
  for (; begin < end; begin += block_slots)
    part(begin, end - begin < block_slots ? end - begin : block_slots);
}

template <class T>
inline void add_to(T* sum, const T* part, std::int64_t count) {
  for (std::int64_t f = 0; f < count; ++f) sum[f] += part[f];
}

template <class T>
inline void fill(T* to, std::int64_t count, T value) {
  for (std::int64_t f = 0; f < count; ++f) to[f] = value;
}

template <class T>
std::int64_t scratch_size(std::int64_t heads, std::int64_t features) {
  return WeightBuffers<T>::size(heads) + 4 * heads * features + 4 * heads;
}

// A row longer than a block: its maximum, then its masses, then its sums, each in parts.
template <class T>
void forward_long_row(const AttentionForward<T>& a, SumRows<AttentionForward<T>, T> sum, T* scratch,
                      std::int64_t i) {
  const AttentionPairs<T>& list = a.list;
  const std::int64_t heads = list.heads, width = heads * list.features;
  const std::int64_t begin = list.offsets[i], end = list.offsets[i + 1];
  const WeightBuffers<T> weights(scratch, heads);
  T *part_y = scratch + WeightBuffers<T>::size(heads), *part_u = part_y + width, *y = part_u + width,
    *u = y + width, *own = u + width;
  T* state = a.state ? a.state + i * heads * 4 : own;
  T* t = weights.gathered[0];
  for (std::int64_t h = 0; a.first && h < heads; ++h) {
    const T s = row_of(list.receiver, i)[h];
    if (list.sigmoid) {
      write_gate_state(state + 4 * h, s);
      continue;
    }
    T maximum = lowest<T>;
    for_parts(begin, end, [&](std::int64_t first, std::int64_t count) {
      gather_scores(list, first, count, h, t);
      maximum = largest_score(t, count, s, list.slope, maximum);
    });
    Masses masses;
    for_parts(begin, end, [&](std::int64_t first, std::int64_t count) {
      gather_scores(list, first, count, h, t);
      add_masses(t, count, s, list.slope, maximum, masses);
    });
    write_state(state + 4 * h, s, maximum, static_cast<T>(masses.plus), static_cast<T>(masses.minus));
  }
  fill(y, 2 * width, T(0));
  const bool keeps = a.u && is_mixed(state, heads);
  for_parts(begin, end, [&](std::int64_t first, std::int64_t count) {
    write_sources<T>(list.sources + first, count, list.pairs - first, weights.sources);
    for (std::int64_t h = 0; h < heads; ++h) {
      T *all = weights.all + h * weights.all_stride, *some = weights.some + h * weights.some_stride;
      gather_scores(list, first, count, h, t);
      const FactorsOf<T> factors = gather_factors(list, false, first, count, h, weights.factors);
      if (list.sigmoid)
        weigh_gates(t, factors, count, state[4 * h], list.slope, all, some);
      else
        weigh(t, factors, count, list.slope, state + 4 * h, all, some);
    }
    const std::int64_t ends[2] = {first, first + count};
    AttentionForward<T> part = a;
    part.list.offsets = ends;
    part.tap = {};
    part.y = part_y, part.u = part_u, part.state = state;
    sum(part, weights, 0, 1);
    add_to(y, part_y, width);
    if (keeps) add_to(u, part_u, width);
  });
  for (std::int64_t f = 0; f < width; ++f) a.y[i * width + f] = y[f] + (a.tap.data ? row_of(a.tap, i)[f] : 0);
  if (keeps) __builtin_memcpy(a.u + i * width, u, static_cast<std::size_t>(width) * sizeof(T));
}

// The weights of the rows begin … stop − 1 in their buffers.
template <class T>
void weigh_block(const AttentionForward<T>& a, const WeightBuffers<T>& weights, std::int64_t begin,
                 std::int64_t stop) {
  const AttentionPairs<T>& list = a.list;
  const std::int64_t block = list.offsets[begin], count = list.offsets[stop] - block;
  const T* t = weights.gathered[0];
  T own[4];
  for (std::int64_t h = 0; h < list.heads; ++h) {
    T *all = weights.all + h * weights.all_stride, *some = weights.some + h * weights.some_stride;
    gather_scores(list, block, count, h, weights.gathered[0]);
    const FactorsOf<T> factors = gather_factors(list, false, block, count, h, weights.factors);
    for (std::int64_t i = begin; i < stop; ++i) {
      const std::int64_t at = list.offsets[i] - block, n = list.offsets[i + 1] - list.offsets[i];
      T* state = a.state ? a.state + (i * list.heads + h) * 4 : own;
      if (list.sigmoid) {
        if (a.first) write_gate_state(state, row_of(list.receiver, i)[h]);
        weigh_gates(t + at, factors.from(at), n, state[0], list.slope, all, some);
      } else if (a.first)
        weigh_row(t + at, factors.from(at), n, row_of(list.receiver, i)[h], list.slope, list.tops[h], state,
                  all, some);
      else
        weigh(t + at, factors.from(at), n, list.slope, state, all, some);
      all += slots_of(n), some += slots_of(n);
    }
  }
}

template <class T>
void forward_rows(const AttentionForward<T>& a, T* scratch, std::int64_t begin, std::int64_t end) {
  using Call = AttentionForward<T>;
  const AttentionPairs<T>& list = a.list;
  const Far far = a.stream ? Far::all : a.prefetch ? Far::operand : Far::nothing;
  const auto choose =
      a.u ? choose_sums<T, Call, ForwardSums<T>, true> : choose_sums<T, Call, ForwardSums<T>, false>;
  const auto sum = choose(list.heads, list.features, far),
             sum_part = choose(list.heads, list.features, a.prefetch ? Far::operand : Far::nothing);
  const WeightBuffers<T> weights(scratch, list.heads);
  while (begin < end) {
    const std::int64_t stop = begin_block(list, begin, end, weights.sources);
    if (is_long(list, begin, stop)) {
      forward_long_row(a, sum_part, scratch, begin);
      begin = stop;
      continue;
    }
    const KeptBlock<T> kept(a.kept, list, begin, stop, end);
    const bool is_known = kept.is_there() && !a.first, keeps_some = a.u || a.keep_some;
    const bool in_place = is_known || kept.can_be_made_here();
    const WeightBuffers<T> here = in_place ? kept.in_place(weights, keeps_some) : weights;
    if (!is_known) weigh_block(a, here, begin, stop);
    if (kept.is_there() && !in_place) kept.keep(here, keeps_some);
    sum(a, here, begin, stop);
    begin = stop;
  }
  if (a.stream) finish_streaming();
}

template <class T>
void column_long_row(const AttentionColumns<T>& a, SumRows<AttentionColumns<T>, T> sum, T* scratch,
                     std::int64_t j) {
  const AttentionPairs<T>& list = a.list;
  const std::int64_t heads = list.heads, width = heads * list.features;
  const WeightBuffers<T> weights(scratch, heads);
  T *part_x = scratch + WeightBuffers<T>::size(heads), *of_x = part_x + width, *of_source = of_x + width;
  fill(of_x, width, T(0));
  for_parts(list.offsets[j], list.offsets[j + 1], [&](std::int64_t first, std::int64_t count) {
    write_sources<T>(list.sources + first, count, list.pairs - first, weights.sources);
    for (std::int64_t h = 0; h < heads; ++h) {
      T *all = weights.all + h * weights.all_stride, *some = weights.some + h * weights.some_stride;
      gather_packed(list, a.packed, first, count, h, weights.gathered);
      const FactorsOf<T> factors = gather_factors(list, true, first, count, h, weights.factors);
      const T t = row_of(list.source, j)[h];
      of_source[h] = 0;
      if (list.sigmoid)
        weigh_gates(weights.gathered[0], factors, count, t, list.slope, all, some);
      else
        of_source[h] =
            -weigh_column<T>(weights.gathered, factors, 0, count, t, list.slope, all, some, nullptr);
    }
    const std::int64_t ends[2] = {first, first + count};
    AttentionColumns<T> part = a;
    part.list.offsets = ends;
    part.x = {row_of(a.x, j), 0}, part.of_x = {part_x, 0}, part.of_source = of_source;
    sum(part, weights, 0, 1);
    add_to(of_x, part_x, width);
    add_to(a.of_source + j * heads, of_source, heads);
  });
  __builtin_memcpy(row_of(a.of_x, j), of_x, static_cast<std::size_t>(width) * sizeof(T));
}

// The weights of the columns begin … stop − 1 in their buffers, and what they make of D.
template <class T>
void weigh_block(const AttentionColumns<T>& a, const WeightBuffers<T>& weights, const KeptBlock<T>& kept,
                 std::int64_t begin, std::int64_t stop) {
  const AttentionPairs<T>& list = a.list;
  const std::int64_t block = list.offsets[begin], count = list.offsets[stop] - block;
  const bool keeps_plain = a.kept.data && has_factors(list) && !list.sigmoid;  // else it is `some`
  for (std::int64_t h = 0; h < list.heads; ++h) {
    T *all = weights.all + h * weights.all_stride, *some = weights.some + h * weights.some_stride;
    T plain[buffer_size<T>];
    gather_packed(list, a.packed, block, count, h, weights.gathered);
    const FactorsOf<T> factors = gather_factors(list, true, block, count, h, weights.factors);
    std::int64_t slot = 0;
    for (std::int64_t j = begin; j < stop; ++j) {
      const std::int64_t at = list.offsets[j] - block, n = list.offsets[j + 1] - list.offsets[j];
      const T t = row_of(list.source, j)[h];
      if (list.sigmoid)
        weigh_gates(weights.gathered[0] + at, factors.from(at), n, t, list.slope, all + slot, some + slot);
      else
        a.of_source[j * list.heads + h] -=
            weigh_column(weights.gathered, factors.from(at), at, n, t, list.slope, all + slot, some + slot,
                         keeps_plain ? plain + slot : nullptr);
      slot += slots_of(n);
    }
    if (keeps_plain) __builtin_memcpy(kept.at(2, h), plain, static_cast<std::size_t>(slot) * sizeof(T));
  }
}

// What weights that are kept make of another D.
template <class T>
void read_block(const AttentionColumns<T>& a, const WeightBuffers<T>& weights, const KeptBlock<T>& kept,
                std::int64_t begin, std::int64_t stop) {
  const AttentionPairs<T>& list = a.list;
  const std::int64_t block = list.offsets[begin], count = list.offsets[stop] - block;
  if (list.sigmoid) return;
  T* D = weights.gathered[0];
  for (std::int64_t h = 0; h < list.heads; ++h) {
    gather_numbers(list, a.packed + 4 * h + 3, 4 * list.heads, block, count, D);
    const T* plain = kept.at(has_factors(list) ? 2 : 1, h);
    for (std::int64_t j = begin; j < stop; ++j) {
      const std::int64_t at = list.offsets[j] - block, n = list.offsets[j + 1] - list.offsets[j];
      a.of_source[j * list.heads + h] -= sum_column(plain, D + at, n);
      plain += slots_of(n);
    }
  }
}

template <class T>
void column_rows(const AttentionColumns<T>& a, T* scratch, std::int64_t begin, std::int64_t end) {
  const AttentionPairs<T>& list = a.list;
  const auto choose = choose_sums<T, AttentionColumns<T>, ColumnSums<T>, true>;
  const Far far = a.stream ? Far::all : a.prefetch ? Far::operand : Far::nothing;
  const auto sum = choose(list.heads, list.features, far),
             sum_part = choose(list.heads, list.features, a.prefetch ? Far::operand : Far::nothing);
  const WeightBuffers<T> weights(scratch, list.heads);
  if (a.first) fill(a.of_source + begin * list.heads, (end - begin) * list.heads, T(0));
  while (begin < end) {
    const std::int64_t stop = begin_block(list, begin, end, weights.sources);
    if (is_long(list, begin, stop)) {
      column_long_row(a, sum_part, scratch, begin);
      begin = stop;
      continue;
    }
    const KeptBlock<T> kept(a.kept, list, begin, stop, end);
    const bool is_known = kept.is_there() && !a.first, in_place = is_known || kept.can_be_made_here();
    const WeightBuffers<T> here = in_place ? kept.in_place(weights, true) : weights;
    if (is_known)
      read_block(a, here, kept, begin, stop);
    else
      weigh_block(a, here, kept, begin, stop);
    if (kept.is_there() && !in_place) kept.keep(here, true);
    sum(a, here, begin, stop);
    begin = stop;
  }
  if (a.stream) finish_streaming();
}

// Σ term(piece) over the features of a head; term gives the products of a piece.
template <class T, int L, class Term>
inline T sum_features(std::int64_t features, const Term& term) {
  using V = typename VectorOf<T, L>::Type;
  V sum = {};
  std::int64_t f = 0;
  for (; f + L <= features; f += L) sum += term.template operator()<V>(f);
  if (f < features)
    sum +=
        without_first<T, L>(term.template operator()<V>(features - L), static_cast<int>(L - (features - f)));
  return sum_of<T, L>(sum);
}

template <class T, int L>
void row_sums(const AttentionRows<T>& arguments, std::int64_t begin, std::int64_t end) {
  const AttentionRows<T> a = arguments;
  for (std::int64_t i = begin; i < end; ++i) {
    for (std::int64_t h = 0; h < a.heads; ++h) {
      const std::int64_t at = i * a.heads + h, first = h * a.features;
      const T *g = row_of(a.gradient, i) + first, *y = row_of(a.y, i) + first,
              *tap = a.tap.data ? row_of(a.tap, i) + first : nullptr;
      const T *state = a.state + 4 * at, *u = a.u + at * a.features;
      T D = 0, share = state[3], gu = 0;  // a sigmoid has no D
      if (!a.sigmoid && tap)
        D = sum_features<T, L>(a.features, [&]<class V>(std::int64_t f) {
          return load<V>(g + f) * (load<V>(y + f) - load<V>(tap + f));
        });
      else if (!a.sigmoid)
        D = sum_features<T, L>(a.features,
                               [&]<class V>(std::int64_t f) { return load<V>(g + f) * load<V>(y + f); });
      if (share != 0)
        gu = sum_features<T, L>(a.features,
                                [&]<class V>(std::int64_t f) { return load<V>(g + f) * load<V>(u + f); });
      // share is −zu for the minus branch, where ds has the other sign.
      const T of_s = a.sigmoid ? gu : (1 - a.slope) * ((share > 0 ? gu : -gu) - D * share);
      a.of_receiver[at] = a.add ? a.of_receiver[at] + of_s : of_s;
      T* packed = a.packed + 4 * at;
      packed[0] = state[0], packed[1] = state[1], packed[2] = state[2], packed[3] = D;
    }
  }
}

template <class T, int L = full_lanes<T>>
void attention_rows(const AttentionRows<T>& a, std::int64_t begin, std::int64_t end) {
  if constexpr (L > 1) {
    if (a.features < L) return attention_rows<T, L / 2>(a, begin, end);
  }
  row_sums<T, L>(a, begin, end);
}

template <class T>
constexpr PairAttentionKernels<T> pair_attention_kernels = {scratch_size<T>, forward_rows<T>,
                                                            attention_rows<T>, column_rows<T>};

}  // namespace

GSAN_DEFINE_KERNEL(pair_attention, PairAttentionKernels, pair_attention_kernels);

}  // namespace gsan::ops
