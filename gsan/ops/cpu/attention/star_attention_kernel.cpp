#include "gsan/ops/cpu/attention/star_attention_kernel.h"

#include "gsan/ops/cpu/vectors.h"

namespace gsan::ops {
namespace {

// Entries whose rows are fetched ahead of their use.
constexpr std::int64_t ahead = 8;
// Terms after which a running sum is folded, so that its error grows with the folds and not with the terms.
constexpr std::int64_t fold = 128;

template <class T, int W>
inline void fetch(const T* row) {
  for (int line = 0; line < W; line += 64 / static_cast<int>(sizeof(T))) __builtin_prefetch(row + line);
}

template <class T, int W>
inline void fetch_to_write(T* row) {
  for (int line = 0; line < W; line += 64 / static_cast<int>(sizeof(T))) __builtin_prefetch(row + line, 1);
}

// A sum of W features at two levels.
template <class T, int W>
struct RunningSum {
  static constexpr int L = W < full_lanes<T> ? W : full_lanes<T>;
  static constexpr int P = W / L;
  using V = typename VectorOf<T, L>::Type;
  V recent[P] = {}, folded[P] = {};
  V value(int p) const { return folded[p] + recent[p]; }
  void add(T weight, const T* row) {
    for (int p = 0; p < P; ++p) recent[p] += load<V>(row + p * L) * weight;
  }
  void close() {
    for (int p = 0; p < P; ++p) folded[p] += recent[p], recent[p] = V{};
  }
};

// The first part of a row also brings the own term.
template <class V, class T>
inline V first_part(V own, T self, V part) {
  return own * self + part;
}

template <class T, int W, bool keep, bool dual>
void one_star(const StarPass<T>& p, std::int64_t begin, std::int64_t size, std::int64_t slice, T* prefix) {
  using Sum = RunningSum<T, W>;
  using V = typename Sum::V;
  constexpr int L = Sum::L, P = Sum::P;
  const StarEntry<T>*sources = p.sources + begin, *receivers = p.receivers + begin;
  const std::int64_t start = p.slices[slice].start;
  const T* const x = p.x + start;
  const auto row_of_x = [&](std::int64_t q) { return x + sources[q].row * p.x_stride; };

  // PP[q] down to the smallest rank.
  const std::int64_t least = receivers[size - 1].rank;
  Sum plus_sum;
  for (int i = 0; i < P; ++i) store<false>(prefix + size * W + i * L, V{});
  for (std::int64_t q = size; q-- > least;) {
    if (q >= ahead) fetch<T, W>(row_of_x(q - ahead));
    plus_sum.add(sources[q].plus * sources[q].factor, row_of_x(q));
    for (int i = 0; i < P; ++i) store<false>(prefix + q * W + i * L, plus_sum.value(i));
    if ((size - q) % fold == 0) plus_sum.close();
  }

  // PM[q] upwards; the receivers with the largest keys have the smallest ranks.
  Sum minus_sum;
  std::int64_t q = 0;
  for (std::int64_t k = size; k-- > 0;) {
    const StarEntry<T> e = receivers[k];
    if (k >= ahead) {
      const std::int64_t next = receivers[k - ahead].row;
      if (!p.parts) {
        fetch_to_write<T, W>(p.y + start + next * p.y_stride);
        if constexpr (keep) fetch_to_write<T, W>(p.kept + start + next * p.kept_stride);
      }
      if constexpr (dual) fetch<T, W>(p.dual + start + next * p.dual_stride);
    }
    for (; q < e.rank; ++q) {
      if (q + ahead < e.rank) fetch<T, W>(row_of_x(q + ahead));
      minus_sum.add(sources[q].minus * sources[q].factor, row_of_x(q));
      if ((q + 1) % fold == 0) minus_sum.close();
    }
    const T plus = e.plus * e.factor, minus = e.minus * e.factor;
    const StarRow<T>& row = p.rows[e.row];
    const T* const own = x + e.row * p.x_stride;
    const std::int64_t slot = e.row * p.width + e.column;
    T* const part = p.parts ? p.parts + slot * (keep ? 2 * W : W) : nullptr;
    T* const y = p.y + start + e.row * p.y_stride;
    V dot{};
    for (int i = 0; i < P; ++i) {
      const V above = load<V>(prefix + e.rank * W + i * L), below = minus_sum.value(i);
      const V sum = above * plus + below * minus;
      if (part)
        store<false>(part + i * L, sum);
      else if (e.first)
        store<false>(y + i * L, first_part(load<V>(own + i * L), row.self, sum));
      else
        store<false>(y + i * L, load<V>(y + i * L) + sum);
      if constexpr (keep) {
        const V some = above * (e.keeps_plus ? plus : T(0)) + below * (e.keeps_plus ? T(0) : minus);
        T* const to = p.kept + start + e.row * p.kept_stride + i * L;
        if (part)
          store<false>(part + W + i * L, some);
        else if (e.first)
          store<false>(to, first_part(load<V>(own + i * L), row.self_kept, some));
        else
          store<false>(to, load<V>(to) + some);
      }
      if constexpr (dual) {
        V weighted = above * plus + below * (minus * p.slope);
        if (e.first) weighted += load<V>(own + i * L) * (row.self * row.self_slope);
        dot += weighted * load<V>(p.dual + start + e.row * p.dual_stride + i * L);
      }
    }
    if constexpr (dual) p.dots[slice * p.incidences + slot] = sum_of<T, L>(dot);
  }
}

template <class T, int W>
void star_of_width(const StarPass<T>& p, std::int64_t begin, std::int64_t size, std::int64_t slice,
                   T* scratch) {
  if (p.kept) return one_star<T, W, true, false>(p, begin, size, slice, scratch);
  if (p.dual) return one_star<T, W, false, true>(p, begin, size, slice, scratch);
  return one_star<T, W, false, false>(p, begin, size, slice, scratch);
}

template <class T>
using StarOfWidth = void (*)(const StarPass<T>&, std::int64_t, std::int64_t, std::int64_t, T*);

template <class T>
void stars(const StarPass<T>& pass, std::int64_t begin, std::int64_t end, std::int64_t first_slice,
           std::int64_t last_slice, T* scratch) {
  constexpr StarOfWidth<T> by_logarithm[] = {star_of_width<T, 1>, star_of_width<T, 2>,  star_of_width<T, 4>,
                                             star_of_width<T, 8>, star_of_width<T, 16>, star_of_width<T, 32>};
  for (std::int64_t f = begin; f < end; ++f) {
    const std::int64_t size = pass.offsets[f + 1] - pass.offsets[f];
    if (size == 0) continue;
    for (std::int64_t s = first_slice; s < last_slice; ++s)
      by_logarithm[__builtin_ctzll(static_cast<unsigned long long>(pass.slices[s].width))](
          pass, pass.offsets[f], size, s, scratch);
  }
}

// The columns of row i in the order of its faces: the next one after `last` (−1: the first one).
inline std::int64_t next_column(const std::int32_t* faces, std::int64_t width, std::int64_t last) {
  std::int64_t best = -1;
  for (std::int64_t c = 0; c < width; ++c)
    if ((last < 0 || faces[c] > faces[last]) && (best < 0 || faces[c] < faces[best])) best = c;
  return best;
}

template <class T, int W, bool keep>
void join_rows(const StarPass<T>& p, std::int64_t begin, std::int64_t end, std::int64_t start) {
  using Sum = RunningSum<T, W>;
  using V = typename Sum::V;
  constexpr int L = Sum::L, P = Sum::P;
  constexpr std::int64_t part_width = keep ? 2 * W : W;
  for (std::int64_t i = begin; i < end; ++i) {
    const T* const own = p.x + start + i * p.x_stride;
    T* const to[2] = {p.y + start + i * p.y_stride, keep ? p.kept + start + i * p.kept_stride : nullptr};
    const T self[2] = {p.rows[i].self, p.rows[i].self_kept};
    const std::int32_t* const faces = p.faces + i * p.width;
    const std::int64_t first = next_column(faces, p.width, -1);
    for (std::int64_t c = first; c >= 0; c = next_column(faces, p.width, c)) {
      const T* const part = p.parts + (i * p.width + c) * part_width;
      for (int which = 0; which < (keep ? 2 : 1); ++which) {
        for (int l = 0; l < P; ++l) {
          const V some = load<V>(part + which * W + l * L);
          store<false>(to[which] + l * L, c == first ? first_part(load<V>(own + l * L), self[which], some)
                                                     : load<V>(to[which] + l * L) + some);
        }
      }
    }
  }
}

template <class T, int W>
void join_of_width(const StarPass<T>& p, std::int64_t begin, std::int64_t end, std::int64_t start) {
  if (p.kept)
    join_rows<T, W, true>(p, begin, end, start);
  else
    join_rows<T, W, false>(p, begin, end, start);
}

template <class T>
void join(const StarPass<T>& pass, std::int64_t begin, std::int64_t end, std::int64_t slice) {
  using Join = void (*)(const StarPass<T>&, std::int64_t, std::int64_t, std::int64_t);
  constexpr Join by_logarithm[] = {join_of_width<T, 1>, join_of_width<T, 2>,  join_of_width<T, 4>,
                                   join_of_width<T, 8>, join_of_width<T, 16>, join_of_width<T, 32>};
  by_logarithm[__builtin_ctzll(static_cast<unsigned long long>(pass.slices[slice].width))](
      pass, begin, end, pass.slices[slice].start);
}

template <class T>
inline T dot(const T* a, const T* b, std::int64_t features) {
  using V = FullVector<T>;
  constexpr int L = full_lanes<T>;
  V even{}, odd{};
  std::int64_t d = 0;
  for (; d + 2 * L <= features; d += 2 * L) {
    even += load<V>(a + d) * load<V>(b + d);
    odd += load<V>(a + d + L) * load<V>(b + d + L);
  }
  if (d + L <= features) even += load<V>(a + d) * load<V>(b + d), d += L;
  T sum = sum_of<T, L>(even + odd);
  for (; d < features; ++d) sum += a[d] * b[d];
  return sum;
}

template <class T>
void dots(const T* a, const T* b, const T* c, std::int64_t features, T* ab, T* ac) {
  *ab = dot(a, b, features);
  if (c) *ac = dot(a, c, features);
}

template <class T>
void exponentials(T* x, std::int64_t count) {
  using V = FullVector<T>;
  constexpr int L = full_lanes<T>;
  std::int64_t i = 0;
  for (; i + L <= count; i += L) store<false>(x + i, exp_of_negative(load<V>(x + i)));
  if (i < count) {
    T rest[L] = {};
    __builtin_memcpy(rest, x + i, (count - i) * sizeof(T));
    store<false>(rest, exp_of_negative(load<V>(rest)));
    __builtin_memcpy(x + i, rest, (count - i) * sizeof(T));
  }
}

template <class T>
constexpr StarKernels<T> star_kernels = {stars<T>, join<T>, dots<T>, exponentials<T>};

}  // namespace

GSAN_DEFINE_KERNEL(star_attention, StarKernels, star_kernels);

}  // namespace gsan::ops
