#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cpu/pair_list.h"
#include "gsan/ops/cpu/strand_sum.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

template <class T>
bool run_sum(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& result,
             const PairList<std::int32_t>& list) {
  const std::int64_t heads = receiver.size(-1);
  const T *r = receiver.const_data_ptr<T>(), *s = source.const_data_ptr<T>();
  T* y = result.mutable_data_ptr<T>();
  const auto compute = [=](std::int64_t signal, std::int64_t first, std::int64_t last) {
    const T *from = s + signal * list.rows * heads, *to = r + signal * list.rows * heads;
    T* out = y + signal * list.pairs * heads;
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        const T* of_source = from + list.sources[e] * heads;
        for (std::int64_t h = 0; h < heads; ++h) out[e * heads + h] = to[i * heads + h] + of_source[h];
      }
    }
  };
  return list.walk_all(signal_count(receiver, 2), heads, compute);
}

template <class T>
bool run_dot(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& result,
             const PairList<std::int32_t>& list) {
  const std::int64_t heads = receiver.size(-2), features = receiver.size(-1), width = heads * features;
  const T *r = receiver.const_data_ptr<T>(), *s = source.const_data_ptr<T>();
  T* y = result.mutable_data_ptr<T>();
  const auto compute = [=](std::int64_t signal, std::int64_t first, std::int64_t last) {
    const T *from = s + signal * list.rows * width, *to = r + signal * list.rows * width;
    T* out = y + signal * list.pairs * heads;
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        for (std::int64_t h = 0; h < heads; ++h) {
          const T *a = to + i * width + h * features, *b = from + list.sources[e] * width + h * features;
          out[e * heads + h] = strand_sum<T>(features, [=](std::int64_t d) { return a[d] * b[d]; });
        }
      }
    }
  };
  return list.walk_all(signal_count(receiver, 3), width, compute);
}

template <class T, class M>
bool run_gather(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& result,
                const PairList<M>& list) {
  const std::int64_t heads = x.size(-2), features = x.size(-1), width = heads * features;
  const T *w = weights.const_data_ptr<T>(), *s = x.const_data_ptr<T>();
  T* y = result.mutable_data_ptr<T>();
  const auto compute = [=](std::int64_t signal, std::int64_t first, std::int64_t last) {
    const T *from = s + signal * list.rows * width, *weight = w + signal * list.pairs * heads;
    T* out = y + signal * list.rows * width;
    for (std::int64_t i = first; i < last; ++i) {
      T* row = out + i * width;
      std::fill(row, row + width, T(0));
      for (std::int64_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        const std::int64_t pair = list.mirror ? static_cast<std::int64_t>(list.mirror[e]) : e;
        for (std::int64_t h = 0; h < heads; ++h) {
          const T factor = weight[pair * heads + h];
          const T* of_source = from + list.sources[e] * width + h * features;
          for (std::int64_t d = 0; d < features; ++d) row[h * features + d] += factor * of_source[d];
        }
      }
    }
  };
  return list.walk_all(signal_count(x, 3), width, compute);
}

at::Tensor pair_sum_cpu(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                        const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_sum", receiver, source, offsets, sources, mirror, false);
  const at::Tensor y =
      at::empty_symint(sizes_with(receiver, 2, {shape.pairs, receiver.sym_size(-1)}), receiver.options());
  const at::Tensor starts = offsets.contiguous(), from = sources.contiguous();
  const PairList<std::int32_t> list(starts, from, {});
  const bool fine = AT_DISPATCH_FLOATING_TYPES(receiver.scalar_type(), "pair_sum", [&] {
    return run_sum<scalar_t>(receiver.contiguous(), source.contiguous(), y, list);
  });
  if (!fine) fail_on_pairs("gsan::pair_sum", offsets, sources, {});
  return y;
}

at::Tensor pair_dot_cpu(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& offsets,
                        const at::Tensor& sources, const at::Tensor& mirror) {
  const auto shape = check_two_sides("gsan::pair_dot", receiver, source, offsets, sources, mirror, true);
  const at::Tensor y =
      at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
  const at::Tensor starts = offsets.contiguous(), from = sources.contiguous();
  const PairList<std::int32_t> list(starts, from, {});
  const bool fine = AT_DISPATCH_FLOATING_TYPES(receiver.scalar_type(), "pair_dot", [&] {
    return run_dot<scalar_t>(receiver.contiguous(), source.contiguous(), y, list);
  });
  if (!fine) fail_on_pairs("gsan::pair_dot", offsets, sources, {});
  return y;
}

at::Tensor weighted_gather_cpu(const at::Tensor& weights, const at::Tensor& x, const at::Tensor& offsets,
                               const at::Tensor& sources, const at::Tensor& mirror, bool transposed) {
  check_gather(weights, x, offsets, sources, mirror);
  const at::Tensor y = at::empty(x.sizes(), x.options());
  const at::Tensor starts = offsets.contiguous(), from = sources.contiguous(),
                   mirrored = transposed ? mirror.contiguous() : at::Tensor();
  const bool fine = AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "weighted_gather", [&] {
    return AT_DISPATCH_INDEX_TYPES(mirror.scalar_type(), "weighted_gather", [&] {
      return run_gather<scalar_t, index_t>(weights.contiguous(), x.contiguous(), y,
                                           PairList<index_t>(starts, from, mirrored));
    });
  });
  if (!fine) fail_on_pairs("gsan::weighted_gather", offsets, sources, mirrored);
  return y;
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("pair_sum", pair_sum_cpu);
  m.impl("pair_dot", pair_dot_cpu);
  m.impl("weighted_gather", weighted_gather_cpu);
}

}  // namespace gsan::ops
