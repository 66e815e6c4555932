// Kernels that share their rows among threads, under ThreadSanitizer: no row is written by two, and the
// result has the bits of one thread.

#include <vector>

#include <gtest/gtest.h>

#include "gsan/ops/cpu/incidence_kernel.h"
#include "gsan/ops/cpu/laplacian_step_kernel.h"
#include "gsan/ops/cpu/row_ranges.h"
#include "gsan/topology/clique_complex.h"

namespace gsan::ops {
namespace {

constexpr std::int64_t features = 64;

SimplicialComplex sample() {
  std::vector<Edge> edges;
  constexpr int vertices = 60;
  for (int i = 0; i < vertices; ++i)
    for (int j = i + 1; j < vertices; ++j)
      if ((i * 31 + j * 17) % 3 != 0) edges.push_back({i, j});
  return clique_complex(edges, vertices, 2);
}

template <class T>
std::vector<T> signal(Index rows) {
  std::vector<T> x(static_cast<std::size_t>(rows) * features);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(i % 97) - T(48.5);
  return x;
}

// Bᵀ x by the table of faces, B x by the lists of cofaces.
template <class T>
SignedRows<T> rows_of(const SimplicialComplex& complex, int k, bool of_faces, const std::vector<T>& x) {
  if (of_faces)
    return {x.data(),
            complex.count(k - 1),
            features,
            complex.face_table(k).data(),
            std::ssize(complex.face_table(k)),
            nullptr,
            nullptr,
            k + 1,
            false};
  return {x.data(),
          complex.count(k + 1),
          features,
          complex.coface_table(k).data(),
          std::ssize(complex.coface_table(k)),
          complex.coface_offsets(k).data(),
          complex.coface_columns(k).data(),
          k + 2,
          false};
}

template <class T>
void expect_same_bits_by_threads(int k, bool of_faces) {
  const SimplicialComplex complex = sample();
  const std::vector<T> x = signal<T>(complex.count(of_faces ? k - 1 : k + 1));
  const Index rows = complex.count(k);
  std::vector<T> alone(static_cast<std::size_t>(rows) * features), shared(alone.size());
  IncidenceArguments<T> call{rows_of(complex, k, of_faces, x), alone.data(), rows, features, false};
  IncidenceKernel<T> kernel;
  if constexpr (std::is_same_v<T, float>)
    kernel = incidence_portable.of_float;
  else
    kernel = incidence_portable.of_double;
  ASSERT_TRUE(kernel(call, 0, rows));
  call.y = shared.data();
  ASSERT_TRUE(share_rows(
      1, rows, features, [](std::int64_t row) { return row; },
      [&](std::int64_t, std::int64_t from, std::int64_t to) { return kernel(call, from, to); }));
  EXPECT_EQ(alone, shared);
}

TEST(KernelsByThreads, IncidenceProducts) {
  for (int round = 0; round < 20; ++round) {
    expect_same_bits_by_threads<float>(1, true);
    expect_same_bits_by_threads<float>(1, false);
    expect_same_bits_by_threads<double>(2, true);
  }
}

TEST(KernelsByThreads, AStepWithALaplacian) {
  const SimplicialComplex complex = sample();
  const Index rows = complex.count(1);
  const std::vector<float> x = signal<float>(rows), below = signal<float>(complex.count(0)),
                           above = signal<float>(complex.count(2));
  std::vector<float> alone(x.size()), shared(x.size());
  LaplacianStepArguments<float> call{rows_of(complex, 1, true, below),
                                     rows_of(complex, 1, false, above),
                                     x.data(),
                                     features,
                                     nullptr,
                                     0,
                                     0.5f,
                                     2.0f,
                                     nullptr,
                                     nullptr,
                                     alone.data(),
                                     rows,
                                     features,
                                     false,
                                     false};
  ASSERT_TRUE(laplacian_step_portable.of_float(call, 0, rows));
  call.y = shared.data();
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(share_rows(
        1, rows, features, [](std::int64_t row) { return row; },
        [&](std::int64_t, std::int64_t from, std::int64_t to) {
          return laplacian_step_portable.of_float(call, from, to);
        }));
    EXPECT_EQ(alone, shared);
  }
}

}  // namespace
}  // namespace gsan::ops
