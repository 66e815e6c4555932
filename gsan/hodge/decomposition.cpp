#include "gsan/hodge/decomposition.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"

namespace gsan {
namespace {

// [..., N, F] → contiguous float64 [N, columns] on the CPU, a column for each signal and feature.
Tensor to_columns(const Tensor& x) {
  const Tensor rows_first = x.detach().to(torch::kCPU, torch::kFloat64).movedim(-2, 0);
  std::int64_t columns = 1;
  for (const auto size : rows_first.sizes().slice(1)) columns *= size;
  return rows_first.reshape({rows_first.size(0), columns}).contiguous();
}

// The way back, for a table with other rows, into the type and device of `like`.
Tensor from_columns(const Tensor& columns, const Tensor& like) {
  auto sizes = like.sizes().vec();
  sizes.erase(sizes.end() - 2);
  sizes.insert(sizes.begin(), columns.size(0));
  return columns.reshape(sizes).movedim(0, -2).to(like.options().requires_grad(false)).contiguous();
}

void check_signal(const SimplicialComplex& complex, int k, const Tensor& x) {
  GSAN_CHECK(k >= 0 && k <= std::max(complex.order(), 0), "hodge_decomposition: the complex has order ",
             complex.order(), ", got a signal on order ", k);
  GSAN_CHECK(x.defined(), "hodge_decomposition: the signal on order ", k, " is undefined");
  GSAN_CHECK(x.scalar_type() == torch::kFloat32 || x.scalar_type() == torch::kFloat64,
             "hodge_decomposition: a signal is float32 or float64, got ", x.scalar_type());
  GSAN_CHECK(x.dim() >= 2 && x.size(-2) == complex.count(k), "hodge_decomposition: a signal on order ", k,
             " is [..., ", complex.count(k), ", F], one row for each simplex, got ", x.sizes());
}

void check_finite(int k, const Tensor& columns) {
  if (torch::isfinite(columns).all().item<bool>()) return;
  const Tensor first = torch::nonzero(torch::isfinite(columns).logical_not())[0];
  const auto row = first[0].item<std::int64_t>(), column = first[1].item<std::int64_t>();
  GSAN_CHECK(false, "hodge_decomposition: the signal on order ", k, " has ",
             columns[row][column].item<double>(), " in row ", row, ", column ", column,
             "; every entry must be finite");
}

// Σ over rows of x², back to the leading dimensions and F.
Tensor energy(const Tensor& columns, const Tensor& like) {
  auto sizes = like.sizes().vec();
  sizes.erase(sizes.end() - 2);
  return columns.square().sum(0).reshape(sizes);
}

void check_component(const char* who, std::size_t orders, int j) {
  GSAN_CHECK(j >= 1 && j < static_cast<int>(orders), who, ": the components are 1 ... ",
             static_cast<int>(orders) - 1, ", got j = ", j);
}

}  // namespace

struct HodgeSolver::Projectors {
  struct Lazy {
    std::once_flag once;
    std::unique_ptr<BoundaryProjector> projector;
  };
  explicit Projectors(const SimplicialComplex& of) : complex(of), lazy(std::max(of.order(), 0) + 1) {}
  SimplicialComplex complex;
  std::vector<Lazy> lazy;  // by j; 0 stays empty
};

HodgeSolver::HodgeSolver(const ComplexOperators& operators, SolverOptions options)
    : options_(options), projectors_(std::make_unique<Projectors>(operators.complex())) {
  options.validate();
  GSAN_CHECK(
      !operators.is_oriented(),
      "HodgeSolver: works with the signs of the complex, got re-oriented operators; re-orient its parts");
  GSAN_CHECK(!operators.is_arranged(),
             "HodgeSolver: works in the order of the complex, got arranged operators; give it those that "
             "they were made of");
  GSAN_CHECK(!operators.is_absolute(),
             "HodgeSolver: operators without signs (|B|) have no Hodge decomposition");
}

HodgeSolver::~HodgeSolver() = default;

const SimplicialComplex& HodgeSolver::complex() const { return projectors_->complex; }

const BoundaryProjector& HodgeSolver::projector(int j) const {
  auto& lazy = projectors_->lazy[j];
  std::call_once(lazy.once, [&] {
    const LongWork work(concat("solver of B_", j));
    lazy.projector = std::make_unique<BoundaryProjector>(complex(), j);
  });
  return *lazy.projector;
}

HodgeDecomposition HodgeSolver::hodge(int k, const Tensor& signal) const {
  check_signal(complex(), k, signal);
  const Tensor x = to_columns(signal);
  check_finite(k, x);
  const std::int64_t columns = x.size(1);
  const auto table = [&](std::int64_t rows) { return torch::zeros({rows, columns}, torch::kFloat64); };
  const Tensor gradient = table(x.size(0)), a = table(complex().count(k - 1));
  const Tensor curl = table(x.size(0)), b = table(complex().count(k + 1));
  HodgeDecomposition result;
  if (k >= 1 && x.size(0) > 0) {
    result.gradient_convergence = projector(k).gradients(
        x.const_data_ptr<double>(), columns, gradient.data_ptr<double>(), a.data_ptr<double>(), options_);
  }
  if (k < complex().order()) {
    result.curl_convergence = projector(k + 1).curls(x.const_data_ptr<double>(), columns,
                                                     curl.data_ptr<double>(), b.data_ptr<double>(), options_);
  }
  const Tensor harmonic = x - gradient - curl;
  result.gradient = from_columns(gradient, signal);
  result.curl = from_columns(curl, signal);
  result.harmonic = from_columns(harmonic, signal);
  result.gradient_potential = from_columns(a, signal);
  result.curl_potential = from_columns(b, signal);
  result.gradient_energy = energy(gradient, signal);
  result.curl_energy = energy(curl, signal);
  result.harmonic_energy = energy(harmonic, signal);
  return result;
}

DiracDecomposition HodgeSolver::dirac(const Cochains& x) const {
  GSAN_CHECK(static_cast<int>(x.size()) == complex().order() + 1,
             "dirac_decomposition: the signal must have one tensor for each of the ", complex().order() + 1,
             " orders (undefined where there is none), got ", x.size());
  DiracDecomposition result;
  for (int k = 0; k <= complex().order(); ++k) {
    result.orders.push_back(x[k].defined() ? hodge(k, x[k]) : HodgeDecomposition{});
  }
  return result;
}

Cochains DiracDecomposition::component(int j) const {
  check_component("DiracDecomposition::component", orders.size(), j);
  Cochains x(orders.size());
  x[j - 1] = orders[j - 1].curl;
  x[j] = orders[j].gradient;
  return x;
}

Cochains DiracDecomposition::potential(int j) const {
  check_component("DiracDecomposition::potential", orders.size(), j);
  Cochains y(orders.size());
  y[j - 1] = orders[j].gradient_potential;
  y[j] = orders[j - 1].curl_potential;
  return y;
}

Cochains DiracDecomposition::harmonic() const {
  Cochains h;
  for (const HodgeDecomposition& order : orders) h.push_back(order.harmonic);
  return h;
}

HodgeDecomposition hodge_decomposition(const ComplexOperators& operators, int k, const Tensor& x,
                                       const SolverOptions& options) {
  return HodgeSolver(operators, options).hodge(k, x);
}

DiracDecomposition dirac_decomposition(const ComplexOperators& operators, const Cochains& x,
                                       const SolverOptions& options) {
  return HodgeSolver(operators, options).dirac(x);
}

}  // namespace gsan
