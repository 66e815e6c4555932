#include "gsan/ops/cuda/narrow_products.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <torch/library.h>

#include "gsan/ops/cuda/tall_gram.h"
#include "gsan/ops/cuda/tensors.h"
#include "gsan/ops/detail/narrow_products_checks.h"

namespace gsan::ops {
namespace {

// Whether the types are those of the kernels: x as it is stored, the other as it is computed.
bool is_mixed(const at::Tensor& x, const at::Tensor& other) {
  return x.scalar_type() == at::kBFloat16 && other.scalar_type() == at::kFloat;
}
bool is_computed(const at::Tensor& x, const at::Tensor& other) {
  return x.scalar_type() == at::kBFloat16 ? is_mixed(x, other) : true;
}

at::Tensor as_other(const at::Tensor& x, const at::Tensor& other) { return x.to(other.scalar_type()); }

template <class T>
cuda::NarrowColumns<T> columns_of(const at::Tensor& v) {
  return {cuda::data<T>(v), v.stride(0), v.stride(1), static_cast<int>(v.size(0)),
          static_cast<int>(v.size(1))};
}

bool fits_product(const at::Tensor& x, const at::Tensor& v) {
  bool fits = false;
  if (is_computed(x, v))
    cuda::with_type("gsan::narrow_product", x.scalar_type(),
                    [&]<class S>(S) { fits = cuda::fits_narrow_product<S>(v.size(0), v.size(1)); });
  return fits;
}

at::Tensor product_cuda(const at::Tensor& x, const at::Tensor& v) {
  check_narrow_product(x, v);
  if (!fits_product(x, v)) return at::mm(as_other(x, v), v);
  const cuda::Launch launch(x);
  const at::Tensor from = cuda::aligned(x), to = at::empty({x.size(0), v.size(1)}, v.options());
  cuda::with_type("gsan::narrow_product", x.scalar_type(), [&]<class S>(S) {
    using T = cuda::Compute<S>;
    cuda::launch_narrow_product(cuda::data<S>(from), columns_of<T>(v), cuda::writable<T>(to), x.size(0),
                                launch.stream);
  });
  cuda::check_launch();
  return to;
}

at::Tensor& add_cuda(at::Tensor& x, const at::Tensor& y, const at::Tensor& v) {
  check_add_narrow_product(x, y, v);
  if (!fits_product(x, v)) return is_mixed(x, v) ? x.add_(at::mm(y, v.t())) : x.addmm_(y, v.t());
  const cuda::Launch launch(x);
  cuda::with_type("gsan::add_narrow_product_", x.scalar_type(), [&]<class S>(S) {
    using T = cuda::Compute<S>;
    cuda::launch_add_narrow_product(cuda::writable<S>(x), columns_of<T>(v), cuda::data<T>(y), x.size(0),
                                    launch.stream);
  });
  cuda::check_launch();
  return x;
}

template <class P, class R>
void add_parts(const at::Tensor& parts, const at::Tensor& to, const cuda::Launch& launch) {
  cuda::check_launch();
  cuda::launch_sum_parts(cuda::data<P>(parts), parts.size(0), to.numel(), cuda::writable<R>(to),
                         launch.stream);
  cuda::check_launch();
}

// Both for x stored as S and y as Y; the result is of the type of y.
template <class S, class Y>
at::Tensor gram(const at::Tensor& x, const at::Tensor& y, bool narrow) {
  using T = cuda::Compute<S>;
  const cuda::Launch launch(x);
  const at::Tensor a = cuda::aligned(x), b = cuda::aligned(y);
  const std::int64_t rows = x.size(0), K = x.size(1), C = y.size(1);
  const std::int64_t blocks = narrow ? cuda::gram_blocks(rows).count : cuda::tall_blocks(rows).count;
  const at::Tensor to = at::empty({K, C}, y.options());
  const at::Tensor parts =
      at::empty({blocks, K, C}, y.options().dtype(sizeof(T) == 8 ? at::kDouble : at::kFloat));
  if constexpr (std::is_same_v<T, Y>) {
    if (narrow)
      cuda::launch_narrow_gram(cuda::data<S>(a), cuda::data<T>(b), cuda::writable<T>(parts), rows,
                               static_cast<int>(K), static_cast<int>(C), launch.stream);
  }
  if (!narrow)
    cuda::launch_tall_gram(cuda::data<S>(a), cuda::data<Y>(b), cuda::writable<T>(parts), rows,
                           static_cast<int>(K), static_cast<int>(C), launch.stream);
  add_parts<T, Y>(parts, to, launch);
  return to;
}

at::Tensor any_gram(const at::Tensor& x, const at::Tensor& y) {
  const std::int64_t K = x.size(1), C = y.size(1);
  const bool narrow = C <= cuda::most_gram_columns && K <= 1024 && is_computed(x, y);
  if (!narrow && K * C > cuda::most_tall_numbers) return at::mm(as_other(x, y).t(), y);
  if (is_mixed(x, y)) return gram<cuda::Bf16, float>(x, y, narrow);
  if (x.scalar_type() == at::kBFloat16) return gram<cuda::Bf16, cuda::Bf16>(x, y, false);
  if (x.scalar_type() == at::kDouble) return gram<double, double>(x, y, narrow);
  return gram<float, float>(x, y, narrow);
}

at::Tensor gram_cuda(const at::Tensor& x, const at::Tensor& y) {
  check_narrow_gram(x, y);
  return any_gram(x, y);
}

at::Tensor tall_cuda(const at::Tensor& x, const at::Tensor& y) {
  check_tall_gram(x, y);
  return any_gram(x, y);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CUDA, m) {
  m.impl("narrow_product", product_cuda);
  m.impl("narrow_gram", gram_cuda);
  m.impl("tall_gram", tall_cuda);
  m.impl("add_narrow_product_", add_cuda);
}

}  // namespace gsan::ops
