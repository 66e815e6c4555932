#include "gsan/hodge/solve/multigrid.h"

#include <utility>

namespace gsan {
namespace {

constexpr int group_size = 4;
constexpr Index dense_size = 64;        // at most: the coarsest level
constexpr double least_gain = 0.9;      // stop coarsening when more than this share of the rows would remain
constexpr double enough = 0.25 * 0.25;  // one step on a coarse level will do when it reduces |r|² to this

}  // namespace

Multigrid::Multigrid(PairMatrix matrix) {
  levels_.push_back({BlockGaussSeidel(std::move(matrix)), {}});
  while (levels_.back().smoother.size() > dense_size) {
    const PairMatrix& A = levels_.back().smoother.matrix();
    Aggregation down = aggregate(A, group_size);
    if (down.groups() > least_gain * A.size()) return;
    PairMatrix coarse = coarse_matrix(A, down);
    levels_.back().down = std::move(down);
    levels_.push_back({BlockGaussSeidel(std::move(coarse)), {}});
  }
  dense_ = true;
  coarsest_ = SemidefiniteFactor(levels_.back().smoother.matrix());
}

Multigrid::Workspace::Workspace(const Multigrid& multigrid, int width)
    : width_(width), levels_(multigrid.levels_.size()) {
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const BlockGaussSeidel& smoother = multigrid.levels_[l].smoother;
    const auto size = static_cast<std::size_t>(smoother.size()) * width;
    if (smoother.has_blocks()) levels_[l].scratch.resize(size);
    if (l == 0) continue;  // the caller brings r and x
    for (auto* vector : {&levels_[l].x, &levels_[l].r}) vector->resize(size);
    if (l + 1 == levels_.size()) continue;
    for (auto* vector : {&levels_[l].z, &levels_[l].v, &levels_[l].rest}) vector->resize(size);
  }
}

void Multigrid::cycle(std::size_t level, const double* r, double* x, Workspace& workspace) const {
  const int width = workspace.width_;
  const bool last = level + 1 == levels_.size();
  if (last && dense_) return coarsest_.solve(r, x, width);
  const auto& [smoother, down] = levels_[level];
  smoother.forward_from_zero(r, x, width);
  if (!last) {
    auto& next = workspace.levels_[level + 1];
    smoother.restrict_residual(down, x, next.r.data(), width);
    solve_coarse(level + 1, workspace);
    with_width(width, [&](auto constant) {
      constexpr int w = constant;
      for_rows(smoother.size(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          if (down.group[i] == Aggregation::none) continue;
          const double* from = next.x.data() + std::int64_t{down.group[i]} * w;
          for (int c = 0; c < w; ++c) x[i * w + c] += down.sign[i] * from[c];
        }
      });
    });
  }
  smoother.backward(r, x, workspace.levels_[level].scratch.data(), width);
}

// x of this level ≈ A⁺ r: the best combination of x = M(r) and z = M(rest), where rest is
// what the best multiple of x leaves of r.
void Multigrid::solve_coarse(std::size_t level, Workspace& workspace) const {
  auto& at = workspace.levels_[level];
  double *x = at.x.data(), *z = at.z.data(), *v = at.v.data(), *rest = at.rest.data();
  const double* r = at.r.data();
  cycle(level, r, x, workspace);
  if (level + 1 == levels_.size()) return;
  const BlockGaussSeidel& A = levels_[level].smoother;
  with_width(workspace.width_, [&](auto constant) {
    constexpr int w = constant;
    const Scalars xAx = A.multiply(x, v, w);
    const auto [xr, rr] = sum_rows<w, 2>(A.size(), [&](std::int64_t i, auto& sums) {
      for (int c = 0; c < w; ++c) {
        sums[0][c] += x[i * w + c] * r[i * w + c];
        sums[1][c] += r[i * w + c] * r[i * w + c];
      }
    });
    Scalars first{}, second{};
    for (int c = 0; c < w; ++c) first[c] = xAx[c] > 0 ? xr[c] / xAx[c] : 0.0;
    const auto [left] = sum_rows<w, 1>(A.size(), [&](std::int64_t i, auto& sums) {
      for (int c = 0; c < w; ++c) {
        rest[i * w + c] = r[i * w + c] - first[c] * v[i * w + c];
        sums[0][c] += rest[i * w + c] * rest[i * w + c];
      }
    });
    std::array<bool, w> again;
    bool any = false;
    for (int c = 0; c < w; ++c) any |= again[c] = left[c] > enough * rr[c];
    if (any) {
      cycle(level, rest, z, workspace);
      const auto [zv, z_rest] = sum_rows<w, 2>(A.size(), [&](std::int64_t i, auto& sums) {
        for (int c = 0; c < w; ++c) {
          sums[0][c] += z[i * w + c] * v[i * w + c];
          sums[1][c] += z[i * w + c] * rest[i * w + c];
        }
      });
      const Scalars zAz = A.multiply(z, rest, w);
      for (int c = 0; c < w; ++c) {
        // z, made A-orthogonal to x.
        const double energy = xAx[c] > 0 ? zAz[c] - zv[c] * zv[c] / xAx[c] : 0.0;
        if (!again[c] || !(energy > 0)) continue;
        second[c] = z_rest[c] / energy;
        first[c] -= second[c] * zv[c] / xAx[c];
      }
    }
    for_rows(A.size(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        for (int c = 0; c < w; ++c)
          x[i * w + c] = first[c] * x[i * w + c] + (any ? second[c] * z[i * w + c] : 0.0);
      }
    });
  });
}

}  // namespace gsan
