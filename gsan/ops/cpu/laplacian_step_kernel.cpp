// The end of a step (laplacian_step_kernel.h). Without contraction of products and sums, so that every build
// rounds alike.

#include "gsan/ops/cpu/laplacian_step_kernel.h"

#include "gsan/ops/cpu/signed_rows.h"

namespace gsan::ops {
namespace {

template <class T>
using StepRun = void (*)(const LaplacianStepArguments<T>&, std::int64_t begin, std::int64_t end);

// Rows begin … end − 1, already checked. W = 0: any number of faces, also none.
template <class T, int L, int P, bool stream, int W>
void run_step(const LaplacianStepArguments<T>& arguments, std::int64_t begin, std::int64_t end) {
  using V = typename VectorOf<T, L>::Type;
  const LaplacianStepArguments<T> a = arguments;
  const std::int64_t features = P ? P * L : a.features;
  const int width = W ? W : a.lower.entries ? a.lower.width : 0;
  const T odd = a.absolute ? T(1) : T(-1), signs[2] = {1, odd};
  for (std::int64_t i = begin; i < end; ++i) {
    const TableRow<T, W> faces{a.lower.entries + i * width, width, odd};
    ListRow<T> cofaces{nullptr, nullptr, 0, signs};
    if (a.upper.entries) {
      const std::int64_t first = a.upper.offsets[i];
      cofaces = {a.upper.entries + first, a.upper.columns + first, a.upper.offsets[i + 1] - first, signs};
    }
    const T alpha = a.row_alpha ? a.alpha * a.row_alpha[i] : a.alpha;
    const T beta = a.row_beta ? a.beta * a.row_beta[i] : a.beta;
    for_pieces<L, P, stream>(features, [&]<int Q, bool past_caches>(std::int64_t at) {
      V sum[Q] = {};
      if (width > 0) add_pieces<T, L, Q>(faces, a.lower.x + at, a.lower.x_stride, sum);
      if (cofaces.size > 0) add_pieces<T, L, Q>(cofaces, a.upper.x + at, a.upper.x_stride, sum);
      for (int p = 0; p < Q; ++p) sum[p] *= beta;
      if (a.x) {
        for (int p = 0; p < Q; ++p) sum[p] = load<V>(a.x + i * a.x_stride + at + p * L) * alpha + sum[p];
      }
      if (a.base) {
        for (int p = 0; p < Q; ++p) sum[p] = load<V>(a.base + i * a.base_stride + at + p * L) + sum[p];
      }
      for (int p = 0; p < Q; ++p) store<past_caches>(a.y + i * features + at + p * L, sum[p]);
    });
  }
}

template <class T, int L, int P, bool stream>
StepRun<T> choose_step_width(const LaplacianStepArguments<T>& a) {
  const int width = a.lower.entries ? a.lower.width : 0;
  if (width == 2) return run_step<T, L, P, stream, 2>;
  if (width == 3) return run_step<T, L, P, stream, 3>;
  return run_step<T, L, P, stream, 0>;
}

template <class T, int L, int P>
StepRun<T> choose_step_store(const LaplacianStepArguments<T>& a) {
  if constexpr (L * sizeof(T) == GSAN_VECTOR_BYTES) {
    if (a.stream) return choose_step_width<T, L, P, true>(a);
  }
  return choose_step_width<T, L, P, false>(a);
}

template <class T, int L = GSAN_VECTOR_BYTES / sizeof(T)>
StepRun<T> choose_step(const LaplacianStepArguments<T>& a) {
  if constexpr (L > 1) {
    if (a.features < L) return choose_step<T, L / 2>(a);
  }
  if constexpr (L * sizeof(T) == GSAN_VECTOR_BYTES) {
    if (a.features == L) return choose_step_store<T, L, 1>(a);
    if (a.features == 2 * L) return choose_step_store<T, L, 2>(a);
    if (a.features == 4 * L) return choose_step_store<T, L, 4>(a);
  }
  return choose_step_store<T, L, 0>(a);
}

template <class T>
bool laplacian_step_rows(const LaplacianStepArguments<T>& a, std::int64_t begin, std::int64_t end) {
  const StepRun<T> run = choose_step<T>(a);
  bool fine = true;
  for (std::int64_t block = begin; fine && block < end; block += block_rows) {
    const std::int64_t stop = block + block_rows < end ? block + block_rows : end;
    fine = (!a.lower.entries || in_range(a.lower, block, stop)) &&
           (!a.upper.entries || in_range(a.upper, block, stop));
    if (fine) run(a, block, stop);
  }
  if (a.stream) finish_streaming();
  return fine;
}

}  // namespace

GSAN_DEFINE_KERNEL(laplacian_step, LaplacianStepKernel, laplacian_step_rows);

}  // namespace gsan::ops
