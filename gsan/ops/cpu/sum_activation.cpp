// Blocks of rows that fit the first cache are summed, activated and written once; a large result goes past
// the caches. The loops are simple enough for the compiler, and memory is slower than the narrowest vectors.
// Blocks follow from the shape alone, so that column sums have the same bits for any number of threads.

#include "gsan/ops/sum_activation.h"

#include <algorithm>
#include <vector>

#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/ops/cpu/share_range.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/detail/activations.h"
#include "gsan/ops/cpu/row_ranges.h"
#include "gsan/ops/detail/sum_activation_checks.h"

namespace gsan::ops {
namespace {

constexpr std::int64_t block_numbers = 8192;

// Whole lines: see should_stream().
template <class T>
void write_past_caches(const T* from, T* to, std::int64_t count) {
#if defined(__SSE2__)
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  const std::int64_t vectors = count * static_cast<std::int64_t>(sizeof(T)) / 16;
  for (std::int64_t i = 0; i < vectors; ++i) _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
  _mm_sfence();
#else
  std::copy_n(from, count, to);
#endif
}

// The rows [..., N, C] of a tensor as one list, in blocks.
struct Blocks {
  std::int64_t rows, channels, block_rows, count;
  explicit Blocks(const at::Tensor& x)
      : rows(x.numel() / x.size(-1)),
        channels(x.size(-1)),
        block_rows(std::max<std::int64_t>(1, block_numbers / channels)),
        count((rows + block_rows - 1) / block_rows) {}

  /// f(block, first row, rows, where) for all blocks, by all threads: f fills `where`, which is the block of
  /// `result`, or with `stream` scratch that is then written there past the caches.
  template <class T, class F>
  void for_each(T* result, bool stream, const F& f) const {
    share_range(0, count, 4, [&](std::int64_t begin, std::int64_t end) {
      std::vector<T> scratch(static_cast<std::size_t>(stream ? block_rows * channels : 0));
      for (std::int64_t b = begin; b < end; ++b) {
        const std::int64_t first = b * block_rows, count_here = std::min(block_rows, rows - first);
        T* to = result + first * channels;
        f(b, first, count_here, stream ? scratch.data() : to);
        if (stream) write_past_caches(scratch.data(), to, count_here * channels);
      }
    });
  }
};

// A term, row r at start(r); contiguous rows follow each other.
template <class T>
struct Term {
  const T* data;
  std::int64_t rows_per_signal, signal_stride, row_stride;
  bool contiguous;
  Term(const StridedRows& x, std::int64_t channels)
      : data(x.data<T>()),
        rows_per_signal(x.x.size(-2)),
        signal_stride(x.signal_stride),
        row_stride(x.row_stride),
        contiguous(x.row_stride == channels &&
                   (x.x.dim() == 2 || x.signal_stride == rows_per_signal * channels)) {}
  const T* start(std::int64_t r) const {
    return data + r / rows_per_signal * signal_stride + r % rows_per_signal * row_stride;
  }
};

template <class T, class F>
void combine(const Term<T>& term, std::int64_t first, std::int64_t rows, std::int64_t channels, T* sum,
             const F& f) {
  const std::int64_t length = term.contiguous ? rows * channels : channels;
  for (std::int64_t done = 0; done < rows * channels; done += length, ++first) {
    const T* from = term.start(first);
    T* to = sum + done;
    for (std::int64_t i = 0; i < length; ++i) to[i] = f(to[i], from[i]);
  }
}

template <class T>
void sum_terms(at::TensorList tensors, const at::Tensor& bias, Nonlinearity activation, const at::Tensor& y) {
  const Blocks blocks(y);
  const std::int64_t channels = blocks.channels;
  std::vector<StridedRows> kept(tensors.begin(), tensors.end());
  std::vector<Term<T>> terms;
  for (const StridedRows& rows : kept) terms.emplace_back(rows, channels);
  // The bias repeated to the size of a block: one long loop for few channels, too.
  const at::Tensor tile =
      bias.defined() ? bias.expand({std::min(blocks.block_rows, blocks.rows), channels}).contiguous() : bias;
  const T* repeated = bias.defined() ? tile.const_data_ptr<T>() : nullptr;
  blocks.for_each(y.mutable_data_ptr<T>(), should_stream(y),
                  [&](std::int64_t, std::int64_t first, std::int64_t rows, T* sum) {
                    const std::int64_t count = rows * channels;
                    combine(terms[0], first, rows, channels, sum, [](T, T term) { return term; });
                    for (std::size_t t = 1; t < terms.size(); ++t)
                      combine(terms[t], first, rows, channels, sum,
                              [](T before, T term) { return before + term; });
                    if (repeated) {
                      for (std::int64_t i = 0; i < count; ++i) sum[i] += repeated[i];
                    }
                    activate(activation, sum, count);
                  });
}

template <class T>
void backward(const at::Tensor& gradient, const at::Tensor& y, Nonlinearity activation,
              const at::Tensor& result, const at::Tensor& sums) {
  const Blocks blocks(y);
  const std::int64_t channels = blocks.channels;
  const T *g = gradient.const_data_ptr<T>(), *values = y.const_data_ptr<T>();
  std::vector<T> partial(static_cast<std::size_t>(sums.numel() > 0 ? blocks.count * channels : 0));
  blocks.for_each(result.mutable_data_ptr<T>(), should_stream(result),
                  [&](std::int64_t block, std::int64_t first, std::int64_t rows, T* d) {
                    const std::int64_t begin = first * channels;
                    multiply_slopes(activation, g + begin, values + begin, d, rows * channels);
                    if (partial.empty()) return;
                    T* sum = partial.data() + block * channels;
                    for (std::int64_t r = 0; r < rows; ++r)
                      for (std::int64_t c = 0; c < channels; ++c) sum[c] += d[r * channels + c];
                  });
  std::vector<double> total(static_cast<std::size_t>(sums.numel()));
  for (auto sum = partial.cbegin(); sum != partial.cend();)
    for (double& column : total) column += *sum++;
  std::copy(total.begin(), total.end(), sums.mutable_data_ptr<T>());
}

at::Tensor forward_cpu(at::TensorList terms, const std::optional<at::Tensor>& bias,
                       std::string_view activation) {
  const Nonlinearity chosen = check_sum_activation(terms, bias, activation);
  at::Tensor y = pooled_empty(terms[0].sizes(), terms[0].options());
  if (y.numel() == 0) return y;
  const at::Tensor added = bias.value_or(at::Tensor());
  y.scalar_type() == at::kFloat ? sum_terms<float>(terms, added, chosen, y)
                                : sum_terms<double>(terms, added, chosen, y);
  return y;
}

std::tuple<at::Tensor, at::Tensor> backward_cpu(const at::Tensor& gradient, const at::Tensor& y,
                                                std::string_view activation, bool bias) {
  const Nonlinearity chosen = check_sum_activation_backward(gradient, y, activation);
  at::Tensor result = pooled_empty(y.sizes(), y.options()),
             sums = at::zeros({bias ? y.size(-1) : 0}, y.options());
  if (y.numel() == 0) return {result, sums};
  const at::Tensor g = gradient.contiguous(), values = y.contiguous();
  y.scalar_type() == at::kFloat ? backward<float>(g, values, chosen, result, sums)
                                : backward<double>(g, values, chosen, result, sums);
  return {result, sums};
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("sum_activation", forward_cpu);
  m.impl("sum_activation_backward", backward_cpu);
}

}  // namespace gsan::ops
