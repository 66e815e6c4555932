#include "gsan/hodge/solve/boundary_projector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"

namespace gsan {
namespace {

using Block = std::vector<double>;  // [rows, width]

constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
constexpr double graph_share = 0.5;  // of the incidences: enough for multigrid to pay
constexpr int max_passes = 30;
// Tᵀ T c = x makes c as large as x / λ_min and loses as many digits; so the inverse form asks
// for a few digits in a few steps and starts each pass from the residual of the potential T c.
constexpr double inverse_gain = 1e-3;
constexpr int inverse_steps = 40;

std::size_t block_size(Index rows, int width) { return static_cast<std::size_t>(rows) * width; }

Scalars norms(const Block& x, int width) {
  return with_width(width, [&](auto constant) {
    constexpr int w = constant;
    Scalars sums = sum_rows<w, 1>(static_cast<std::int64_t>(x.size()) / w, [&](std::int64_t i, auto& sum) {
      for (int c = 0; c < w; ++c) sum[0][c] += x[i * w + c] * x[i * w + c];
    })[0];
    for (double& sum : sums) sum = std::sqrt(sum);
    return sums;
  });
}

// f(i) for every entry of a block.
template <class F>
void for_entries(const Block& block, const F& f) {
  for_rows(static_cast<std::int64_t>(block.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) f(i);
  });
}

void clear_column(Block& x, int width, int c) {
  for (std::size_t i = c; i < x.size(); i += width) x[i] = 0.0;
}

// A few columns of a row-major table, each scaled by a power of two to entries near 1, so
// that no square overflows or vanishes.
class ScaledColumns {
 public:
  ScaledColumns(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t first)
      : columns_(columns),
        first_(first),
        count_(static_cast<int>(std::min<std::int64_t>(max_width, columns - first))) {
    Scalars largest{};
    for (std::int64_t i = 0; i < rows; ++i) {
      for (int c = 0; c < count_; ++c)
        largest[c] = std::max(largest[c], std::abs(table[i * columns + first + c]));
    }
    Scalars inverse{};
    for (int c = 0; c < count_; ++c) {
      const int exponent = largest[c] > 0 ? std::clamp(std::ilogb(largest[c]), -1000, 1000) : 0;
      scale_[c] = std::ldexp(1.0, exponent);
      inverse[c] = std::ldexp(1.0, -exponent);
    }
    values_.assign(static_cast<std::size_t>(rows) * width(), 0.0);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (int c = 0; c < count_; ++c) values_[i * width() + c] = table[i * columns + first + c] * inverse[c];
    }
  }

  int width() const { return block_width(count_); }
  const Block& values() const { return values_; }

  void write(const Block& block, double* table) const {
    const std::int64_t rows = static_cast<std::int64_t>(block.size()) / width();
    for (std::int64_t i = 0; i < rows; ++i) {
      for (int c = 0; c < count_; ++c) table[i * columns_ + first_ + c] = block[i * width() + c] * scale_[c];
    }
  }

 private:
  std::int64_t columns_, first_;
  int count_;
  Scalars scale_{};
  Block values_;
};

enum class Form { direct, inverse };

// One block of columns. Solves for corrections until the residual, computed afresh from the
// potential, is small enough.
class Projection {
 public:
  Projection(const GramSystem& system, Form form, const Block& x, int width)
      : system_(system), form_(form), x_(x), width_(width) {
    const SignedLists& T = system.T();
    residual_.resize(block_size(T.rows, width));
    between_.resize(block_size(T.columns, width));
    if (form == Form::direct) {
      T.multiply(x.data(), residual_.data(), width);
      scale_ = norms(residual_, width);
    } else {
      residual_ = x;
      system.remove_kernel(width, residual_.data());
      scale_ = norms(x, width);
    }
    x_norm_ = norms(x, width);
    potential_.assign(form == Form::direct ? residual_.size() : between_.size(), 0.0);
    part_.assign(x.size(), 0.0);
  }

  Convergence run(const SolverOptions& options) {
    Convergence reached;
    Scalars error{};
    Block correction(residual_.size());
    for (int pass = 0;; ++pass) {
      const Scalars residual = norms(residual_, width_);
      if (form_ == Form::inverse) error = residual;
      SolveTargets targets = targets_for(options.tolerance);
      bool done = true;
      reached.residual = reached.error = 0;
      for (int c = 0; c < width_; ++c) {
        if (scale_[c] > 0) reached.residual = std::max(reached.residual, residual[c] / scale_[c]);
        if (x_norm_[c] > 0) reached.error = std::max(reached.error, error[c] / x_norm_[c]);
        // Before the first pass the error is not known, but only rounding is that small.
        const bool column_done = residual[c] <= targets.residual[c] && error[c] <= targets.error[c];
        if (column_done) clear_column(residual_, width_, c);
        done = done && column_done;
        targets.residual[c] /= 2;
        targets.error[c] /= 2;
        if (form_ == Form::inverse)
          targets.residual[c] = std::max(targets.residual[c], inverse_gain * residual[c]);
      }
      if (done) return reached;
      const int left = options.max_iterations - reached.iterations;
      if (left <= 0 || pass == max_passes) {
        fail(Fault::numeric, "hodge decomposition: no convergence after ", reached.iterations,
             " iterations: residual ", reached.residual, ", tolerance ", options.tolerance,
             "; raise max_iterations (", options.max_iterations, ") or the tolerance");
      }
      const int steps = form_ == Form::inverse ? std::min(left, inverse_steps) : left;
      const SolveReport report = system_.solve(width_, residual_.data(), correction.data(), targets, steps);
      reached.iterations += report.iterations;
      error = report.error;
      correct_by(correction);
    }
  }

  const Block& part() const { return part_; }
  const Block& potential() const { return potential_; }

 private:
  // Rounding in the sums behind the residual bounds what can be asked for.
  SolveTargets targets_for(double tolerance) const {
    const Scalars potential = norms(potential_, width_);
    const double stretch = std::sqrt(system_.bound());  // ≥ |T|
    SolveTargets targets;
    for (int c = 0; c < width_; ++c) {
      const double noise = rounding * (x_norm_[c] + stretch * potential[c]);
      targets.residual[c] = std::max(tolerance * scale_[c], form_ == Form::direct ? stretch * noise : noise);
      targets.error[c] = std::max(tolerance * x_norm_[c], noise);
    }
    return targets;
  }

  void correct_by(const Block& correction) {
    const SignedLists &T = system_.T(), &transposed = system_.transposed();
    if (form_ == Form::direct) {
      for_entries(potential_, [&](std::int64_t i) { potential_[i] += correction[i]; });
      transposed.multiply(potential_.data(), part_.data(), width_);
      for_entries(between_, [&](std::int64_t i) { between_[i] = x_[i] - part_[i]; });
      T.multiply(between_.data(), residual_.data(), width_);
    } else {
      transposed.multiply(correction.data(), between_.data(), width_);
      for_entries(potential_, [&](std::int64_t i) { potential_[i] += between_[i]; });
      T.multiply(potential_.data(), part_.data(), width_);
      for_entries(residual_, [&](std::int64_t i) { residual_[i] = x_[i] - part_[i]; });
      system_.remove_kernel(width_, residual_.data());
    }
  }

  const GramSystem& system_;
  Form form_;
  const Block& x_;
  int width_;
  Block residual_;  // [rows of T]
  Block between_;   // [columns of T]
  Block part_, potential_;
  Scalars scale_{}, x_norm_{};  // what the residual and the error are relative to
};

// The share of the incidences that lie in rows of `stars` with at most two entries.
double share_in_graph(const SignedLists& stars) {
  double inside = 0;
  for (Index i = 0; i < stars.rows; ++i) inside += stars.size(i) <= 2 ? stars.size(i) : 0;
  return stars.indices.empty() ? 0 : inside / static_cast<double>(stars.indices.size());
}

}  // namespace

void SolverOptions::validate() const {
  std::string faults;
  if (!(tolerance > 0 && tolerance < 1)) faults += concat("; tolerance must lie in (0, 1), got ", tolerance);
  if (max_iterations < 1) faults += concat("; max_iterations must be at least 1, got ", max_iterations);
  GSAN_CHECK(faults.empty(), "SolverOptions: ", faults.substr(2));
}

struct BoundaryProjector::Plan {
  Plan(SimplicialComplex complex_in, int j)
      : complex(std::move(complex_in)),
        boundary(boundary_lists(complex, j)),
        coboundary(coboundary_lists(complex, j)) {
    const double share = j == 1 ? 0.0 : share_in_graph(boundary);
    if (j == 1) {
      gradients = {Product::lower, Form::direct, Preconditioner::multigrid};
      curls = {Product::lower, Form::inverse, Preconditioner::multigrid};
    } else if (share >= graph_share) {
      curls = {Product::upper, Form::direct, Preconditioner::multigrid};
      if (share == 1.0) gradients = {Product::upper, Form::inverse, Preconditioner::multigrid};
    }
  }

  enum class Product { lower, upper };  // B_j B_jᵀ on order j − 1, B_jᵀ B_j on order j
  struct Way {
    Product product;
    Form form;
    Preconditioner preconditioner;
  };

  const GramSystem& system(const Way& way) {
    Lazy& lazy = way.product == Product::lower ? lower : upper;
    std::call_once(lazy.once, [&] {
      const LongWork work("grids of the solver");
      lazy.system = way.product == Product::lower
                        ? std::make_unique<GramSystem>(boundary, coboundary, way.preconditioner)
                        : std::make_unique<GramSystem>(coboundary, boundary, way.preconditioner);
    });
    return *lazy.system;
  }

  Convergence project(const Way& way, const double* x, std::int64_t columns, double* part, double* potential,
                      const SolverOptions& options) {
    options.validate();
    Convergence worst;
    if (columns == 0) return worst;
    const GramSystem& solver = system(way);
    const Index rows = way.form == Form::direct ? solver.T().columns : solver.T().rows;
    for (std::int64_t first = 0; first < columns; first += max_width) {
      const ScaledColumns block(x, rows, columns, first);
      Projection projection(solver, way.form, block.values(), block.width());
      const Convergence reached = projection.run(options);
      block.write(projection.part(), part);
      block.write(projection.potential(), potential);
      worst.iterations = std::max(worst.iterations, reached.iterations);
      worst.residual = std::max(worst.residual, reached.residual);
      worst.error = std::max(worst.error, reached.error);
    }
    return worst;
  }

  struct Lazy {
    std::once_flag once;
    std::unique_ptr<GramSystem> system;
  };
  SimplicialComplex complex;  // owns what the lists view
  SignedLists boundary, coboundary;
  Way gradients = {Product::lower, Form::direct, Preconditioner::jacobi};
  Way curls = {Product::upper, Form::direct, Preconditioner::jacobi};
  Lazy lower, upper;
};

BoundaryProjector::BoundaryProjector(SimplicialComplex complex, int j) {
  GSAN_CHECK(j >= 1 && j <= complex.order(), "BoundaryProjector: the complex has boundary operators 1 ... ",
             complex.order(), ", got j = ", j);
  plan_ = std::make_unique<Plan>(std::move(complex), j);
}

BoundaryProjector::~BoundaryProjector() = default;

Convergence BoundaryProjector::gradients(const double* x, std::int64_t columns, double* part,
                                         double* potential, const SolverOptions& options) const {
  return plan_->project(plan_->gradients, x, columns, part, potential, options);
}

Convergence BoundaryProjector::curls(const double* x, std::int64_t columns, double* part, double* potential,
                                     const SolverOptions& options) const {
  return plan_->project(plan_->curls, x, columns, part, potential, options);
}

Preconditioner BoundaryProjector::gradient_preconditioner() const { return plan_->gradients.preconditioner; }
Preconditioner BoundaryProjector::curl_preconditioner() const { return plan_->curls.preconditioner; }

}  // namespace gsan
