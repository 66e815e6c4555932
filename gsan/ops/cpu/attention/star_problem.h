#pragma once
// How the factored attention sees its operands: signals × heads over rows, features in slices.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include "gsan/core/check.h"
#include "gsan/ops/attention_powers.h"
#include "gsan/ops/cpu/attention/star_attention_kernel.h"

namespace gsan::ops {

/// The features in slices of powers of two. Slices never depend on the number of threads: a product over all
/// features is a sum over slices.
inline std::vector<StarSlice> make_slices(std::int64_t features) {
  std::vector<StarSlice> slices;
  for (std::int64_t start = 0; start < features; start += slices.back().width) {
    const auto left = static_cast<std::uint64_t>(features - start);
    slices.push_back({start, std::min<std::int64_t>(max_slice, std::bit_floor(left))});
  }
  return slices;
}

/// Memory that begins with a cache line.
template <class T>
struct AlignedRoom {
  std::unique_ptr<T[]> held;
  T* data;
  explicit AlignedRoom(std::int64_t count)
      : held(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(count) + 64 / sizeof(T))) {
    void* at = held.get();
    std::size_t space = (count + 64 / sizeof(T)) * sizeof(T);
    data = static_cast<T*>(std::align(64, count * sizeof(T), at, space));
  }
};

/// Rows of one signal and head in a larger tensor.
template <class T>
struct Rows {
  T* data;
  std::int64_t stride;
  T* operator[](std::int64_t i) const { return data + i * stride; }
};

/// A tensor seen as [signals, N, heads · features], contiguous in the last dimension.
template <class T>
struct SignalView {
  T* data;
  std::int64_t signal, row, features;
  explicit SignalView(const at::Tensor& x, std::int64_t heads)
      : data(const_cast<T*>(x.const_data_ptr<std::remove_const_t<T>>())),
        signal(x.stride(0)),
        row(x.stride(1)),
        features(x.size(2) / heads) {}
  Rows<T> of(std::int64_t s, std::int64_t h) const { return {data + s * signal + h * features, row}; }
};

/// The operands in the shapes that the loops walk; refuses what sums over stars cannot do.
struct StarProblem {
  const AttentionOperands& operands;
  std::int64_t signals, simplices, taps, heads, features, applications;
  at::Tensor stacked, receiver, source, mask, signs;  // [S, N, P, H·F], [S, N, H], [S, N·w + N, H], [N·w]

  explicit StarProblem(const AttentionOperands& o) : operands(o) {
    const at::Tensor& x = o.taps;
    simplices = x.size(-3), taps = x.size(-2), heads = o.receiver.size(-1);
    features = heads == 0 ? 0 : x.size(-1) / heads;
    signals = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 3);
    applications = taps - 1 + o.first_power;
    GSAN_CHECK(o.negative_slope >= 0 && o.negative_slope <= 1,
               "gsan::attention_powers: negative_slope must lie in [0, 1], got ", o.negative_slope,
               "; sums over stars rest on it, pass a structure of pairs for any other");
    stacked = x.reshape({signals, simplices, taps, x.size(-1)});
    if (stacked.stride(-1) != 1) stacked = stacked.contiguous();
    receiver = o.receiver.contiguous(), source = o.source.contiguous();
    if (o.mask) mask = o.mask->contiguous();
    if (o.signs) signs = o.signs->contiguous();
  }
  bool empty() const { return signals * simplices * heads * features == 0; }
  std::int64_t items() const { return signals * heads; }
  at::Tensor tap(std::int64_t p) const { return stacked.select(2, p); }
  // The tap that application a is applied to; a = 0 is the last one.
  std::int64_t tap_of(std::int64_t a) const { return a + 1 - operands.first_power; }
  at::Tensor signal_room(std::int64_t count = 1) const {
    return at::empty({count * signals, simplices, heads * features}, stacked.options());
  }
};

}  // namespace gsan::ops
