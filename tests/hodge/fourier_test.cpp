#include "gsan/hodge/spectral/fourier.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/hodge/dirac.h"
#include "gsan/hodge/harmonic.h"
#include "gsan/hodge/polynomial.h"
#include "gsan/hodge/spectral/alignment.h"
#include "gsan/hodge/spectral/response.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

double energy(const std::vector<Tensor>& tensors) {
  double sum = 0;
  for (const Tensor& x : tensors) sum += x.defined() ? x.square().sum().item<double>() : 0;
  return sum;
}

Tensor weights(std::initializer_list<std::int64_t> shape, const char* purpose) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  return random_signal(size, 1, purpose, torch::kFloat64).view(at::IntArrayRef(shape.begin(), shape.size()));
}

TEST(Fourier, RoundTripKeepsSignalAndEnergy) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 3);
    for (int k = 0; k <= complex.order(); ++k) {
      const HodgeSpectrum spectrum = hodge_spectrum(operators, k);
      const Tensor c = fourier(spectrum, x[k]);
      EXPECT_LT(distance(inverse_fourier(spectrum, c), x[k]), 1e-10);
      EXPECT_NEAR(energy({c}), energy({x[k]}), 1e-9);
    }
    const DiracSpectrum spectrum = dirac_spectrum(operators);
    const DiracCoefficients c = dirac_fourier(spectrum, x);
    const Cochains back = inverse_dirac_fourier(spectrum, c);
    for (int k = 0; k <= complex.order(); ++k) EXPECT_LT(distance(back[k], x[k]), 1e-10);
    EXPECT_NEAR(energy(c.aligned) + energy(c.anti_aligned) + energy(c.harmonic), energy(x), 1e-9);
  }
}

TEST(Fourier, KeepsFloat32AndLeadingDimensions) {
  const SimplicialComplex complex = sheet(3, 3, false, true);
  const HodgeSpectrum spectrum = hodge_spectrum(ComplexOperators(complex), 1);
  const Tensor x =
      random_signal(4 * complex.count(1), 2, "x", torch::kFloat32).view({4, complex.count(1), 2});
  const Tensor c = fourier(spectrum, x);
  EXPECT_EQ(c.scalar_type(), torch::kFloat32);
  EXPECT_EQ(c.sizes(), x.sizes());
  EXPECT_LT(distance(inverse_fourier(spectrum, c), x), 1e-5);
}

// Σ_p (L^d)^p x a_p + Σ_p (L^u)^p x b_p + Q̂ x h, weights F_in × F_out, in space and by frequency.
TEST(Fourier, FilteringInSpaceIsMultiplyingInFrequency) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Tensor a = weights({3, 2, 4}, "a"), b = weights({2, 2, 4}, "b");
    const Cochains x = random_cochains(complex, 2);
    for (int k = 0; k <= complex.order(); ++k) {
      const HarmonicProjector projector(operators, k, {3, {}});
      const auto taps = [&](const Tensor& w) {
        std::vector<Tensor> list;
        for (int p = 0; p < w.size(0); ++p) list.push_back(x[k].matmul(w[p]));
        return list;
      };
      const Tensor in_space = polynomial(LaplacianShift(operators, k, Side::lower), taps(a), 0) +
                              polynomial(LaplacianShift(operators, k, Side::upper), taps(b), 1) +
                              projector.apply(x[k]).matmul(a[0]);

      const HodgeSpectrum spectrum = hodge_spectrum(operators, k);
      const Tensor harmonic = projector_response(spectrum.values, projector.epsilon().item<double>(), 3);
      const Tensor response = frequency_response(side_frequencies(spectrum, Side::lower), a, 0) +
                              frequency_response(side_frequencies(spectrum, Side::upper), b, 1) +
                              harmonic.view({-1, 1, 1}) * a[0];
      const Tensor by_frequency =
          inverse_fourier(spectrum, multiply_response(fourier(spectrum, x[k]), response));
      EXPECT_LT(distance(in_space, by_frequency), 1e-9 * (1 + energy({in_space})));
    }
  }
}

// Σ_j Σ_q w_{j,q} (D^(j))^q x against Σ_q w_{j,q} (±σ)^q.
TEST(Fourier, DiracFilteringIsMultiplyingByTheSignedFrequencies) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 2);
    const Tensor w = weights({3, 4}, "w");  // three components, powers 1 … 4
    Cochains in_space;
    for (const Tensor& signal : x) in_space.push_back(torch::zeros_like(signal));
    for (int j = 1; j <= complex.order(); ++j) {
      Cochains power = x;
      for (int q = 0; q < 4; ++q) {
        power = dirac_component(operators, j, power);
        in_space[j - 1] += power[j - 1] * w[j - 1][q];
        in_space[j] += power[j] * w[j - 1][q];
      }
    }
    const DiracSpectrum spectrum = dirac_spectrum(operators);
    DiracCoefficients c = dirac_fourier(spectrum, x);
    for (int j = 1; j <= complex.order(); ++j) {
      const Tensor sigma = spectrum.components[j - 1].values;
      c.aligned[j - 1] = multiply_response(c.aligned[j - 1], frequency_response(sigma, w[j - 1], 1));
      c.anti_aligned[j - 1] =
          multiply_response(c.anti_aligned[j - 1], frequency_response(-sigma, w[j - 1], 1));
    }
    for (Tensor& harmonic : c.harmonic) harmonic = torch::zeros_like(harmonic);
    const Cochains by_frequency = inverse_dirac_fourier(spectrum, c);
    for (int k = 0; k <= complex.order(); ++k) {
      EXPECT_LT(distance(in_space[k], by_frequency[k]), 1e-9 * (1 + energy(in_space)));
    }
  }
}

TEST(Response, IsThePolynomial) {
  const Tensor lambda = torch::tensor({0.0, 1.0, -2.0}, torch::kFloat64);
  const Tensor w = torch::tensor({5.0, 3.0, 1.0}, torch::kFloat64);
  EXPECT_LT(distance(frequency_response(lambda, w, 0), torch::tensor({5.0, 9.0, 3.0}, torch::kFloat64)),
            1e-14);
  EXPECT_LT(distance(frequency_response(lambda, w, 1), torch::tensor({0.0, 9.0, -6.0}, torch::kFloat64)),
            1e-14);
  EXPECT_LT(
      distance(frequency_response(lambda, w.narrow(0, 0, 1), 0), torch::full({3}, 5.0, torch::kFloat64)),
      1e-14);
  EXPECT_EQ(frequency_response(torch::zeros({0}, torch::kFloat64), w, 0).size(0), 0);
  EXPECT_THROW(frequency_response(lambda, torch::zeros({0}, torch::kFloat64), 0), Error);
  EXPECT_THROW(frequency_response(lambda, torch::zeros({2, 2}, torch::kFloat64), 0), Error);
  EXPECT_THROW(frequency_response(lambda, w, -1), Error);
  EXPECT_THROW(multiply_response(torch::zeros({2, 1}), lambda), Error);
}

TEST(Alignment, PartsAreEigenspacesOfTheSign) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const DiracSpectrum spectrum = dirac_spectrum(operators);
    const Cochains x = random_cochains(complex, 2);
    Cochains sum;
    for (int k = 0; k <= complex.order(); ++k) {
      sum.push_back(synthesize(spectrum.harmonic[k], analyze(spectrum.harmonic[k], x[k])));
    }
    for (int j = 1; j <= complex.order(); ++j) {
      const AlignedParts parts = aligned_parts(spectrum, j, x);
      const auto quadratic = [&](const Cochains& z) {  // ⟨z, D z⟩ has the sign of the part
        const Cochains Dz = dirac_component(operators, j, z);
        return (z[j - 1] * Dz[j - 1]).sum().item<double>() + (z[j] * Dz[j]).sum().item<double>();
      };
      EXPECT_GT(quadratic(parts.aligned), 0);
      EXPECT_LT(quadratic(parts.anti_aligned), 0);
      double product = 0;
      for (const int k : {j - 1, j}) {
        product += (parts.aligned[k] * parts.anti_aligned[k]).sum().item<double>();
        sum[k] += parts.aligned[k] + parts.anti_aligned[k];
      }
      EXPECT_NEAR(product, 0, 1e-10);
      // Projections: doing it again changes nothing.
      EXPECT_LT(distance(aligned_parts(spectrum, j, parts.aligned).aligned[j], parts.aligned[j]), 1e-11);
    }
    // All parts of all components and the harmonic part are the whole signal.
    for (int k = 0; k <= complex.order(); ++k) EXPECT_LT(distance(sum[k], x[k]), 1e-10);
  }
}

TEST(Alignment, EmbeddingCarriesModesAcrossOrders) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const Cochains x = random_cochains(complex, 2);
    const DiracSpectrum spectrum = dirac_spectrum(operators);
    for (int j = 1; j <= complex.order(); ++j) {
      const Incidence& B = operators.incidence(j);
      const SingularSpectrum& component = spectrum.components[j - 1];
      // v = Bᵀ u / σ, u = B v / σ
      EXPECT_LT(
          distance(embed_upward(component, component.left), B.coboundary(component.left) / component.values),
          1e-10);
      EXPECT_LT(distance(embed_downward(component, component.right),
                         B.boundary(component.right) / component.values),
                1e-10);
      // There and back is the projection on im B; lengths within it are kept.
      const Tensor y = B.boundary(x[j]);
      const Tensor up = embed_upward(component, y);
      EXPECT_LT(distance(embed_downward(component, up), y), 1e-10);
      EXPECT_NEAR(energy({up}), energy({y}), 1e-9 * (1 + energy({y})));
    }
  }
}

TEST(Fourier, RefusesWhatDoesNotFit) {
  const SimplicialComplex complex = sheet(2, 2);
  const ComplexOperators operators(complex);
  const HodgeSpectrum spectrum = hodge_spectrum(operators, 1);
  EXPECT_THROW(fourier(spectrum, torch::zeros({3, 1}, torch::kFloat64)), Error);
  EXPECT_THROW(fourier(spectrum, torch::zeros({complex.count(1)}, torch::kFloat64)), Error);
  EXPECT_THROW(fourier(spectrum, Tensor()), Error);
  EXPECT_THROW(inverse_fourier(spectrum, torch::zeros({3, 1}, torch::kFloat64)), Error);
  const DiracSpectrum whole = dirac_spectrum(operators);
  EXPECT_THROW(dirac_fourier(whole, {}), Error);
  EXPECT_THROW(inverse_dirac_fourier(whole, {}), Error);
  EXPECT_THROW(aligned_parts(whole, 3, random_cochains(complex, 1)), Error);
  Cochains x = random_cochains(complex, 1);
  x[1] = x[1].repeat({1, 2});
  EXPECT_THROW(dirac_fourier(whole, x), Error);
}

TEST(Fourier, EmptyComplex) {
  const DiracSpectrum spectrum = dirac_spectrum(ComplexOperators(SimplicialComplex()));
  EXPECT_TRUE(inverse_dirac_fourier(spectrum, dirac_fourier(spectrum, {})).empty());
}

}  // namespace
}  // namespace gsan
