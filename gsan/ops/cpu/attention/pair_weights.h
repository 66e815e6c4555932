#pragma once
// The weights of the pairs of a few rows, made in buffers that stay in the first cache: α_ij c_ij (`all`) and
// the part of them that a second sum takes (`some`): forward the smaller branch, backward κ_ij α_ij c_ij.

#include "gsan/ops/cpu/attention/pair_attention_kernel.h"
#include "gsan/ops/cpu/vectors.h"

namespace gsan::ops {
namespace {

// Rows are weighed in blocks of at most so many slots. A row takes one more than it has pairs, of which an
// odd row's last one has the weight 0 and the row's last source, so that sums run in steps of `row_slots`
// pairs.
constexpr std::int64_t block_slots = 256;
constexpr int row_slots = 2;
inline std::int64_t slots_of(std::int64_t pairs) { return pairs + 1; }
// Vectors that begin in a block may end past it.
template <class T>
constexpr std::int64_t buffer_size = block_slots + full_lanes<T>;

template <class T>
constexpr T lowest = -std::numeric_limits<T>::infinity();

template <class T>
struct WeightBuffers {
  T* gathered[4];  ///< numbers of the pairs' sources, one pair after the other
  T* factors;      ///< of the pairs of one head, likewise
  std::int32_t* sources;
  T *all, *some;  ///< [H, all_stride] and [H, some_stride]
  std::int64_t all_stride = buffer_size<T>, some_stride = buffer_size<T>;

  static std::int64_t size(std::int64_t heads) { return (6 + 2 * heads) * buffer_size<T>; }
  WeightBuffers(T* memory, std::int64_t heads) {
    for (T*& g : gathered) g = memory, memory += buffer_size<T>;
    factors = memory, memory += buffer_size<T>;
    sources = reinterpret_cast<std::int32_t*>(memory), memory += buffer_size<T>;
    all = memory, some = memory + heads * buffer_size<T>;
  }
};

// Where the weights of a block of rows are kept. They are made there and read from there. Blocks at the end
// of a call are made in buffers and copied: vectors that begin in them may end past the call's rows, where
// another thread writes.
template <class T>
class KeptBlock {
 public:
  /// The rows begin … stop − 1 of the list, in a call that ends with row end − 1.
  KeptBlock(const KeptWeights<T>& kept, const AttentionPairs<T>& list, std::int64_t begin, std::int64_t stop,
            std::int64_t end)
      : kept_(kept),
        heads_(list.heads),
        first_(list.offsets[begin] + begin),
        slots_(list.offsets[stop] + stop - first_),
        slots_of_call_(list.offsets[end] + end - first_) {}

  bool is_there() const { return kept_.data; }
  bool can_be_made_here() const { return kept_.data && slots_ + full_lanes<T> <= slots_of_call_; }

  T* at(int array, std::int64_t head) const {
    return kept_.data + (array * heads_ + head) * kept_.stride + first_;
  }
  /// The buffers, but with the weights where they are kept; `some` only where it `has_some`.
  WeightBuffers<T> in_place(WeightBuffers<T> buffers, bool has_some) const {
    buffers.all = at(0, 0), buffers.all_stride = kept_.stride;
    if (has_some) buffers.some = at(1, 0), buffers.some_stride = kept_.stride;
    return buffers;
  }
  /// Copies what was made in buffers.
  void keep(const WeightBuffers<T>& buffers, bool has_some) const {
    for (std::int64_t h = 0; h < heads_; ++h) {
      copy(at(0, h), buffers.all + h * buffers.all_stride);
      if (has_some) copy(at(1, h), buffers.some + h * buffers.some_stride);
    }
  }

 private:
  void copy(T* to, const T* from) const {
    __builtin_memcpy(to, from, static_cast<std::size_t>(slots_) * sizeof(T));
  }
  KeptWeights<T> kept_;
  std::int64_t heads_, first_, slots_, slots_of_call_;
};

template <class T>
inline T* row_of(const RowsOf<T>& rows, std::int64_t i) {
  return rows.data + i * rows.stride;
}

template <class T>
inline FullVector<T> leaky_relu(FullVector<T> z, T slope) {
  return z > 0 ? z : z * slope;
}

// Lanes of the vector that begins at pair `at` of a row of n.
template <class T>
inline FullBits<T> lanes_within(std::int64_t at, std::int64_t n) {
  using I = typename BitsOf<T>::Type;
  return lane_numbers<I, full_lanes<T>>() < static_cast<I>(n - at);
}

// {s, M, 1/Z, ±zu} of a row whose branches weigh `plus` and `minus`; which is smaller nobody can predict.
template <class T>
inline void write_state(T* state, T s, T maximum, T plus, T minus) {
  constexpr T signs[2] = {-1, 1};
  const T inverse = 1 / (plus + minus);
  state[0] = s, state[1] = maximum, state[2] = inverse;
  state[3] = (plus < minus ? plus : minus) * inverse * signs[plus <= minus];
}

// The factors of the pairs in a row; null: all are 1.
template <class T>
struct FactorsOf {
  const T* data;

  FactorsOf from(std::int64_t pair) const { return {data ? data + pair : nullptr}; }
  FullVector<T> times(FullVector<T> weights, std::int64_t at) const {
    return data ? weights * load<FullVector<T>>(data + at) : weights;
  }
};

// all = the weights w · 1/Z, some = those of the branch that state[3] names, both times their factors.
template <class T>
struct WeightWriter {
  T inverse;
  FullBits<T> flip;
  FactorsOf<T> factors;
  WeightWriter(const T* state, FactorsOf<T> factors_)
      : inverse(state[2]),
        flip(FullBits<T>{} - static_cast<typename BitsOf<T>::Type>(!(state[3] > 0))),
        factors(factors_) {}

  void operator()(FullVector<T> w, FullVector<T> z, std::int64_t at, std::int64_t n, T* all, T* some) const {
    const FullVector<T> weights = lanes_within<T>(at, n) ? factors.times(w * inverse, at) : FullVector<T>{};
    store<false>(all + at, weights);
    store<false>(some + at, ((z > 0) ^ flip) ? weights : FullVector<T>{});
  }
};

// The least Z of a row that is weighed from a bound of its maximum: then what falls below the smallest
// numbers is far below an ulp of the sum.
template <class T>
constexpr T least_mass = T(1e-12);

// A row of at most Q vectors, all of it in registers; t holds the scores of its sources, none of which is
// above `bound` − s. A score that is not finite makes Z so, whatever its weight. False when the bound is too
// far.
template <class T, int Q>
inline bool weigh_short_row(const T* t, FactorsOf<T> factors, std::int64_t n, T s, T slope, T bound, T* state,
                            T* all, T* some) {
  using V = FullVector<T>;
  constexpr int L = full_lanes<T>;
  const T maximum = bound > 0 ? bound : bound * slope;
  V z[Q], w[Q], plus = {}, minus = {};
  for (int q = 0; q < Q; ++q) {
    z[q] = load<V>(t + q * L) + s;
    const V g = leaky_relu<T>(z[q], slope);
    w[q] = exp_of_negative(g - maximum);
    const V counted = lanes_within<T>(q * L, n) ? w[q] + (g - g) : V{};
    plus += z[q] > 0 ? counted : V{};
    minus += z[q] > 0 ? V{} : counted;
  }
  const TwoSums<T> masses = sums_of<T, L>(plus, minus);
  if (!(masses.a + masses.b >= least_mass<T>)) return false;
  write_state(state, s, maximum, masses.a, masses.b);
  const WeightWriter<T> write(state, factors);
  for (int q = 0; q < Q; ++q) write(w[q], z[q], q * L, n, all, some);
  return true;
}

// The passes over a longer row, or over a part of one.
template <class T>
inline T largest_score(const T* t, std::int64_t n, T s, T slope, T so_far) {
  using V = FullVector<T>;
  V largest = V{} + so_far;
  for (std::int64_t e = 0; e < n; e += full_lanes<T>) {
    const V g = lanes_within<T>(e, n) ? leaky_relu<T>(load<V>(t + e) + s, slope) : V{} + so_far;
    largest = g > largest ? g : largest;
  }
  return largest_of<T, full_lanes<T>>(largest);
}

struct Masses {
  double plus = 0, minus = 0;
};

template <class T>
inline void add_masses(const T* t, std::int64_t n, T s, T slope, T maximum, Masses& masses) {
  using V = FullVector<T>;
  V plus = {}, minus = {};
  for (std::int64_t e = 0; e < n; e += full_lanes<T>) {
    const V z = load<V>(t + e) + s, g = leaky_relu<T>(z, slope);
    const V w = lanes_within<T>(e, n) ? exp_of_negative(g - maximum) + (g - g) : V{};
    plus += z > 0 ? w : V{};
    minus += z > 0 ? V{} : w;
  }
  masses.plus += static_cast<double>(sum_of<T, full_lanes<T>>(plus));
  masses.minus += static_cast<double>(sum_of<T, full_lanes<T>>(minus));
}

// Weights from a state that is known.
template <class T>
inline void weigh(const T* t, FactorsOf<T> factors, std::int64_t n, T slope, const T* state, T* all,
                  T* some) {
  using V = FullVector<T>;
  const T s = state[0], maximum = state[1];
  const WeightWriter<T> write(state, factors);
  for (std::int64_t e = 0; e < n; e += full_lanes<T>) {
    const V z = load<V>(t + e) + s;
    write(exp_of_negative(leaky_relu<T>(z, slope) - maximum), z, e, n, all, some);
  }
}

// α = 1/(1 + e^{−γ}) and α (1 − α) of each lane.
template <class T>
struct SigmoidOf {
  FullVector<T> alpha, slope;
  explicit SigmoidOf(FullVector<T> g) {
    const FullVector<T> e = exp_of_negative(g > 0 ? -g : g), inverse = 1 / (1 + e), small = e * inverse;
    const FullVector<T> nothing = g - g;  // what is not finite stays so
    alpha = (g > 0 ? inverse : small) + nothing;
    slope = inverse * small + nothing;
  }
};

// The sigmoid weights of a row, or of the pairs of a column, with scores x + s: all = α c, some = κ α (1 − α)
// c.
template <class T>
inline void weigh_gates(const T* x, FactorsOf<T> factors, std::int64_t n, T s, T slope, T* all, T* some) {
  using V = FullVector<T>;
  for (std::int64_t e = 0; e < n; e += full_lanes<T>) {
    const V z = load<V>(x + e) + s;
    const SigmoidOf<T> gate(leaky_relu<T>(z, slope));
    const FullBits<T> within = lanes_within<T>(e, n);
    const V kappa = z > 0 ? V{} + 1 : V{} + slope;
    store<false>(all + e, within ? factors.times(gate.alpha, e) : V{});
    store<false>(some + e, within ? factors.times(kappa * gate.slope, e) : V{});
  }
}

template <class T>
inline void write_gate_state(T* state, T s) {
  state[0] = s, state[1] = state[2] = 0, state[3] = 1;
}

template <class T>
inline void weigh_row(const T* t, FactorsOf<T> factors, std::int64_t n, T s, T slope, T top, T* state, T* all,
                      T* some) {
  constexpr int L = full_lanes<T>;
  if (n == 0) {
    state[0] = s, state[1] = state[2] = state[3] = 0;
    return;
  }
  if (n <= L && weigh_short_row<T, 1>(t, factors, n, s, slope, s + top, state, all, some)) return;
  if (n > L && n <= 2 * L && weigh_short_row<T, 2>(t, factors, n, s, slope, s + top, state, all, some))
    return;
  const T maximum = largest_score(t, n, s, slope, lowest<T>);
  Masses masses;
  add_masses(t, n, s, slope, maximum, masses);
  write_state(state, s, maximum, static_cast<T>(masses.plus), static_cast<T>(masses.minus));
  weigh(t, factors, n, slope, state, all, some);
}

// The weights of the pairs (i, j) of column j, from {s, M, 1/Z, D} of the n rows i: all = α_ij c_ij,
// some = κ_ij α_ij c_ij; plain = κ_ij α_ij, where it is wanted. Returns Σ κ_ij α_ij D_i.
template <class T>
inline T weigh_column(T* const (&rows)[4], FactorsOf<T> factors, std::int64_t first, std::int64_t n, T t,
                      T slope, T* all, T* some, T* plain) {
  using V = FullVector<T>;
  V sum = {};
  for (std::int64_t e = 0; e < n; e += full_lanes<T>) {
    const std::int64_t at = first + e;
    const V z = load<V>(rows[0] + at) + t;
    const V w = exp_of_negative(leaky_relu<T>(z, slope) - load<V>(rows[1] + at)) * load<V>(rows[2] + at);
    const FullBits<T> within = lanes_within<T>(e, n);
    const V kappa = z > 0 ? V{} + 1 : V{} + slope, weights = within ? factors.times(w, e) : V{};
    sum += within ? kappa * w * load<V>(rows[3] + at) : V{};
    if (plain) store<false>(plain + e, kappa * w);
    store<false>(all + e, weights);
    store<false>(some + e, kappa * weights);
  }
  return sum_of<T, full_lanes<T>>(sum);
}

// Σ κ_ij α_ij D_i again, of another D.
template <class T>
inline T sum_column(const T* plain, const T* D, std::int64_t n) {
  using V = FullVector<T>;
  V sum = {};
  for (std::int64_t e = 0; e < n; e += full_lanes<T>)
    sum += lanes_within<T>(e, n) ? load<V>(plain + e) * load<V>(D + e) : V{};
  return sum_of<T, full_lanes<T>>(sum);
}

// The sources of a row of n pairs in its slots; `readable` numbers may be read from there.
template <class T>
inline void write_sources(const std::int32_t* from, std::int64_t n, std::int64_t readable, std::int32_t* to) {
  if (n == 0) return;
  const std::int32_t last = from[n - 1];
  if (n + full_lanes<T> <= readable) {
    for (std::int64_t e = 0; e < n; e += full_lanes<T>) {
      using V = typename VectorOf<std::int32_t, full_lanes<T>>::Type;
      const auto within = lane_numbers<std::int32_t, full_lanes<T>>() < static_cast<std::int32_t>(n - e);
      store<false>(to + e, within ? load<V>(from + e) : V{} + last);
    }
  } else {
    for (std::int64_t e = 0; e < slots_of(n); ++e) to[e] = e < n ? from[e] : last;
  }
}

// Gathers one number per pair, and the four of a packed row.
template <class T>
inline void gather_numbers(const AttentionPairs<T>& list, const T* from, std::int64_t stride,
                           std::int64_t first, std::int64_t count, T* to) {
  const std::int32_t* sources = list.sources + first;
  for (std::int64_t e = 0; e < count; ++e) to[e] = from[sources[e] * stride];
}

template <class T>
inline void gather_scores(const AttentionPairs<T>& list, std::int64_t first, std::int64_t count,
                          std::int64_t head, T* to) {
  gather_numbers(list, list.source.data + head, list.source.stride, first, count, to);
}

template <class T>
inline void gather_packed(const AttentionPairs<T>& list, const T* packed, std::int64_t first,
                          std::int64_t count, std::int64_t head, T* const (&to)[4]) {
  const std::int32_t* sources = list.sources + first;
  const auto row = [&](std::int64_t e) { return packed + (sources[e] * list.heads + head) * 4; };
  std::int64_t e = 0;
  if constexpr (4 * sizeof(T) <= GSAN_VECTOR_BYTES) {
    using V = typename VectorOf<T, 4>::Type;
    for (; e + 4 <= count; e += 4) {  // four rows are transposed
      const V a = load<V>(row(e)), b = load<V>(row(e + 1)), c = load<V>(row(e + 2)), d = load<V>(row(e + 3));
      const V ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
              ef = __builtin_shufflevector(a, b, 2, 6, 3, 7), gh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
      store<false>(to[0] + e, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
      store<false>(to[1] + e, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
      store<false>(to[2] + e, __builtin_shufflevector(ef, gh, 0, 1, 4, 5));
      store<false>(to[3] + e, __builtin_shufflevector(ef, gh, 2, 3, 6, 7));
    }
  }
  for (; e < count; ++e)
    for (int k = 0; k < 4; ++k) to[k][e] = row(e)[k];
}

template <class T>
inline bool has_factors(const AttentionPairs<T>& list) {
  return list.mask || list.signs;
}

// Dropout and signs of `count` pairs, put to `to`; `transposed` takes the mask of the mirrored pairs.
template <class T>
inline FactorsOf<T> gather_factors(const AttentionPairs<T>& list, bool transposed, std::int64_t first,
                                   std::int64_t count, std::int64_t head, T* to) {
  if (!has_factors(list)) return {nullptr};
  const auto gather = [&](const auto& pair) {
    for (std::int64_t e = 0; e < count; ++e) to[e] = list.mask[pair(first + e) * list.heads + head];
  };
  if (!list.mask)
    for (std::int64_t e = 0; e < count; ++e) to[e] = 1;
  else if (!transposed)
    gather([](std::int64_t pair) { return pair; });
  else if (list.mirror)
    gather([&](std::int64_t pair) { return std::int64_t{list.mirror[pair]}; });
  else
    gather([&](std::int64_t pair) { return list.wide_mirror[pair]; });
  if (list.signs)
    for (std::int64_t e = 0; e < count; ++e) to[e] *= static_cast<T>(list.signs[first + e]);
  return {to};
}

}  // namespace
}  // namespace gsan::ops
