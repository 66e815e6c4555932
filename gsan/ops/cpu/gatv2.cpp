#include <tuple>
#include <vector>

#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include "gsan/ops/cpu/pair_list.h"
#include "gsan/ops/cpu/share_range.h"
#include "gsan/ops/cpu/strand_sum.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

template <class T>
bool run_scores(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                const at::Tensor& result, const PairList<std::int32_t>& list, T slope) {
  const std::int64_t heads = v.size(0), features = v.size(1), width = heads * features;
  const T *r = receiver.const_data_ptr<T>(), *s = source.const_data_ptr<T>(), *vs = v.const_data_ptr<T>();
  T* y = result.mutable_data_ptr<T>();
  const auto compute = [=](std::int64_t signal, std::int64_t first, std::int64_t last) {
    const T *from = s + signal * list.rows * width, *to = r + signal * list.rows * width;
    T* out = y + signal * list.pairs * heads;
    for (std::int64_t i = first; i < last; ++i) {
      for (std::int64_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        for (std::int64_t h = 0; h < heads; ++h) {
          const T *a = to + i * width + h * features, *b = from + list.sources[e] * width + h * features,
                  *c = vs + h * features;
          out[e * heads + h] = strand_sum<T>(features, [=](std::int64_t d) {
            const T z = a[d] + b[d];
            return c[d] * (z > 0 ? z : slope * z);
          });
        }
      }
    }
  };
  return list.walk_all(signal_count(receiver, 3), width, compute);
}

// Row i gets its gradient as a receiver from its own pairs, and as a source from the mirrored
// ones; v, which belongs to all pairs, in one partial sum per block of rows. Blocks depend on sizes
// alone, so the bits do not depend on threads; there are at most `most_blocks`, so what they take
// does not grow with N.
constexpr std::int64_t smallest_block = 256, most_blocks = 256;

template <class T, class M>
struct Backward {
  const T *gradient, *receiver, *source, *v;
  T *of_receiver, *of_source;
  std::int64_t heads, features;
  T slope;
  PairList<M> list;

  // Rows first … last − 1 of a signal; of_v [heads · features] is added to, `row` is scratch of that size.
  void compute(std::int64_t signal, std::int64_t first, std::int64_t last, double* of_v, T* row) const {
    const std::int64_t width = heads * features, rows_before = signal * list.rows * width;
    const T *r = receiver + rows_before, *s = source + rows_before,
            *g = gradient + signal * list.pairs * heads;
    for (std::int64_t i = first; i < last; ++i) {
      T *to_receiver = of_receiver + rows_before + i * width,
        *to_source = of_source + rows_before + i * width;
      std::fill(to_receiver, to_receiver + width, T(0));
      std::fill(to_source, to_source + width, T(0));
      std::fill(row, row + width, T(0));
      for (std::int64_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        const std::int64_t other = list.sources[e] * width;
        for (std::int64_t h = 0; h < heads; ++h) {
          const T out = g[e * heads + h], back = g[list.mirror[e] * heads + h];
          const std::int64_t begin = h * features;
          for (std::int64_t d = begin; d < begin + features; ++d) {
            const T z = r[i * width + d] + s[other + d];
            const T weighted = out * (z > 0 ? T(1) : slope);  // g_ij LReLU'(r_i + s_j)
            to_receiver[d] += weighted;
            row[d] += weighted * z;
            const T mirrored = r[other + d] + s[i * width + d];
            to_source[d] += back * (mirrored > 0 ? T(1) : slope);
          }
        }
      }
      for (std::int64_t d = 0; d < width; ++d) {
        to_receiver[d] *= v[d];
        to_source[d] *= v[d];
        of_v[d] += static_cast<double>(row[d]);
      }
    }
  }
};

template <class T, class M>
bool run_backward(const Backward<T, M>& backward, std::int64_t signals, T* of_v) {
  const PairList<M>& list = backward.list;
  if (!list.has_ends()) return false;
  const std::int64_t total = signals * list.rows, width = backward.heads * backward.features;
  const std::int64_t block = std::max(smallest_block, (total + most_blocks - 1) / most_blocks);
  const std::int64_t blocks = (total + block - 1) / block;
  std::vector<double> sums(static_cast<std::size_t>(blocks * width));
  std::atomic<bool> fine = true;
  share_range(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> row(static_cast<std::size_t>(width));
    for (std::int64_t b = begin; b < end; ++b) {
      const auto compute = [&](std::int64_t signal, std::int64_t first, std::int64_t last) {
        backward.compute(signal, first, last, sums.data() + b * width, row.data());
      };
      if (!list.walk(b * block, std::min(total, (b + 1) * block), compute)) fine = false;
    }
  });
  for (std::int64_t d = 0; d < width; ++d) {
    double sum = 0;
    for (std::int64_t b = 0; b < blocks; ++b) sum += sums[static_cast<std::size_t>(b * width + d)];
    of_v[d] = static_cast<T>(sum);
  }
  return fine;
}

at::Tensor gatv2_scores_cpu(const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
                            const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror,
                            double negative_slope) {
  const char* who = "gsan::gatv2_scores";
  const auto shape = check_gatv2(who, receiver, source, v, offsets, sources, mirror, negative_slope);
  const at::Tensor y =
      at::empty_symint(sizes_with(receiver, 3, {shape.pairs, receiver.sym_size(-2)}), receiver.options());
  const at::Tensor starts = offsets.contiguous(), from = sources.contiguous();
  const PairList<std::int32_t> list(starts, from, {});
  const bool fine = AT_DISPATCH_FLOATING_TYPES(receiver.scalar_type(), "gatv2_scores", [&] {
    return run_scores<scalar_t>(receiver.contiguous(), source.contiguous(), v.contiguous(), y, list,
                                static_cast<scalar_t>(negative_slope));
  });
  if (!fine) fail_on_pairs(who, offsets, sources, {});
  return y;
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> gatv2_scores_backward_cpu(
    const at::Tensor& gradient, const at::Tensor& receiver, const at::Tensor& source, const at::Tensor& v,
    const at::Tensor& offsets, const at::Tensor& sources, const at::Tensor& mirror, double negative_slope) {
  check_gatv2_backward(gradient, receiver, source, v, offsets, sources, mirror, negative_slope);
  const at::Tensor of_receiver = at::empty(receiver.sizes(), receiver.options()),
                   of_source = at::empty(source.sizes(), source.options()),
                   of_v = at::empty(v.sizes(), v.options());
  const at::Tensor g = gradient.contiguous(), r = receiver.contiguous(), s = source.contiguous(),
                   c = v.contiguous(), starts = offsets.contiguous(), from = sources.contiguous(),
                   mirrored = mirror.contiguous();
  const bool fine = AT_DISPATCH_FLOATING_TYPES(receiver.scalar_type(), "gatv2_scores_backward", [&] {
    return AT_DISPATCH_INDEX_TYPES(mirror.scalar_type(), "gatv2_scores_backward", [&] {
      const Backward<scalar_t, index_t> backward{g.const_data_ptr<scalar_t>(),
                                                 r.const_data_ptr<scalar_t>(),
                                                 s.const_data_ptr<scalar_t>(),
                                                 c.const_data_ptr<scalar_t>(),
                                                 of_receiver.mutable_data_ptr<scalar_t>(),
                                                 of_source.mutable_data_ptr<scalar_t>(),
                                                 v.size(0),
                                                 v.size(1),
                                                 static_cast<scalar_t>(negative_slope),
                                                 PairList<index_t>(starts, from, mirrored)};
      return run_backward(backward, signal_count(receiver, 3), of_v.mutable_data_ptr<scalar_t>());
    });
  });
  if (!fine) fail_on_pairs("gsan::gatv2_scores_backward", offsets, sources, mirror);
  return {of_receiver, of_source, of_v};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("gatv2_scores", gatv2_scores_cpu);
  m.impl("gatv2_scores_backward", gatv2_scores_backward_cpu);
}

}  // namespace gsan::ops
