#pragma once
// Weighted sums of rows of features over the pairs of a few rows, whose weights stand in buffers.
//
// A row of a head's F features is cut into pieces of L lanes, L the largest power of two that is at most F
// and fits a register; when L does not divide F the last piece overlaps the one before (both compute the same
// bits there).

#include "gsan/ops/cpu/attention/pair_weights.h"

namespace gsan::ops {
namespace {

// What is far away: nothing; x, whose rows are then fetched ahead; the results as well, which are then
// written past the caches.
enum class Far { nothing, operand, all };

constexpr std::int64_t pairs_ahead = 64;

// The pairs of one row, or of a part of it, in the slots of their weights.
template <class T>
struct WeightedRows {
  const std::int32_t* sources;
  const std::int32_t* later;  // sources of which the rows are fetched meanwhile
  std::int64_t count;
  const T* x;
  std::int64_t stride;
  const T *all, *some;  // of head 0; those of the next head are a stride apart
  std::int64_t all_stride, some_stride;
};

// P neighbouring pieces at once, so that their sums stay in registers; K of them belong to one head. Few
// pieces are summed in two chains, which do not wait for each other.
template <class T, int L, int P, int K, bool both, bool fetch, class Finish>
inline void sum_pieces(const WeightedRows<T>& r, std::int64_t at, std::int64_t head, int done,
                       const Finish& finish) {
  using V = typename VectorOf<T, L>::Type;
  constexpr int chains = P <= 2 ? row_slots : 1;
  V all[chains][P] = {}, some[chains][P] = {};
  const T *x = r.x + at, *weights = r.all + head * r.all_stride, *others = r.some + head * r.some_stride;
  for (std::int64_t e = 0; e < r.count; e += row_slots) {
    for (int k = 0; k < row_slots; ++k) {
      const T* from = x + r.sources[e + k] * r.stride;
      if constexpr (fetch) {
        const char* later = reinterpret_cast<const char*>(x + r.later[e + k] * r.stride);
        for (std::size_t byte = 0; byte < P * sizeof(V); byte += 64) __builtin_prefetch(later + byte);
      }
      for (int p = 0; p < P; ++p) {
        V piece = load<V>(from + p * L);
        if constexpr (both && sizeof(V) == GSAN_VECTOR_BYTES) load_once(piece);
        all[k % chains][p] += piece * weights[p / K * r.all_stride + e + k];
        if constexpr (both) some[k % chains][p] += piece * others[p / K * r.some_stride + e + k];
      }
    }
  }
  for (int c = 1; c < chains; ++c)
    for (int p = 0; p < P; ++p) all[0][p] += all[c][p], some[0][p] += some[c][p];
  finish.template operator()<L, P, K>(at, head, done, all[0], some[0]);
}

// All pieces of a row: P of them exactly, K per head, or any number (P = 0). `done` is how many lanes of a
// piece another one has computed.
template <class T, int L, int P, int K, bool both, bool fetch, class Finish>
inline void sum_row(const WeightedRows<T>& r, std::int64_t heads, std::int64_t features,
                    const Finish& finish) {
  if constexpr (P > 0) {
    sum_pieces<T, L, P, K, both, fetch>(r, 0, 0, 0, finish);
  } else {
    for (std::int64_t h = 0; h < heads; ++h) {
      const std::int64_t end = (h + 1) * features;
      std::int64_t at = h * features;
      for (; at + 4 * L <= end; at += 4 * L) sum_pieces<T, L, 4, 4, both, fetch>(r, at, h, 0, finish);
      if (at + 2 * L <= end) sum_pieces<T, L, 2, 2, both, fetch>(r, at, h, 0, finish), at += 2 * L;
      if (at + L <= end) sum_pieces<T, L, 1, 1, both, fetch>(r, at, h, 0, finish), at += L;
      if (at < end)
        sum_pieces<T, L, 1, 1, both, fetch>(r, end - L, h, static_cast<int>(L - (end - at)), finish);
    }
  }
}

template <class T, bool stream>
struct ForwardFinish {
  const T* tap;
  T *y, *u;
  template <int L, int P, int K, class V>
  void operator()(std::int64_t at, std::int64_t, int done, V (&all)[P], V (&some)[P]) const {
    constexpr bool past = stream && L == full_lanes<T>;
    for (int p = 0; p < P; ++p) {
      T* to = y + at + p * L;
      const V sum = tap ? all[p] + load<V>(tap + at + p * L) : all[p];
      done ? store<false>(to, sum) : store<past>(to, sum);
    }
    if (!u) return;
    for (int p = 0; p < P; ++p) {
      T* to = u + at + p * L;
      done ? store<false>(to, some[p]) : store<past>(to, some[p]);
    }
  }
};

// Lanes `done` … L − 1 of v, 0 in the others.
template <class T, int L>
inline typename VectorOf<T, L>::Type without_first(typename VectorOf<T, L>::Type v, int done) {
  using V = typename VectorOf<T, L>::Type;
  return lane_numbers<typename BitsOf<T>::Type, L>() >= done ? v : V{};
}

template <class T, bool stream>
struct ColumnFinish {
  const T* x;
  T *of_x, *of_source;
  template <int L, int P, int K, class V>
  void operator()(std::int64_t at, std::int64_t head, int done, V (&all)[P], V (&some)[P]) const {
    constexpr bool past = stream && L == full_lanes<T>;
    for (int p = 0; p < P; ++p) {
      T* to = of_x + at + p * L;
      done ? store<false>(to, all[p]) : store<past>(to, all[p]);
    }
    for (int k = 0; k < P / K; ++k) {
      V sum = {};
      for (int p = k * K; p < (k + 1) * K; ++p) sum += some[p] * load<V>(x + at + p * L);
      of_source[head + k] += sum_of<T, L>(done ? without_first<T, L>(sum, done) : sum);
    }
  }
};

// Whether some head of a row has a smaller branch at all.
template <class T>
inline bool is_mixed(const T* state, std::int64_t heads) {
  bool mixed = false;
  for (std::int64_t h = 0; h < heads; ++h) mixed |= state[4 * h + 3] != 0;
  return mixed;
}

template <class T>
inline WeightedRows<T> weighted_row(const AttentionPairs<T>& list, const RowsOf<const T>& x,
                                    const WeightBuffers<T>& weights, std::int64_t at, std::int64_t i) {
  const std::int64_t begin = list.offsets[i], end = list.offsets[i + 1];
  const std::int32_t* sources = weights.sources + at;
  const bool has_later = end + row_slots + pairs_ahead <= list.pairs;
  return {sources,
          has_later ? list.sources + begin + pairs_ahead : sources,
          end - begin,
          x.data,
          x.stride,
          weights.all + at,
          weights.some + at,
          weights.all_stride,
          weights.some_stride};
}

// Sums of the rows begin … end − 1, whose weights stand in the buffers.
template <class Call, class T>
using SumRows = void (*)(const Call&, const WeightBuffers<T>&, std::int64_t begin, std::int64_t end);

template <class T>
struct ForwardSums {
  template <int L, int P, int K, Far far, bool both>
  static void run(const AttentionForward<T>& arguments, const WeightBuffers<T>& weights, std::int64_t begin,
                  std::int64_t end) {
    const AttentionForward<T> a = arguments;
    const std::int64_t heads = a.list.heads, width = heads * a.list.features;
    std::int64_t at = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const bool keeps = both && is_mixed(a.state + i * heads * 4, heads);
      const ForwardFinish<T, far == Far::all> finish{a.tap.data ? row_of(a.tap, i) : nullptr, a.y + i * width,
                                                     keeps ? a.u + i * width : nullptr};
      const auto row = weighted_row(a.list, a.x, weights, at, i);
      sum_row<T, L, P, K, both, far != Far::nothing>(row, heads, a.list.features, finish);
      at += slots_of(row.count);
    }
  }
};

template <class T>
struct ColumnSums {
  template <int L, int P, int K, Far far, bool both>
  static void run(const AttentionColumns<T>& arguments, const WeightBuffers<T>& weights, std::int64_t begin,
                  std::int64_t end) {
    const AttentionColumns<T> a = arguments;
    const std::int64_t heads = a.list.heads;
    std::int64_t at = 0;
    for (std::int64_t j = begin; j < end; ++j) {
      const ColumnFinish<T, far == Far::all> finish{row_of(a.x, j), row_of(a.of_x, j),
                                                    a.of_source + j * heads};
      const auto row = weighted_row(a.list, a.gradient, weights, at, j);
      sum_row<T, L, P, K, true, far != Far::nothing>(row, heads, a.list.features, finish);
      at += slots_of(row.count);
    }
  }
};

template <class T, class Call, class Sums, int L, int P, int K, bool both>
SumRows<Call, T> choose_far(Far far) {
  if constexpr (L == full_lanes<T>) {
    if (far == Far::all) return Sums::template run<L, P, K, Far::all, both>;
    if (far == Far::operand) return Sums::template run<L, P, K, Far::operand, both>;
  }
  return Sums::template run<L, P, K, Far::nothing, both>;
}

template <class T, class Call, class Sums, bool both, int L = full_lanes<T>>
SumRows<Call, T> choose_sums(std::int64_t heads, std::int64_t features, Far far) {
  if constexpr (L > 1) {
    if (features < L) return choose_sums<T, Call, Sums, both, L / 2>(heads, features, far);
  }
  if constexpr (L == full_lanes<T>) {
    const std::int64_t pieces = heads * features;
    if (features == L) {
      if (pieces == L) return choose_far<T, Call, Sums, L, 1, 1, both>(far);
      if (pieces == 2 * L) return choose_far<T, Call, Sums, L, 2, 1, both>(far);
      if (pieces == 4 * L) return choose_far<T, Call, Sums, L, 4, 1, both>(far);
    }
    if (features == 2 * L) {
      if (pieces == 2 * L) return choose_far<T, Call, Sums, L, 2, 2, both>(far);
      if (pieces == 4 * L) return choose_far<T, Call, Sums, L, 4, 2, both>(far);
    }
    if (features == 4 * L && pieces == 4 * L) return choose_far<T, Call, Sums, L, 4, 4, both>(far);
  }
  return choose_far<T, Call, Sums, L, 0, 0, both>(far);
}

}  // namespace
}  // namespace gsan::ops
