#pragma once
// Singular triplets of a boundary operator, B_j = U diag(σ) Vᵀ. Everything spectral follows
// from them: σ² are the eigenvalues of L_{j−1}^u (vectors U) and of L_j^d (vectors V), ±σ those of
// the Dirac component D^(j) (spec 7).

#include <cstddef>
#include <optional>

#include "gsan/hodge/incidence.h"

namespace gsan {

enum class SpectrumEnd { smallest, largest };

struct SpectrumOptions {
  /// How many non-zero singular values to compute, from `end`; all of them when absent.
  std::optional<std::int64_t> count;
  SpectrumEnd end = SpectrumEnd::smallest;
  double tolerance = 1e-8;              ///< of a partial spectrum: |Bᵀu − σv| ≤ tolerance · σ
  std::int64_t max_products = 200'000;  ///< Laplacian products of a partial spectrum
  std::size_t max_memory = std::size_t{4} << 30;  ///< bytes; more is Fault::resource
  bool vectors =
      true;  ///< of a partial spectrum: false leaves them out (no columns), which may save most of the time
};

/// r non-zero singular values, increasing, with orthonormal vectors: B v = σ u, Bᵀ u = σ v.
struct SingularSpectrum {
  Tensor values;  ///< [r]
  Tensor left;    ///< [N_{j−1}, r], u
  Tensor right;   ///< [N_j, r], v
  std::int64_t count() const { return values.size(0); }
};

/// All non-zero singular triplets by a dense decomposition when `count` is absent or no small
/// part of them, else matrix-free (chebyshev.h); a B with a side of at most 4096 is decomposed by the Gram
/// matrix of that side (gram.h) where that takes less than what the iteration still needs. Copies of a
/// multiple singular value are all found. Returns fewer than `count` when there are no more. A decomposition
/// that would need more than max_memory is Fault::resource.
SingularSpectrum singular_spectrum(const Incidence& B, const SpectrumOptions& options = {});

}  // namespace gsan
