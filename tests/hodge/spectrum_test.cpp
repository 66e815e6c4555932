#include "gsan/hodge/spectral/spectrum.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/hodge/dirac.h"
#include "gsan/hodge/spectral/detail/chebyshev.h"
#include "gsan/hodge/spectral/detail/gram.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/random_graph.h"

#include "hodge/dense_reference.h"
#include "hodge/sample_complexes.h"
#include "support/random_complex.h"

namespace gsan {
namespace {

Tensor identity(std::int64_t n) { return torch::eye(n, torch::kFloat64); }

void expect_orthonormal(const Tensor& columns) {
  EXPECT_LT(distance(columns.t().mm(columns), identity(columns.size(1))), 1e-9);
}

// B v = σ u, Bᵀ u = σ v, orthonormal, increasing.
void expect_triplets(const SingularSpectrum& s, const Incidence& B, double tolerance) {
  ASSERT_EQ(s.left.sizes(), (std::vector<std::int64_t>{B.rows(), s.count()}));
  ASSERT_EQ(s.right.sizes(), (std::vector<std::int64_t>{B.columns(), s.count()}));
  EXPECT_LT(distance(B.boundary(s.right), s.left * s.values), tolerance);
  EXPECT_LT(distance(B.coboundary(s.left), s.right * s.values), tolerance);
  expect_orthonormal(s.left);
  expect_orthonormal(s.right);
  EXPECT_TRUE((s.values.diff() >= 0).all().item<bool>());
}

SpectrumOptions part(std::int64_t count, SpectrumEnd end) {
  SpectrumOptions options;
  options.count = count;
  options.end = end;
  return options;
}

TEST(Spectrum, AllSingularTriplets) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    for (int j = 0; j <= complex.order() + 1; ++j) {
      const Incidence B(complex, j);
      const SingularSpectrum s = singular_spectrum(B);
      expect_triplets(s, B, 1e-11);
      const Tensor D = dense_boundary(complex, j);
      EXPECT_EQ(s.count(), D.numel() == 0 ? 0 : at::linalg_matrix_rank(D).item<std::int64_t>());
      EXPECT_LT(distance(s.left.mm(s.values.diag()).mm(s.right.t()), D), 1e-11);
    }
  }
}

TEST(Spectrum, DiracEigenpairs) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    const DiracSpectrum spectrum = dirac_spectrum(operators);
    std::int64_t dimensions = 0;
    std::vector<Tensor> values;
    for (int j = 1; j <= complex.order(); ++j) {
      const DiracEigenpairs pairs = dirac_eigenpairs(spectrum, j);
      const Cochains image = dirac(operators, pairs.vectors);
      for (int k = 0; k <= complex.order(); ++k) {
        const Tensor expected = pairs.vectors[k].defined() ? pairs.vectors[k] * pairs.values : Tensor();
        if (image[k].defined()) {
          EXPECT_LT(distance(image[k], expected.defined() ? expected : torch::zeros_like(image[k])), 1e-11);
        }
      }
      expect_orthonormal(torch::cat({pairs.vectors[j - 1], pairs.vectors[j]}));
      values.push_back(pairs.values);
    }
    for (int k = 0; k <= complex.order(); ++k) {
      const Tensor L = operators.laplacian(k, spectrum.harmonic[k]);
      EXPECT_LT(distance(L, torch::zeros_like(L)), 1e-11);
      expect_orthonormal(spectrum.harmonic[k]);
      values.push_back(torch::zeros({spectrum.harmonic[k].size(1)}, torch::kFloat64));
      dimensions += complex.count(k);
    }
    if (dimensions == 0) continue;
    const Tensor all = std::get<0>(torch::cat(values).sort());
    EXPECT_LT(distance(all, at::linalg_eigvalsh(dense_dirac(complex))), 1e-10);
  }
}

TEST(Spectrum, HodgeEigenpairsKnowTheirPart) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const ComplexOperators operators(complex);
    for (int k = 0; k <= complex.order(); ++k) {
      const HodgeSpectrum s = hodge_spectrum(operators, k);
      ASSERT_EQ(s.values.size(0), complex.count(k));
      ASSERT_EQ(s.parts.size(), static_cast<std::size_t>(complex.count(k)));
      EXPECT_LT(distance(s.values, at::linalg_eigvalsh(dense_laplacian(complex, k))), 1e-10);
      EXPECT_LT(distance(operators.laplacian(k, s.vectors), s.vectors * s.values), 1e-10);
      expect_orthonormal(s.vectors);
      const Tensor lower = operators.incidence(k).boundary(s.vectors).norm(2, {0});
      const Tensor upper = operators.incidence(k + 1).coboundary(s.vectors).norm(2, {0});
      for (std::size_t i = 0; i < s.parts.size(); ++i) {
        const int row = static_cast<int>(i);
        EXPECT_EQ(lower[row].item<double>() > 1e-9, s.parts[i] == HodgePart::gradient);
        EXPECT_EQ(upper[row].item<double>() > 1e-9, s.parts[i] == HodgePart::curl);
      }
    }
  }
}

TEST(Spectrum, HarmonicDimensionsAreBettiNumbers) {
  const DiracSpectrum torus = dirac_spectrum(ComplexOperators(sheet(4, 5, /*periodic=*/true)));
  EXPECT_EQ(torus.harmonic[0].size(1), 1);
  EXPECT_EQ(torus.harmonic[1].size(1), 2);
  EXPECT_EQ(torus.harmonic[2].size(1), 1);
}

// Both ends, matrix-free, against everything.
void expect_part_of_all(const SimplicialComplex& complex, int j, std::int64_t count) {
  const Incidence B(complex, j);
  const Tensor all = singular_spectrum(B).values;
  for (const SpectrumEnd end : {SpectrumEnd::smallest, SpectrumEnd::largest}) {
    const SingularSpectrum s = extreme_singular_triplets(B, part(count, end));
    expect_triplets(s, B, 1e-7);
    const std::int64_t first = end == SpectrumEnd::smallest ? 0 : all.size(0) - count;
    EXPECT_LT(distance(s.values, all.narrow(0, first, count)), 1e-9)
        << "B_" << j << ", " << static_cast<int>(end);
  }
}

TEST(Spectrum, PartEqualsTheWholeOnASheetWithAHole) {
  const SimplicialComplex complex = sheet(15, 12, false, true);
  expect_part_of_all(complex, 1, 7);
  expect_part_of_all(complex, 2, 7);
}

TEST(Spectrum, PartFindsEveryCopyOfAMultipleValue) {
  expect_part_of_all(cycle(300), 1, 9);                         // all double
  expect_part_of_all(sheet(12, 12, /*periodic=*/true), 1, 12);  // up to twelvefold
  expect_part_of_all(sheet(12, 12, /*periodic=*/true), 2, 12);
  expect_part_of_all(complete_complex(9, 3), 2, 10);  // all of B_2 equal 3
  expect_part_of_all(complete_complex(9, 3), 3, 10);  // no small kernel on either side
  const std::vector<SimplicialComplex> copies(40, sheet(3, 2));
  expect_part_of_all(disjoint_union(copies).complex, 1, 6);  // fortyfold, more than the block
}

// A bottleneck puts one eigenvalue far below all others; it must not be passed over.
TEST(Spectrum, PartFindsALonelySmallestValue) {
  ComplexBuilder builder;
  const SimplicialComplex half = sheet(11, 10);
  const Vertex n = half.count(0);
  for (Index i = 0; i < half.count(2); ++i) {
    const auto v = half.vertices(2, i);
    builder.add({v[0], v[1], v[2]}).add({v[0] + n + 8, v[1] + n + 8, v[2] + n + 8});
  }
  for (Vertex v = n - 1; v < n + 8; ++v) builder.add({v, v + 1});
  expect_part_of_all(builder.build(), 1, 5);
}

// Hubs push λ_max far above a crowded lower end.
TEST(Spectrum, PartOfAGraphWithHubs) {
  RandomStream stream(1, "hubs");
  expect_part_of_all(clique_complex(barabasi_albert(400, 5, stream), 400, 2), 1, 6);
}

TEST(Spectrum, PartOfARandomComplex) {
  const SimplicialComplex complex = random_complex(15, {3, 40});  // dense shape, order 3
  ASSERT_EQ(complex.order(), 3);
  for (int j = 1; j <= 3; ++j) {
    if (std::min(complex.count(j - 1), complex.count(j)) > 30) expect_part_of_all(complex, j, 5);
  }
}

// Both ends by the Gram matrix of the shorter side, against everything.
void expect_gram_is_part_of_all(const SimplicialComplex& complex, int j, std::int64_t count) {
  const Incidence B(complex, j);
  const Tensor all = singular_spectrum(B).values;
  for (const SpectrumEnd end : {SpectrumEnd::smallest, SpectrumEnd::largest}) {
    SpectrumOptions options = part(count, end);
    ASSERT_TRUE(has_gram(B, options));
    const SingularSpectrum s = gram_singular_triplets(B, options);
    expect_triplets(s, B, 1e-10);
    const std::int64_t first = end == SpectrumEnd::smallest ? 0 : all.size(0) - count;
    EXPECT_LT(distance(s.values, all.narrow(0, first, count)), 1e-10) << "B_" << j;
    options.vectors = false;
    const SingularSpectrum values = gram_singular_triplets(B, options);
    EXPECT_LT(distance(values.values, s.values), 1e-10);
    EXPECT_EQ(values.left.size(1) + values.right.size(1), 0);
  }
}

TEST(Spectrum, TheGramMatrixOfEitherSideGivesThePart) {
  expect_gram_is_part_of_all(sheet(15, 12, false, true), 1, 7);         // fewer vertices than edges
  expect_gram_is_part_of_all(sheet(15, 12, false, true), 2, 7);         // fewer triangles than edges
  expect_gram_is_part_of_all(sheet(12, 12, /*periodic=*/true), 1, 12);  // multiple ones
  expect_gram_is_part_of_all(complete_complex(9, 3), 2, 10);            // a kernel on both sides
  RandomStream stream(1, "hubs");
  const SimplicialComplex hubs = clique_complex(barabasi_albert(400, 5, stream), 400, 2);
  expect_gram_is_part_of_all(hubs, 1, 6);
  expect_gram_is_part_of_all(hubs, 2, 6);
  const Incidence absolute = Incidence(hubs, 1).absolute();
  EXPECT_LT(distance(gram_singular_triplets(absolute, part(5, SpectrumEnd::smallest)).values,
                     singular_spectrum(absolute).values.narrow(0, 0, 5)),
            1e-10);
}

TEST(Spectrum, NoGramMatrixOfLongSidesScalingsOrMoreThanTheMemory) {
  const SpectrumOptions options = part(3, SpectrumEnd::smallest);
  EXPECT_TRUE(has_gram(Incidence(cycle(4096), 1), options));
  EXPECT_FALSE(has_gram(Incidence(cycle(4097), 1), options));
  const Incidence B(cycle(50), 1);
  EXPECT_FALSE(has_gram(B.scaled(torch::ones({50}, torch::kFloat64), {}), options));
  SpectrumOptions little = options;
  little.max_memory = 50 * 50 * 8;
  EXPECT_FALSE(has_gram(B, little));
}

// Leaves around hubs have eigenvalues close to 1, some thousand times below the largest: an iteration that
// cannot tell them apart in reasonable time gives way to the dense decomposition.
TEST(Spectrum, CrowdedEndsAreDecomposedDensely) {
  RandomStream stream(3, "leaves");
  std::vector<Edge> edges = barabasi_albert(500, 1, stream);
  for (Vertex v = 1; v < 400; ++v) edges.push_back({0, v});
  const Incidence B(clique_complex(edges, 500, 1), 1);
  const SpectrumOptions options = part(10, SpectrumEnd::smallest);
  EXPECT_FALSE(extreme_singular_triplets(B, options, /*products=*/200));
  const SingularSpectrum s = singular_spectrum(B, options);
  expect_triplets(s, B, 1e-9);
  EXPECT_LT(distance(s.values, singular_spectrum(B).values.narrow(0, 0, 10)), 1e-10);
}

TEST(Spectrum, AskingForMoreThanThereIsGivesAll) {
  const Incidence B(cycle(6), 1);
  EXPECT_EQ(singular_spectrum(B, part(100, SpectrumEnd::smallest)).count(), 5);
  EXPECT_EQ(singular_spectrum(B, part(0, SpectrumEnd::smallest)).count(), 0);
  const SingularSpectrum two = singular_spectrum(B, part(2, SpectrumEnd::largest));
  EXPECT_NEAR(two.values[1].item<double>(), 2, 1e-12);
  EXPECT_NEAR(two.values[0].item<double>(), std::sqrt(3.0), 1e-12);
}

TEST(Spectrum, PartOfAHodgeLaplacianMergesBothSides) {
  const ComplexOperators operators(sheet(14, 13, false, true));
  const HodgeSpectrum all = hodge_spectrum(operators, 1);
  const std::int64_t harmonic = std::count(all.parts.begin(), all.parts.end(), HodgePart::harmonic);
  EXPECT_EQ(harmonic, 1);
  const HodgeSpectrum low = hodge_spectrum(operators, 1, part(6, SpectrumEnd::smallest));
  const HodgeSpectrum high = hodge_spectrum(operators, 1, part(6, SpectrumEnd::largest));
  EXPECT_LT(distance(low.values, all.values.narrow(0, harmonic, 6)), 1e-9);
  EXPECT_LT(distance(high.values, all.values.narrow(0, all.values.size(0) - 6, 6)), 1e-9);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(low.parts[i], all.parts[harmonic + i]);
  SpectrumOptions only_values = part(6, SpectrumEnd::smallest);
  only_values.vectors = false;
  const HodgeSpectrum values = hodge_spectrum(operators, 1, only_values);
  EXPECT_LT(distance(values.values, low.values), 1e-12);
  EXPECT_EQ(values.parts, low.parts);
  EXPECT_EQ(values.vectors.size(1), 0);
  EXPECT_LT(distance(operators.laplacian(1, low.vectors), low.vectors * low.values), 1e-7);
}

TEST(Spectrum, ScaledOperators) {
  const SimplicialComplex complex = sheet(10, 9);
  const auto scale = [&](int order) {
    return random_signal(complex.count(order), 1, "scale", torch::kFloat64).squeeze(-1).exp();
  };
  const Incidence B = Incidence(complex, 1).scaled(scale(0), scale(1));
  const SingularSpectrum all = singular_spectrum(B),
                         low = extreme_singular_triplets(B, part(5, SpectrumEnd::smallest));
  expect_triplets(all, B, 1e-10);
  expect_triplets(low, B, 1e-7);
  EXPECT_LT(distance(low.values, all.values.narrow(0, 0, 5)), 1e-9);
}

TEST(Spectrum, Float32ScalingsGiveFloat32Spectra) {
  const SimplicialComplex complex = sheet(10, 9);
  const Tensor scale = random_signal(complex.count(0), 1, "scale", torch::kFloat64).squeeze(-1).exp();
  const Incidence exact = Incidence(complex, 1).scaled(scale, {});
  const Incidence rounded = Incidence(complex, 1).scaled(scale.to(torch::kFloat32), {});
  const Tensor all = singular_spectrum(exact).values;
  EXPECT_LT(distance(singular_spectrum(rounded).values.to(torch::kFloat64), all), 1e-4);
  for (const SpectrumEnd end : {SpectrumEnd::smallest, SpectrumEnd::largest}) {
    const Tensor values = extreme_singular_triplets(rounded, part(4, end)).values;
    EXPECT_EQ(values.scalar_type(), torch::kFloat32);
    const std::int64_t first = end == SpectrumEnd::smallest ? 0 : all.size(0) - 4;
    EXPECT_LT(distance(values.to(torch::kFloat64), all.narrow(0, first, 4)), 1e-4);
  }
}

TEST(Spectrum, NotANumberIsAnError) {
  const SimplicialComplex complex = sheet(10, 9);
  const Tensor scale = torch::full({complex.count(0)}, std::nan(""), torch::kFloat64);
  const Incidence B = Incidence(complex, 1).scaled(scale, {});
  for (const auto& options : {SpectrumOptions{}, part(4, SpectrumEnd::smallest)}) {
    try {
      singular_spectrum(B, options);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::numeric);
    }
  }
}

TEST(Spectrum, TooLargeIsAResourceErrorThatTellsToAskForCount) {
  SpectrumOptions options;
  options.max_memory = 1 << 20;
  try {
    singular_spectrum(Incidence(sheet(40, 40), 1), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
    EXPECT_NE(std::string(error.what()).find("count"), std::string::npos);
  }
  options = part(4, SpectrumEnd::smallest);
  options.max_products = 5;
  try {
    singular_spectrum(Incidence(sheet(40, 40), 1), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::numeric);
  }
}

// As many zeros as homology says, then the values of the whole spectrum; each vector is an eigenvector.
TEST(Spectrum, LowestBeginsWithTheZeros) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const ComplexOperators operators(random_complex(seed));
    for (int k = 0; k <= operators.order(); ++k) {
      const HodgeSpectrum all = hodge_spectrum(operators, k);
      for (const std::int64_t count : {std::int64_t{1}, all.values.size(0)}) {
        const HodgeSpectrum lowest = lowest_hodge_spectrum(operators, k, part(count, SpectrumEnd::smallest));
        ASSERT_EQ(lowest.values.size(0), count);
        EXPECT_LT(distance(lowest.values, all.values.narrow(0, 0, count)), 1e-7) << "seed " << seed;
        EXPECT_LT(distance(operators.laplacian(k, lowest.vectors), lowest.vectors * lowest.values), 1e-6);
        expect_orthonormal(lowest.vectors);
        for (std::int64_t i = 0; i < count; ++i)
          EXPECT_EQ(lowest.parts[i] == HodgePart::harmonic, lowest.values[i].item<double>() == 0);
      }
    }
  }
}

TEST(Spectrum, LowestNeedsACountFromTheLowerEnd) {
  const ComplexOperators operators(random_complex(3));
  EXPECT_THROW(lowest_hodge_spectrum(operators, 0, {}), Error);
  EXPECT_THROW(lowest_hodge_spectrum(operators, 0, part(1, SpectrumEnd::largest)), Error);
  EXPECT_THROW(lowest_hodge_spectrum(operators, 9, part(1, SpectrumEnd::smallest)), Error);
}

TEST(Spectrum, TinyComplexes) {
  const DiracSpectrum nothing = dirac_spectrum(ComplexOperators(SimplicialComplex()));
  EXPECT_TRUE(nothing.components.empty());
  EXPECT_TRUE(nothing.harmonic.empty());
  const ComplexOperators point(ComplexBuilder().add_vertices(1).build());
  const HodgeSpectrum s = hodge_spectrum(point, 0);
  EXPECT_EQ(s.values.item<double>(), 0);
  EXPECT_EQ(s.parts, std::vector<HodgePart>{HodgePart::harmonic});
  EXPECT_EQ(hodge_spectrum(point, 0, part(3, SpectrumEnd::largest)).values.size(0), 0);
  EXPECT_THROW(hodge_spectrum(point, 1), Error);
  EXPECT_THROW(dirac_eigenpairs(dirac_spectrum(point), 1), Error);
  EXPECT_THROW(singular_spectrum(Incidence(cycle(4), 1), part(-1, SpectrumEnd::smallest)), Error);
}

}  // namespace
}  // namespace gsan
