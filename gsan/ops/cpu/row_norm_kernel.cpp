// Loops over columns, which the compiler makes vectors of.

#include "gsan/ops/cpu/row_norm_kernel.h"

namespace gsan::ops {
namespace {

// f(number of x, column) for all rows.
template <class F>
inline void for_entries(std::int64_t rows, std::int64_t C, const F& f) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < C; ++c) f(r * C + c, c);
}

template <class T>
void add_rows(const T* __restrict x, std::int64_t rows, std::int64_t C, double* __restrict sums) {
  for_entries(rows, C, [&](std::int64_t i, std::int64_t c) { sums[c] += x[i]; });
}

template <class T>
void add_squares(const T* __restrict x, std::int64_t rows, std::int64_t C, const double* __restrict mean,
                 double* __restrict squares) {
  for_entries(rows, C, [&](std::int64_t i, std::int64_t c) {
    const double apart = x[i] - mean[c];
    squares[c] += apart * apart;
  });
}

template <class T>
void normalise(const T* __restrict x, std::int64_t rows, std::int64_t C, ColumnScale of,
               const T* __restrict weight, const T* __restrict bias, T* __restrict y) {
  for_entries(rows, C, [&](std::int64_t i, std::int64_t c) {
    y[i] = static_cast<T>((x[i] - of.mean[c]) * of.scale[c] * weight[c] + bias[c]);
  });
}

template <class T>
void add_gradients(const T* __restrict g, const T* __restrict x, std::int64_t rows, std::int64_t C,
                   ColumnScale of, double* __restrict of_bias, double* __restrict of_weight) {
  for_entries(rows, C, [&](std::int64_t i, std::int64_t c) {
    of_bias[c] += g[i];
    of_weight[c] += g[i] * ((x[i] - of.mean[c]) * of.scale[c]);
  });
}

template <class T>
void back(const T* __restrict g, const T* __restrict x, std::int64_t rows, std::int64_t C, ColumnScale of,
          const double* __restrict factor, const double* __restrict a, const double* __restrict b,
          T* __restrict of_x) {
  for_entries(rows, C, [&](std::int64_t i, std::int64_t c) {
    const double x_hat = (x[i] - of.mean[c]) * of.scale[c];
    of_x[i] = static_cast<T>(factor[c] * (g[i] - a[c] - x_hat * b[c]));
  });
}

template <class T>
constexpr RowNormKernels<T> row_norm_kernels = {add_rows<T>, add_squares<T>, normalise<T>, add_gradients<T>,
                                                back<T>};

}  // namespace

GSAN_DEFINE_KERNEL(row_norm, RowNormKernels, row_norm_kernels);

}  // namespace gsan::ops
