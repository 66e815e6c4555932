#include "gsan/hodge/solve/gram_system.h"

#include <algorithm>

namespace gsan {
namespace {

// Longer columns of T enter the preconditioner by their diagonal only: their pairs would
// be quadratic in their length. The operator itself always is all of T Tᵀ.
constexpr Index column_cap = 8;

Scalars dot(Index rows, int width, const double* x, const double* y) {
  return with_width(width, [&](auto constant) {
    constexpr int w = constant;
    return sum_rows<w, 1>(rows, [&](std::int64_t i, auto& sums) {
      for (int c = 0; c < w; ++c) sums[0][c] += x[i * w + c] * y[i * w + c];
    })[0];
  });
}

}  // namespace

GramSystem::GramSystem(const SignedLists& T, const SignedLists& transposed, Preconditioner preconditioner)
    : T_(T), transposed_(transposed), lists_(std::in_place, T, transposed) {
  order_ = lists_->take_row_order();
  const SignedLists &rows = lists_->lists(), &columns = lists_->transposed();
  Index longest = 0;
  for (Index i = 0; i < columns.rows; ++i) longest = std::max(longest, columns.size(i));
  for (Index i = 0; i < rows.rows; ++i) {
    double sum = 0;
    for (Offset e = rows.begin(i); e < rows.end(i); ++e) sum += columns.size(rows.indices[e]);
    bound_ = std::max(bound_, sum);
  }
  if (preconditioner == Preconditioner::jacobi) return;
  multigrid_.emplace(pair_matrix(rows, columns, column_cap));
  if (longest <= column_cap) lists_.reset();
}

SolveReport GramSystem::solve(int width, const double* r, double* x, const SolveTargets& targets,
                              int max_iterations) const {
  const Index size = T_.rows;
  std::vector<double> ordered_r(static_cast<std::size_t>(size) * width), ordered_x(ordered_r.size()), between;
  for_rows(size, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::copy_n(r + std::int64_t{order_[i]} * width, width, ordered_r.data() + i * width);
    }
  });
  LinearSystem system;
  system.size = size;
  if (lists_) {
    between.resize(static_cast<std::size_t>(T_.columns) * width);
    system.multiply = [&](const double* p, double* q) {
      lists_->transposed().multiply(p, between.data(), width);
      lists_->lists().multiply(between.data(), q, width);
      return dot(size, width, p, q);
    };
  } else {
    system.multiply = [&](const double* p, double* q) { return multigrid_->finest().multiply(p, q, width); };
  }
  std::optional<Multigrid::Workspace> workspace;
  if (multigrid_) {
    workspace.emplace(*multigrid_, width);
    system.precondition = [&](const double* from, double* z) { multigrid_->cycle(from, z, *workspace); };
  } else {
    system.precondition = [&](const double* from, double* z) {
      for_rows(size, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Index diagonal = lists_->lists().size(static_cast<Index>(i));
          for (int c = 0; c < width; ++c)
            z[i * width + c] = diagonal > 0 ? from[i * width + c] / diagonal : 0.0;
        }
      });
    };
  }
  const SolveReport report =
      conjugate_gradients(system, width, ordered_r.data(), ordered_x.data(), targets, max_iterations);
  for_rows(size, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::copy_n(ordered_x.data() + i * width, width, x + std::int64_t{order_[i]} * width);
    }
  });
  return report;
}

void GramSystem::remove_kernel(int width, double* x) const {
  std::call_once(kernel_once_, [&] { kernel_ = gauge_kernel(multigrid_->finest().matrix()); });
  std::vector<double> sums(kernel_.squared_norm.size() * width, 0.0);
  const auto for_support = [&](const auto& f) {
    for (Index i = 0; i < T_.rows; ++i) {
      if (kernel_.vector_of[i] == GaugeKernel::none) continue;
      double* row = x + std::int64_t{order_[i]} * width;
      double* sum = sums.data() + std::int64_t{kernel_.vector_of[i]} * width;
      for (int c = 0; c < width; ++c) f(row[c], kernel_.sign[i], sum[c]);
    }
  };
  for_support([](double entry, int sign, double& sum) { sum += sign * entry; });
  for (std::size_t s = 0; s < sums.size(); ++s) sums[s] /= kernel_.squared_norm[s / width];
  for_support([](double& entry, int sign, double mean) { entry -= sign * mean; });
}

}  // namespace gsan
