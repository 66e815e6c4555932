#include "gsan/hodge/harmonic_basis.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <vector>

#include <ATen/ops/linalg_qr.h>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/core/random.h"
#include "gsan/hodge/spectral/lambda.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/homology.h"

namespace gsan {
namespace {

constexpr int projections = 3;  // each multiplies what is not harmonic by the tolerance

}  // namespace

Tensor harmonic_basis(const ComplexOperators& operators, int k, const HarmonicBasisOptions& options) {
  const SimplicialComplex& complex = operators.complex();
  GSAN_CHECK(!operators.is_absolute(),
             "harmonic_basis: operators without signs (|B|) have no harmonic signals");
  GSAN_CHECK(k >= 0 && k <= std::max(complex.order(), 0), "harmonic_basis: the complex has order ",
             complex.order(), ", got k = ", k);
  const std::vector<Index> betti = betti_numbers(complex);
  const std::int64_t rows = complex.count(k), dimension = betti.empty() ? 0 : betti[k];
  Tensor basis = torch::zeros({rows, dimension}, torch::kFloat64);
  if (dimension == 0) return basis.to(operators.device());
  RandomStream stream(options.seed, concat("harmonic basis ", k));
  for (double& entry : std::span<double>(basis.data_ptr<double>(), static_cast<std::size_t>(basis.numel()))) {
    entry = stream.normal();
  }
  const Incidence &lower = operators.incidence(k), &upper = operators.incidence(k + 1);
  // A projection leaves at most its tolerance of a unit vector, which B stretches by at most √λ̄.
  const double stretch = std::sqrt(std::max(1.0, lambda_bound(lower, upper).max().item<double>()));
  basis = basis.to(operators.device());
  const HodgeSolver solver(operators, {options.tolerance / (2 * stretch), options.max_iterations});
  double rest = 0;
  const LongWork work("harmonic signals");
  for (int pass = 0; pass < projections; ++pass) {
    basis = std::get<0>(at::linalg_qr(solver.hodge(k, basis).harmonic));
    rest = 0;
    for (const Tensor& seen : {lower.boundary(basis), upper.coboundary(basis)}) {
      if (seen.numel() > 0) rest = std::max(rest, seen.square().sum(0).max().sqrt().item<double>());
    }
    if (rest <= options.tolerance) return basis;
  }
  fail(Fault::numeric, "harmonic_basis: after ", projections, " projections of ", dimension,
       " vectors of order ", k, " the largest |B h| is ", rest, ", tolerance ", options.tolerance,
       "; raise the tolerance");
}

Tensor harmonic_part(const ComplexOperators& operators, int k, const Tensor& x) {
  if (operators.count(k) == 0) return x;  // an order that the complex does not have
  const Tensor& basis = operators.derived<Tensor>({"harmonic_basis", {k}}, [&]() -> Tensor {
    const std::vector<Index> betti = betti_numbers(operators.complex());
    const double numbers = static_cast<double>(operators.count(k)) * betti[k];
    check_memory({.max_memory = operators.max_memory()}, "harmonic_part", numbers * sizeof(double),
                 concat("a basis of the ", betti[k], " harmonic signals on ", operators.count(k),
                        " simplices of order ", k));
    if (!operators.is_oriented() && !operators.is_arranged()) return harmonic_basis(operators, k);
    const ComplexOperators standard(operators.complex(), operators.device());
    Tensor made = harmonic_basis(standard, k);
    if (operators.is_arranged()) made = made.index_select(0, operators.sources(k));
    return operators.is_oriented() ? operators.signs(k).unsqueeze(-1) * made : made;
  });
  const Tensor H = basis.to(x.scalar_type());
  return torch::matmul(H, torch::matmul(H.t(), x));
}

}  // namespace gsan
