#include "gsan/laws/operator_laws.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/random.h"
#include "gsan/hodge/decomposition.h"
#include "gsan/hodge/dirac.h"
#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/spectral/lambda.h"
#include "gsan/laws/measures.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/orientation.h"
#include "gsan/topology/relabel.h"

namespace gsan::laws {
namespace {

// Two columns of integers in −512 … 511: sums and products of incidences stay exact in float64.
Tensor integers(const RandomStream& stream, std::int64_t rows, torch::Device device) {
  Tensor x = torch::empty({rows, 2}, torch::kFloat64);
  RandomStream draws = stream;
  for (double* entry = x.data_ptr<double>(); entry != x.data_ptr<double>() + x.numel(); ++entry) {
    *entry = static_cast<double>(draws.below(1024)) - 512;
  }
  return x.to(device);
}

Cochains integer_cochains(const ComplexOperators& operators, const RandomStream& stream) {
  Cochains x;
  for (int k = 0; k <= operators.order(); ++k) {
    x.push_back(
        integers(stream.substream(static_cast<std::uint64_t>(k)), operators.count(k), operators.device()));
  }
  return x;
}

Law boundary_of_boundary(const ComplexOperators& operators, const Cochains& x) {
  Worst worst;
  for (int k = 2; k <= operators.order(); ++k) {
    worst.see(largest(operators.incidence(k - 1).boundary(operators.incidence(k).boundary(x[k]))));
  }
  return {"boundary of a boundary", "largest entry of B_k B_{k+1} x", worst.value(), 0};
}

Law adjointness(const ComplexOperators& operators, const Cochains& x) {
  Worst worst;
  for (int k = 1; k <= operators.order(); ++k) {
    const Incidence& B = operators.incidence(k);
    const Tensor left = (B.boundary(x[k]) * x[k - 1]).sum(), right = (x[k] * B.coboundary(x[k - 1])).sum();
    worst.see(largest_difference(left, right));
  }
  return {"adjointness", "|<B x, y> - <x, B' y>|", worst.value(), 0};
}

Law dirac_squared(const ComplexOperators& operators, const Cochains& x) {
  const Cochains twice = dirac(operators, dirac(operators, x));
  Worst worst;
  for (int k = 0; k <= operators.order(); ++k) {
    const Tensor laplacian = operators.laplacian(k, x[k]);
    worst.see(twice[k].defined() ? largest_difference(twice[k], laplacian) : largest(laplacian));
  }
  return {"Dirac squared is the Laplacian", "largest entry of D D x - L x", worst.value(), 0};
}

Law certified_bound(const ComplexOperators& operators) {
  Worst worst;
  for (int k = 0; k <= operators.order(); ++k) {
    const Incidence &lower = operators.incidence(k), &upper = operators.incidence(k + 1);
    const double bound = lambda_bound(lower, upper).item<double>();
    if (bound > 0) worst.see(lambda_max(lower, upper) / bound);
  }
  return {"eigenvalue bound", "lambda_max / lambda_bound", worst.value(), 1 + 1e-12};
}

Law permutation_equivariance(const ComplexOperators& operators, const Cochains& x, RandomStream stream) {
  const MappedComplex mapped =
      relabel(operators.complex(), stream.permutation(static_cast<Vertex>(operators.count(0))));
  const ComplexOperators renamed(mapped.complex, operators.device());
  Worst worst;
  for (int k = 0; k <= operators.order(); ++k) {
    worst.see(largest_difference(renamed.laplacian(k, moved(mapped, k, x[k])),
                                 moved(mapped, k, operators.laplacian(k, x[k]))));
  }
  return {"permutation equivariance", "largest entry of L' P x - P L x", worst.value(), 0};
}

Law orientation_equivariance(const ComplexOperators& operators, const Cochains& x,
                             const RandomStream& stream) {
  const Orientation orientation = Orientation::random(operators.complex(), stream);
  const auto signs = [&](int k) {
    const auto o = orientation.signs(k);
    return torch::tensor(std::vector<double>(o.begin(), o.end()), torch::kFloat64).to(operators.device());
  };
  const auto reoriented = [&](int k) {
    const bool rows_exist = k >= 1, columns_exist = k <= operators.order();
    return operators.incidence(k).scaled(rows_exist ? signs(k - 1) : Tensor(),
                                         columns_exist ? signs(k) : Tensor());
  };
  Worst worst;
  for (int k = 0; k <= operators.order(); ++k) {
    const Tensor o = signs(k).unsqueeze(1);
    const LaplacianShift laplacian(reoriented(k), reoriented(k + 1), Side::both);
    worst.see(largest_difference(laplacian.apply(o * x[k]), o * operators.laplacian(k, x[k])));
  }
  return {"orientation equivariance", "largest entry of L' O x - O L x", worst.value(), 0};
}

// The complex beside its own skeletons of lower order: each must behave as if it were alone.
Law batch_is_its_parts(const ComplexOperators& operators, const Cochains& x) {
  const std::vector<SimplicialComplex> parts = complex_and_skeletons(operators.complex());
  const DisjointUnion batch = disjoint_union(parts);
  const ComplexOperators together(batch, {.device = operators.device()});
  const HarmonicOptions harmonic{.steps = 5, .epsilon = {}};
  Worst worst;
  for (int k = 0; k <= operators.order(); ++k) {
    std::vector<Tensor> signals, laplacians, projections;
    for (const SimplicialComplex& part : parts) {
      if (part.count(k) == 0) continue;
      const ComplexOperators alone(part, operators.device());
      signals.push_back(x[k]);
      laplacians.push_back(alone.laplacian(k, x[k]));
      projections.push_back(HarmonicProjector(alone, k, harmonic).apply(x[k]));
    }
    const Tensor signal = torch::cat(signals);
    const Tensor projected = HarmonicProjector(together, k, harmonic).apply(signal);
    worst.see(largest_difference(together.laplacian(k, signal), torch::cat(laplacians)));
    worst.see(largest_difference(projected, torch::cat(projections)));
  }
  // On the CPU every row is summed in the same order; elsewhere index_add takes any order.
  const double rounding = operators.device() == torch::Device(torch::kCPU) ? 0 : 1e-12;
  return {"a batch is its parts", "largest difference of L x and Q^ x, together and alone", worst.value(),
          rounding};
}

// What the solver promises about x = gradient + curl + harmonic, over all orders.
std::vector<Law> decomposition_laws(const ComplexOperators& operators, const HodgeSolver& solver,
                                    const RandomStream& stream, double tolerance) {
  Worst orthogonality, reconstruction, kernel;
  for (int k = 0; k <= operators.order(); ++k) {
    const Tensor x =
        normals(stream.substream(static_cast<std::uint64_t>(k)), operators.count(k), 1, operators.device());
    const HodgeDecomposition parts = solver.hodge(k, x);
    const double length = length_of(x);
    for (const Tensor& product :
         {(parts.gradient * parts.curl).sum(), (parts.gradient * parts.harmonic).sum(),
          (parts.curl * parts.harmonic).sum()}) {
      orthogonality.see(largest(product) / (length * length));
    }
    reconstruction.see(length_of(x - parts.gradient - parts.curl - parts.harmonic) / length);
    kernel.see(length_of(operators.incidence(k).boundary(parts.harmonic)) / length);
    kernel.see(length_of(operators.incidence(k + 1).coboundary(parts.harmonic)) / length);
  }
  return {
      {"orthogonal parts", "largest inner product of two parts / |x|^2", orthogonality.value(), tolerance},
      {"the parts are the whole", "|x - gradient - curl - harmonic| / |x|", reconstruction.value(),
       tolerance},
      {"the harmonic part is harmonic", "|B_k h| and |B_{k+1}' h| / |x|", kernel.value(), tolerance}};
}

// The harmonic parts of more random signals than β_k span exactly β_k dimensions.
Law harmonic_dimension(const ComplexOperators& operators, const HodgeSolver& solver,
                       const RandomStream& stream, const LawOptions& options) {
  constexpr std::int64_t most_signals = 64;
  const std::vector<Index> betti = betti_numbers(operators.complex(), options.homology);
  std::int64_t worst = 0;
  for (int k = 0; k <= operators.order(); ++k) {
    const std::int64_t signals = std::min({std::int64_t{2} * betti[k] + 2, most_signals, operators.count(k)});
    const Tensor x = normals(stream.substream(static_cast<std::uint64_t>(k)), operators.count(k), signals,
                             operators.device());
    const Tensor harmonic = solver.hodge(k, x).harmonic;
    const Tensor squares =
        at::linalg_eigvalsh(harmonic.t().matmul(harmonic)) / static_cast<double>(operators.count(k));
    const std::int64_t rank = (squares > options.tolerance * options.tolerance).sum().item<std::int64_t>();
    worst = std::max(worst, std::abs(rank - std::min<std::int64_t>(betti[k], signals)));
  }
  return {"harmonic dimension is the Betti number", "difference", static_cast<double>(worst), 0};
}

// Q^ = (I − L/λ̄)^T. Its distance to Q falls with T, and since λ (1 − λ/λ̄)^T is largest at λ = λ̄/(T+1),
// |L Q^ x| ≤ λ̄ T^T / (T+1)^(T+1) |x|: what is left of the other frequencies fades.
std::vector<Law> projector_laws(const ComplexOperators& operators, const HodgeSolver& solver,
                                const RandomStream& stream, double tolerance) {
  Worst growth, excess;
  for (int k = 0; k <= operators.order(); ++k) {
    const Tensor x =
        normals(stream.substream(static_cast<std::uint64_t>(k)), operators.count(k), 1, operators.device());
    const Tensor limit = solver.hodge(k, x).harmonic;
    const double length = length_of(x);
    const double bound = lambda_bound(operators.incidence(k), operators.incidence(k + 1)).item<double>();
    double before = length_of(x - limit) / length;
    for (const int steps : {1, 8, 64, 512}) {
      const Tensor projected = HarmonicProjector(operators, k, {.steps = steps, .epsilon = {}}).apply(x);
      const double distance = length_of(projected - limit) / length;
      if (before > tolerance) growth.see(distance / before);
      before = distance;
      const double left = bound / (steps + 1) * std::pow(steps / (steps + 1.0), steps);
      if (bound > 0) excess.see(length_of(operators.laplacian(k, projected)) / (left * length));
    }
  }
  return {
      {"Q^ tends to Q", "largest growth of |Q^ x - Q x| from T = 0, 1, 8, 64 to the next", growth.value(), 1},
      {"Q^ leaves the kernel only", "|L Q^ x| / (bound at T |x|)", excess.value(), 1 + 1e-9}};
}

}  // namespace

std::vector<Law> measure_operator_laws(const ComplexOperators& operators, const LawOptions& options) {
  const RandomStream stream(options.seed, "check");
  const Cochains x = integer_cochains(operators, stream.substream("signals"));
  const HodgeSolver solver(operators, {.tolerance = options.tolerance / 100});
  std::vector<Law> laws{boundary_of_boundary(operators, x),
                        adjointness(operators, x),
                        dirac_squared(operators, x),
                        permutation_equivariance(operators, x, stream.substream("permutation")),
                        orientation_equivariance(operators, x, stream.substream("orientation")),
                        batch_is_its_parts(operators, x),
                        certified_bound(operators)};
  const auto append = [&](const std::vector<Law>& more) {
    laws.insert(laws.end(), more.begin(), more.end());
  };
  append(decomposition_laws(operators, solver, stream.substream("decomposition"), options.tolerance));
  append({harmonic_dimension(operators, solver, stream.substream("harmonic"), options)});
  append(projector_laws(operators, solver, stream.substream("projector"), options.tolerance));
  return laws;
}

}  // namespace gsan::laws
