#pragma once
// σ and σ' of ops/sum_activation.h on numbers that lie in a cache.

#include <algorithm>
#include <cstring>

#include <ATen/Parallel.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/gelu_backward.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>

#include "gsan/ops/detail/sum_activation_checks.h"

namespace gsan::ops {

/// f(first, count) by this thread alone. From 2048 numbers on torch would wake others, which would divide the
/// numbers where no vector ends, and keep the flushed numbers of share_range.h for good.
template <class F>
void in_this_thread(std::int64_t count, const F& f) {
  constexpr std::int64_t most = 2048;
  const std::int64_t piece = at::in_parallel_region() || at::get_num_threads() == 1 ? count : most;
  for (std::int64_t first = 0; first < count; first += piece) f(first, std::min(piece, count - first));
}

/// `count` numbers as a tensor, whose owner is somebody else.
template <class T>
at::Tensor numbers_at(const T* x, std::int64_t count) {
  return at::from_blob(const_cast<T*>(x), {count}, c10::CppTypeToScalarType<T>::value);
}

/// x ← σ(x).
template <class T>
void activate(Nonlinearity activation, T* x, std::int64_t count) {
  switch (activation) {
    case Nonlinearity::identity:
      return;
    case Nonlinearity::relu:  // a NaN stays one
      for (std::int64_t i = 0; i < count; ++i) x[i] = x[i] < 0 ? T(0) : x[i];
      return;
    case Nonlinearity::leaky_relu:
      for (std::int64_t i = 0; i < count; ++i) x[i] = x[i] > 0 ? x[i] : x[i] * static_cast<T>(leaky_slope);
      return;
    default:
      break;
  }
  // Vectorised by torch.
  in_this_thread(count, [&](std::int64_t first, std::int64_t length) {
    at::Tensor block = numbers_at(x + first, length);
    if (activation == Nonlinearity::elu) at::elu_(block);
    if (activation == Nonlinearity::gelu) at::gelu_(block);
    if (activation == Nonlinearity::tanh) at::tanh_(block);
    if (activation == Nonlinearity::sigmoid) at::sigmoid_(block);
  });
}

/// d[i] = g[i] σ'(y[i]), where y is σ(x), of gelu x.
template <class T>
void multiply_slopes(Nonlinearity activation, const T* g, const T* y, T* d, std::int64_t count) {
  const auto all = [&](const auto& f) {
    for (std::int64_t i = 0; i < count; ++i) d[i] = f(g[i], y[i]);
  };
  switch (activation) {
    case Nonlinearity::relu:
      return all([](T a, T b) { return b <= 0 ? T(0) : a; });
    case Nonlinearity::leaky_relu:
      return all([](T a, T b) { return b > 0 ? a : a * static_cast<T>(leaky_slope); });
    case Nonlinearity::elu:
      return all([](T a, T b) { return b <= 0 ? a * (b + 1) : a; });
    case Nonlinearity::tanh:
      return all([](T a, T b) { return a * (1 - b * b); });
    case Nonlinearity::sigmoid:
      return all([](T a, T b) { return a * (1 - b) * b; });
    case Nonlinearity::gelu:
      return in_this_thread(count, [&](std::int64_t first, std::int64_t length) {
        at::Tensor slopes = numbers_at(d + first, length);
        at::gelu_backward_out(slopes, numbers_at(g + first, length), numbers_at(y + first, length));
      });
    default:
      std::memcpy(d, g, static_cast<std::size_t>(count) * sizeof(T));
  }
}

}  // namespace gsan::ops
