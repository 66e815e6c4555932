#include "gsan/hodge/solve/conjugate_gradients.h"

#include <cmath>
#include <vector>

#include "gsan/core/long_work.h"

namespace gsan {
namespace {

// The tridiagonal matrix of the Lanczos process behind conjugate gradients, from the step
// lengths α_i and the direction updates β_i of one column.
class RitzValues {
 public:
  void add_step(double alpha) {
    diagonal_.push_back(1 / alpha + carried_);
    alpha_ = alpha;
  }
  void add_direction(double beta) {
    const double positive = std::max(beta, 0.0);
    off_diagonal_squared_.push_back(positive / (alpha_ * alpha_));
    carried_ = positive / alpha_;
  }

  /// Within one percent, by bisection on the logarithm.
  double smallest() const {
    double high = diagonal_[0];
    for (const double d : diagonal_) high = std::min(high, d);
    double low = high * 1e-14;
    while (high > 1.01 * low) {
      const double middle = std::sqrt(low * high);
      (has_value_below(middle) ? high : low) = middle;
    }
    return high;
  }

 private:
  bool has_value_below(double shift) const {
    double pivot =
        diagonal_[0] - shift;  // a pivot of the shifted matrix is negative iff there is such a value
    for (std::size_t i = 1; i < diagonal_.size() && pivot > 0; ++i) {
      pivot = diagonal_[i] - shift - off_diagonal_squared_[i - 1] / pivot;
    }
    return !(pivot > 0);
  }

  std::vector<double> diagonal_, off_diagonal_squared_;
  double carried_ = 0, alpha_ = 1;
};

template <int W>
class Solver {
 public:
  Solver(const LinearSystem& system, double* r, double* x)
      : system_(system), r_(r), x_(x), z_(length()), p_(length()), q_(length()), ritz_(W) {}

  SolveReport run(const SolveTargets& targets, int max_iterations) {
    std::fill(x_, x_ + length(), 0.0);
    const auto [start] = sum_rows<W, 1>(system_.size, [&](std::int64_t i, auto& sums) {
      for (int c = 0; c < W; ++c) sums[0][c] += r_[i * W + c] * r_[i * W + c];
    });
    Scalars rr = start, rz{}, alpha{}, beta{};
    std::array<bool, W> active;
    active.fill(true);
    LongWork work("potentials", 1);
    for (int& steps = report_.iterations;; ++steps) {
      bool any = false;
      for (int c = 0; c < W; ++c) {
        report_.residual[c] = std::sqrt(rr[c]);
        active[c] = active[c] && rr[c] > 0;
        any |= active[c];
      }
      if (!any) break;
      work.reach(share_done(start, rr, targets));
      system_.precondition(r_, z_.data());
      const auto [new_rz, zq] = sum_rows<W, 2>(system_.size, [&](std::int64_t i, auto& sums) {
        for (int c = 0; c < W; ++c) {
          sums[0][c] += r_[i * W + c] * z_[i * W + c];
          sums[1][c] += z_[i * W + c] * q_[i * W + c];
        }
      });
      any = false;
      for (int c = 0; c < W; ++c) {
        if (!active[c]) continue;
        beta[c] = steps == 0 ? 0.0 : -alpha[c] * zq[c] / rz[c];
        if (steps > 0) ritz_[c].add_direction(beta[c]);
        rz[c] = new_rz[c];
        active[c] = rz[c] > 0 && steps < max_iterations && !reached(c, targets, rz[c], steps);
        any |= active[c];
      }
      if (!any) break;
      for_rows(system_.size, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          for (int c = 0; c < W; ++c) p_[i * W + c] = z_[i * W + c] + beta[c] * p_[i * W + c];
        }
      });
      const Scalars pq = system_.multiply(p_.data(), q_.data());
      for (int c = 0; c < W; ++c) {
        active[c] = active[c] && pq[c] > 0;
        alpha[c] = active[c] ? rz[c] / pq[c] : 0.0;
        if (active[c]) ritz_[c].add_step(alpha[c]);
      }
      const auto [new_rr] = sum_rows<W, 1>(system_.size, [&](std::int64_t i, auto& sums) {
        for (int c = 0; c < W; ++c) {
          x_[i * W + c] += alpha[c] * p_[i * W + c];
          r_[i * W + c] -= alpha[c] * q_[i * W + c];
          sums[0][c] += r_[i * W + c] * r_[i * W + c];
        }
      });
      rr = new_rr;
    }
    return report_;
  }

 private:
  // Of the digits that the slowest column must gain.
  static double share_done(const Scalars& start, const Scalars& rr, const SolveTargets& targets) {
    double share = 1;
    for (int c = 0; c < W; ++c) {
      const double wanted = std::log(start[c]) - 2 * std::log(targets.residual[c]);
      if (rr[c] > 0 && wanted > 0) share = std::min(share, (std::log(start[c]) - std::log(rr[c])) / wanted);
    }
    return share;
  }

  std::size_t length() const { return static_cast<std::size_t>(system_.size) * W; }

  // Ritz values are worth their price only once the residual is small enough.
  bool reached(int c, const SolveTargets& targets, double rz, int steps) {
    if (steps == 0 || report_.residual[c] > targets.residual[c]) return false;
    report_.error[c] = std::sqrt(rz / ritz_[c].smallest());
    return report_.error[c] <= targets.error[c];
  }

  const LinearSystem& system_;
  double *r_, *x_;
  std::vector<double> z_, p_, q_;
  std::vector<RitzValues> ritz_;
  SolveReport report_;
};

}  // namespace

SolveReport conjugate_gradients(const LinearSystem& system, int width, double* r, double* x,
                                const SolveTargets& targets, int max_iterations) {
  return with_width(width, [&](auto constant) {
    constexpr int w = constant;
    return Solver<w>(system, r, x).run(targets, max_iterations);
  });
}

}  // namespace gsan
