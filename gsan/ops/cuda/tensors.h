#pragma once
// Between torch's tensors and the launchers of CUDA kernels.

#include <ATen/core/Tensor.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "gsan/core/check.h"
#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

/// Makes the device of a tensor the current one, for as long as it lives, and names the stream to launch on.
struct Launch {
  c10::cuda::CUDAGuard guard;
  Stream stream;
  explicit Launch(const at::Tensor& x)
      : guard(x.device()), stream(c10::cuda::getCurrentCUDAStream(x.device().index()).stream()) {}
};

/// After every launch: an error of the launch is thrown here, one of the kernel by a later call.
inline void check_launch() { C10_CUDA_KERNEL_LAUNCH_CHECK(); }

template <class S>
const S* data(const at::Tensor& x) {
  return x.defined() ? static_cast<const S*>(x.const_data_ptr()) : nullptr;
}
template <class S>
S* writable(const at::Tensor& x) {
  return x.defined() ? static_cast<S*>(x.mutable_data_ptr()) : nullptr;
}

/// A tensor whose rows, its last `last` dimensions but for the first of them, are each contiguous, and whose
/// leading dimensions count as one: copied where it is not. (contiguous() would keep any stride of a
/// dimension of size 1.)
inline at::Tensor with_rows(const at::Tensor& x, std::int64_t last = 1) {
  const auto inner = x.dim() - last;  // dimensions before the contiguous ones
  std::int64_t expected = 1;
  for (std::int64_t d = x.dim() - 1; d >= inner; --d) {
    if (x.stride(d) != expected && x.size(d) != 1) return x.clone(at::MemoryFormat::Contiguous);
    expected *= x.size(d);
  }
  std::int64_t before = inner - 2;  // the signals
  for (std::int64_t d = before - 1; d >= 0; --d)
    if (x.size(d) != 1 && x.stride(d) != x.stride(d + 1) * x.size(d + 1))
      return x.clone(at::MemoryFormat::Contiguous);
  return x;
}

/// A contiguous tensor that begins at a multiple of 16 bytes, so that the order of sums, which follows the
/// width of loads, follows from shapes alone. Torch allocates in larger steps: only a view is ever copied.
inline at::Tensor aligned(const at::Tensor& x) {
  const at::Tensor y = x.contiguous();
  return reinterpret_cast<std::uintptr_t>(y.const_data_ptr()) % 16 == 0 ? y : y.clone();
}

/// with_rows(), for the same reason copied where 16 bytes could not be read at a time although the last
/// dimension is a multiple of them.
inline at::Tensor aligned_rows(const at::Tensor& x, std::int64_t last = 1) {
  const at::Tensor rows = with_rows(x, last);
  const auto inner = x.dim() - last;
  const auto fits = [&](std::int64_t numbers) {
    return numbers * static_cast<std::int64_t>(x.element_size()) % 16 == 0;
  };
  const bool regular = fits(rows.stride(inner - 1)) && (inner < 2 || fits(rows.stride(inner - 2))) &&
                       reinterpret_cast<std::uintptr_t>(rows.const_data_ptr()) % 16 == 0;
  return regular || !fits(x.size(-1)) ? rows : aligned(rows);
}

/// Of with_rows(x, last).
template <class S>
Rows<const S> rows_of(const at::Tensor& x, std::int64_t last = 1) {
  const auto inner = x.dim() - last;
  return {data<S>(x), inner >= 2 ? x.stride(inner - 2) : 0, x.stride(inner - 1)};
}
template <class S>
Rows<S> writable_rows(const at::Tensor& x, std::int64_t last = 1) {
  const Rows<const S> rows = rows_of<S>(x, last);
  return {const_cast<S*>(rows.data), rows.signal, rows.row};
}

/// How many signals the dimensions before the last `last` hold.
inline std::int64_t signal_count(const at::Tensor& x, std::int64_t last) {
  return c10::multiply_integers(x.sizes().begin(), x.sizes().end() - last);
}

/// Calls run(S{}) with the stored type of x: float, double or, where the kernels have it, Bf16.
template <class Run>
void with_type(const char* who, at::ScalarType type, const Run& run) {
  switch (type) {
    case at::kFloat:
      return run(float{});
    case at::kDouble:
      return run(double{});
    case at::kBFloat16:
      return run(Bf16{});
    default:
      fail(Fault::argument, who, ": values must be float32, float64 or bfloat16, got ", type);
  }
}

/// Calls run(T{}) for float or double, which the checks have left.
template <class Run>
void with_real(const at::Tensor& x, const Run& run) {
  x.scalar_type() == at::kDouble ? run(double{}) : run(float{});
  check_launch();
}

}  // namespace gsan::ops::cuda
