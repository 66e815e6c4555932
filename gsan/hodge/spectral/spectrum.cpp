#include "gsan/hodge/spectral/spectrum.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gsan/core/check.h"
#include "gsan/hodge/detail/operand_type.h"
#include "gsan/hodge/harmonic_basis.h"
#include "gsan/topology/homology.h"

namespace gsan {
namespace {

// An orthonormal basis of what is orthogonal to the orthonormal columns of `gradient` and `curl`.
Tensor harmonic_complement(const Tensor& gradient, const Tensor& curl, const SpectrumOptions& options) {
  const Tensor others = torch::cat({gradient, curl}, 1);
  const std::int64_t rows = others.size(0), rank = others.size(1);
  if (rank == rows) return torch::zeros({rows, 0}, others.options());
  const double bytes = 8.0 * 3 * static_cast<double>(rows) * static_cast<double>(rows);
  if (bytes > static_cast<double>(options.max_memory)) {
    fail(Fault::resource, "spectrum: all ", rows, " eigenvectors of one order need about ",
         static_cast<std::int64_t>(bytes / 0x1p20), " MiB, more than max_memory = ", options.max_memory >> 20,
         " MiB; ask for `count` of them, or raise max_memory");
  }
  if (rank == 0) return torch::eye(rows, others.options());
  return std::get<0>(at::linalg_qr(others, "complete")).narrow(1, rank, rows - rank).contiguous();
}

}  // namespace

const char* name_of(HodgePart part) {
  switch (part) {
    case HodgePart::gradient:
      return "gradient";
    case HodgePart::curl:
      return "curl";
    case HodgePart::harmonic:
      return "harmonic";
  }
  return "";
}

HodgeSpectrum hodge_spectrum(const ComplexOperators& operators, int k, const SpectrumOptions& options) {
  GSAN_CHECK(k >= 0 && k <= operators.order(), "hodge_spectrum: the complex has the orders 0 ... ",
             operators.order(), ", got k = ", k);
  const torch::NoGradGuard no_grad;
  const SingularSpectrum lower = singular_spectrum(operators.incidence(k), options);
  const SingularSpectrum upper = singular_spectrum(operators.incidence(k + 1), options);
  std::vector<Tensor> values{lower.values.square(), upper.values.square()};
  std::vector<Tensor> vectors{lower.right, upper.left};
  std::vector<HodgePart> parts(lower.count(), HodgePart::gradient);
  parts.resize(parts.size() + upper.count(), HodgePart::curl);
  if (!options.count) {
    vectors.push_back(harmonic_complement(lower.right, upper.left, options));
    values.push_back(torch::zeros({vectors.back().size(1)}, values[0].options()));
    parts.resize(parts.size() + vectors.back().size(1), HodgePart::harmonic);
  }
  auto [sorted, order] = torch::cat(values).sort(/*stable=*/std::optional<bool>(true), /*dim=*/0);
  if (options.count) {  // the best of both sides
    const std::int64_t kept = std::min(*options.count, sorted.size(0));
    const std::int64_t first = options.end == SpectrumEnd::smallest ? 0 : sorted.size(0) - kept;
    sorted = sorted.narrow(0, first, kept).contiguous();
    order = order.narrow(0, first, kept);
  }
  const Tensor all = torch::cat(vectors, 1);
  HodgeSpectrum spectrum{sorted, options.count && !options.vectors ? all : all.index_select(1, order), {}};
  const Tensor rows = order.to(torch::kCPU).contiguous();
  for (std::int64_t i = 0; i < rows.size(0); ++i)
    spectrum.parts.push_back(parts[rows.data_ptr<std::int64_t>()[i]]);
  return spectrum;
}

HodgeSpectrum lowest_hodge_spectrum(const ComplexOperators& operators, int k,
                                    const SpectrumOptions& options) {
  GSAN_CHECK(k >= 0 && k <= operators.order(), "lowest_hodge_spectrum: the complex has the orders 0 ... ",
             operators.order(), ", got k = ", k);
  GSAN_CHECK(options.count && options.end == SpectrumEnd::smallest,
             "lowest_hodge_spectrum: needs a count of eigenvalues, from the smallest on");
  const std::int64_t betti = betti_numbers(operators.complex(), {.max_memory = options.max_memory})[k];
  const std::int64_t zeros = std::min(betti, *options.count);
  const auto type = torch::TensorOptions(torch::kFloat64).device(operators.device());
  HodgeSpectrum lowest{torch::zeros({zeros}, type), torch::zeros({operators.count(k), 0}, type),
                       std::vector<HodgePart>(static_cast<std::size_t>(zeros), HodgePart::harmonic)};
  if (options.vectors && zeros > 0)
    lowest.vectors = harmonic_basis(operators, k, {.tolerance = options.tolerance}).narrow(1, 0, zeros);
  if (zeros == *options.count) return lowest;
  SpectrumOptions others = options;
  others.count = *options.count - zeros;
  const HodgeSpectrum rest = hodge_spectrum(operators, k, others);
  lowest.parts.insert(lowest.parts.end(), rest.parts.begin(), rest.parts.end());
  return {torch::cat({lowest.values, rest.values}), torch::cat({lowest.vectors, rest.vectors}, 1),
          std::move(lowest.parts)};
}

DiracSpectrum dirac_spectrum(const ComplexOperators& operators, const SpectrumOptions& options) {
  const torch::NoGradGuard no_grad;
  DiracSpectrum spectrum;
  const int K = operators.order();
  for (int j = 1; j <= K; ++j)
    spectrum.components.push_back(singular_spectrum(operators.incidence(j), options));
  for (int k = 0; k <= K; ++k) {
    const Tensor none = torch::zeros({operators.count(k), 0}, operand_type(operators.incidence(k)));
    const Tensor gradient = k > 0 ? spectrum.components[k - 1].right : none;
    const Tensor curl = k < K ? spectrum.components[k].left : none;
    spectrum.harmonic.push_back(options.count ? none : harmonic_complement(gradient, curl, options));
  }
  return spectrum;
}

DiracEigenpairs dirac_eigenpairs(const DiracSpectrum& spectrum, int j) {
  const int K = static_cast<int>(spectrum.components.size());
  GSAN_CHECK(j >= 1 && j <= K, "dirac_eigenpairs: the spectrum has the components 1 ... ", K,
             ", got j = ", j);
  const SingularSpectrum& component = spectrum.components[j - 1];
  const Tensor u = component.left * std::sqrt(0.5), v = component.right * std::sqrt(0.5);
  DiracEigenpairs pairs{torch::cat({component.values, -component.values}), Cochains(K + 1)};
  pairs.vectors[j - 1] = torch::cat({u, u}, 1);
  pairs.vectors[j] = torch::cat({v, -v}, 1);
  return pairs;
}

}  // namespace gsan
