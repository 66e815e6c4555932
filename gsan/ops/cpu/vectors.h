#pragma once
// Vectors of the registers' width for kernels that are compiled once per instruction set: all of it is in an
// unnamed namespace and nothing of it is inline elsewhere, so that the linker never mixes the builds.
// GSAN_VECTOR_BYTES is the width of that build's registers.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace gsan::ops {
namespace {

template <class T, int L>
struct VectorOf {
  typedef T Type __attribute__((vector_size(L * sizeof(T))));
};
template <class T>
struct VectorOf<T, 1> {
  using Type = T;
};

template <class T>
struct BitsOf;
template <>
struct BitsOf<float> {
  using Type = std::int32_t;
};
template <>
struct BitsOf<double> {
  using Type = std::int64_t;
};

template <class T>
constexpr int full_lanes = GSAN_VECTOR_BYTES / sizeof(T);
template <class T>
using FullVector = typename VectorOf<T, full_lanes<T>>::Type;
template <class T>
using FullBits = typename VectorOf<typename BitsOf<T>::Type, full_lanes<T>>::Type;

template <class V, class T>
inline V load(const T* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof(V));
  return v;
}

// With `stream` past the caches, where the machine can; `to` is aligned to sizeof(V) then.
template <bool stream, class V, class T>
inline void store(T* to, V v) {
#if defined(__AVX512F__)
  if constexpr (stream && sizeof(V) == 64)
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), (__m512i)v);
#endif
#if defined(__AVX__)
  if constexpr (stream && sizeof(V) == 32)
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), (__m256i)v);
#endif
#if defined(__SSE2__)
  if constexpr (stream && sizeof(V) == 16)
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
#endif
  __builtin_memcpy(to, &v, sizeof(V));
}

// Keeps a vector that is used twice in a register: the compiler would rather read it from memory twice.
template <class V>
inline void load_once(V& v) {
#if defined(__AVX__)
  __asm__("" : "+v"(v));
#else
  (void)v;
#endif
}

inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// 0, 1, … L − 1.
template <class I, int L>
inline typename VectorOf<I, L>::Type lane_numbers() {
  if constexpr (L == 1) {
    return 0;
  } else {
    typename VectorOf<I, L>::Type v;
    for (int l = 0; l < L; ++l) v[l] = l;
    return v;
  }
}

// combine() of all lanes, by halves.
template <class T, int L, class Combine>
inline T reduce(typename VectorOf<T, L>::Type v, const Combine& combine) {
  if constexpr (L == 1) {
    return v;
  } else {
    const auto half = [&]<int... lanes>(std::integer_sequence<int, lanes...>) {
      return combine(__builtin_shufflevector(v, v, lanes...),
                     __builtin_shufflevector(v, v, (L / 2 + lanes)...));
    };
    if constexpr (L == 2)
      return combine(v[0], v[1]);
    else
      return reduce<T, L / 2>(half(std::make_integer_sequence<int, L / 2>()), combine);
  }
}

template <class T, int L>
inline T sum_of(typename VectorOf<T, L>::Type v) {
  return reduce<T, L>(v, [](auto a, auto b) { return a + b; });
}

// The sums of a and of b, folded together.
template <class T>
struct TwoSums {
  T a, b;
};
template <class T, int L>
inline TwoSums<T> sums_of(typename VectorOf<T, L>::Type a, typename VectorOf<T, L>::Type b) {
  if constexpr (L < 4) {
    return {sum_of<T, L>(a), sum_of<T, L>(b)};
  } else {
    constexpr int H = L / 2;
    const auto both = [&]<int... l>(std::integer_sequence<int, l...>) {
      return __builtin_shufflevector(a, b, (l < H ? l : l + H)...) +
             __builtin_shufflevector(a, b, (l < H ? l + H : l + L)...);
    };
    auto v = both(std::make_integer_sequence<int, L>());
    const auto fold = [&]<int distance, int... l>(std::integer_sequence<int, distance>,
                                                  std::integer_sequence<int, l...>) {
      v += __builtin_shufflevector(v, v, (l ^ distance)...);
    };
    constexpr auto lanes = std::make_integer_sequence<int, L>();
    if constexpr (H > 4) fold(std::integer_sequence<int, 4>(), lanes);
    if constexpr (H > 2) fold(std::integer_sequence<int, 2>(), lanes);
    fold(std::integer_sequence<int, 1>(), lanes);
    return {v[0], v[H]};
  }
}

template <class T, int L>
inline T largest_of(typename VectorOf<T, L>::Type v) {
  return reduce<T, L>(v, [](auto a, auto b) { return a > b ? a : b; });
}

// e^x for x ≤ 0 to 2 ulp, 0 where the result is below the normal numbers; NaN stays NaN.
// x = n ln 2 + r with |r| ≤ ln 2 / 2, and e^r by a polynomial.
inline FullVector<float> exp_of_negative(FullVector<float> x) {
  using V = FullVector<float>;
  using I = FullBits<float>;
  constexpr float least = -87.33654f, magic = 12582912.f;  // 1.5 · 2^23: adding it rounds to an integer
  const V y = x < least ? V{} + least : x;
  const V rounded = y * 1.44269504f + magic, n = rounded - magic;
  const V r = (y - n * 0.693359375f) - n * -2.12194440e-4f;
  V p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.f;
  const I scale = ((I)rounded - 0x4b400000 + 127) << 23;
  return x < least ? V{} : p * (V)scale;
}

inline FullVector<double> exp_of_negative(FullVector<double> x) {
  using V = FullVector<double>;
  using I = FullBits<double>;
  constexpr double least = -708.396418532264, magic = 6755399441055744.0;  // 1.5 · 2^52
  const V y = x < least ? V{} + least : x;
  const V rounded = y * 1.4426950408889634 + magic, n = rounded - magic;
  const V r = (y - n * 6.93145751953125e-1) - n * 1.42860682030941723212e-6;
  V p = r * (1. / 6227020800) + 1. / 479001600;  // r^k / k! up to k = 13
  p = p * r + 1. / 39916800;
  p = p * r + 1. / 3628800;
  p = p * r + 1. / 362880;
  p = p * r + 1. / 40320;
  p = p * r + 1. / 5040;
  p = p * r + 1. / 720;
  p = p * r + 1. / 120;
  p = p * r + 1. / 24;
  p = p * r + 1. / 6;
  p = p * r + 0.5;
  p = p * (r * r) + r + 1.;
  const I scale = ((I)rounded - 0x4338000000000000 + 1023) << 52;
  return x < least ? V{} : p * (V)scale;
}

}  // namespace
}  // namespace gsan::ops
