#include "gsan/hodge/spectral/alignment.h"

#include "gsan/core/check.h"
#include "gsan/hodge/spectral/fourier.h"

namespace gsan {

AlignedParts aligned_parts(const DiracSpectrum& spectrum, int j, const Cochains& x) {
  const int K = static_cast<int>(spectrum.components.size());
  GSAN_CHECK(j >= 1 && j <= K, "aligned_parts: the spectrum has the components 1 ... ", K, ", got j = ", j);
  const DiracCoefficients all = dirac_fourier(spectrum, x);
  DiracCoefficients plus{std::vector<Tensor>(K), std::vector<Tensor>(K), std::vector<Tensor>(K + 1)};
  DiracCoefficients minus = plus;
  plus.aligned[j - 1] = all.aligned[j - 1];
  minus.anti_aligned[j - 1] = all.anti_aligned[j - 1];
  return {inverse_dirac_fourier(spectrum, plus), inverse_dirac_fourier(spectrum, minus)};
}

Tensor embed_upward(const SingularSpectrum& component, const Tensor& x) {
  return synthesize(component.right, analyze(component.left, x));
}

Tensor embed_downward(const SingularSpectrum& component, const Tensor& x) {
  return synthesize(component.left, analyze(component.right, x));
}

}  // namespace gsan
