// A tile of the result stays in registers while l runs: R rows of V vectors, of which every l adds one
// product of a number of a and V vectors of b.

#include "gsan/ops/cpu/matrix_kernel.h"

#include "gsan/ops/cpu/vectors.h"

namespace gsan::ops {
namespace {

template <class T, int L, int R, int V>
inline void tile(const MatrixProduct<T>& p, const T* a, const T* b, T* y) {
  using Vector = typename VectorOf<T, L>::Type;
  Vector sums[R][V];
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) sums[r][v] = p.add ? load<Vector>(y + r * p.y_row + v * L) : Vector{};
  for (std::int64_t l = 0; l < p.inner; ++l) {
    Vector values[V];
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) values[v] = load<Vector>(b + v * L);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
      const T factor = a[r * p.a_row];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) sums[r][v] += factor * values[v];
    }
    a += p.a_step, b += p.b_row;
  }
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < V; ++v) store<false>(y + r * p.y_row + v * L, sums[r][v]);
}

// All rows of the V · L columns from c on.
template <class T, int L, int V>
inline void strip(const MatrixProduct<T>& p, std::int64_t c) {
  // As many rows as the registers hold beside the vectors of b.
  constexpr int R = GSAN_VECTOR_BYTES == 64 ? 6 : V > 1 ? 3 : 6;
  std::int64_t i = 0;
  const auto at = [&]<int rows>() {
    tile<T, L, rows, V>(p, p.a + i * p.a_row, p.b + c, p.y + i * p.y_row + c);
    i += rows;
  };
  while (i + R <= p.rows) at.template operator()<R>();
  while (i + 2 <= p.rows) at.template operator()<2>();
  if (i < p.rows) at.template operator()<1>();
}

// The columns from c on that no whole register holds.
template <class T, int L>
inline void last_columns(const MatrixProduct<T>& p, std::int64_t c) {
  if (c + L <= p.columns) strip<T, L, 1>(p, c), c += L;
  if constexpr (L > 1) {
    if (c < p.columns) last_columns<T, L / 2>(p, c);
  }
}

template <class T>
void multiply(const MatrixProduct<T>& p) {
  constexpr int L = full_lanes<T>;
  std::int64_t c = 0;
  while (c + 4 * L <= p.columns) strip<T, L, 4>(p, c), c += 4 * L;
  while (c + 2 * L <= p.columns) strip<T, L, 2>(p, c), c += 2 * L;
  if (c + L <= p.columns) strip<T, L, 1>(p, c), c += L;
  if constexpr (L > 1) {
    if (c < p.columns) last_columns<T, L / 2>(p, c);
  }
}

template <class T>
constexpr MatrixKernel<T> matrix_kernel = multiply<T>;

}  // namespace

GSAN_DEFINE_KERNEL(matrix, MatrixKernel, matrix_kernel);

}  // namespace gsan::ops
