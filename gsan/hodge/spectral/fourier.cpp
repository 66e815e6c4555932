#include "gsan/hodge/spectral/fourier.h"

#include <cmath>

#include "gsan/core/check.h"

namespace gsan {
namespace {

const double half_root = std::sqrt(0.5);

// a + sign · b, where undefined counts as zero.
Tensor combine(const Tensor& a, const Tensor& b, int sign, const char* who) {
  if (!b.defined()) return a;
  if (!a.defined()) return sign > 0 ? b : -b;
  GSAN_CHECK(a.sizes() == b.sizes(), who,
             ": signals that meet must agree in all but the rows, got coefficients ", a.sizes(), " and ",
             b.sizes());
  return sign > 0 ? a + b : a - b;
}

Tensor analyze_if(const Tensor& basis, const Tensor& x) { return x.defined() ? analyze(basis, x) : Tensor(); }
Tensor synthesize_if(const Tensor& basis, const Tensor& c) {
  return c.defined() ? synthesize(basis, c) : Tensor();
}
Tensor scale_if(const Tensor& x) { return x.defined() ? x * half_root : x; }

}  // namespace

Tensor analyze(const Tensor& basis, const Tensor& x) {
  GSAN_CHECK(x.defined() && x.dim() >= 2 && x.size(-2) == basis.size(0),
             "fourier: the signal must have the shape [..., ", basis.size(0), ", F], got ",
             x.defined() ? concat(x.sizes()) : "none (undefined)");
  return torch::matmul(basis.t().to(x.scalar_type()), x);
}

Tensor synthesize(const Tensor& basis, const Tensor& coefficients) {
  GSAN_CHECK(coefficients.defined() && coefficients.dim() >= 2 && coefficients.size(-2) == basis.size(1),
             "inverse_fourier: the coefficients must have the shape [..., ", basis.size(1), ", F], got ",
             coefficients.defined() ? concat(coefficients.sizes()) : "none (undefined)");
  return torch::matmul(basis.to(coefficients.scalar_type()), coefficients);
}

Tensor fourier(const HodgeSpectrum& spectrum, const Tensor& x) { return analyze(spectrum.vectors, x); }

Tensor inverse_fourier(const HodgeSpectrum& spectrum, const Tensor& coefficients) {
  return synthesize(spectrum.vectors, coefficients);
}

DiracCoefficients dirac_fourier(const DiracSpectrum& spectrum, const Cochains& x) {
  const std::size_t orders = spectrum.harmonic.size();
  GSAN_CHECK(x.size() == orders, "dirac_fourier: the signal must have one tensor for each of the ", orders,
             " orders (undefined where there is none), got ", x.size());
  DiracCoefficients c;
  for (std::size_t j = 1; j < orders; ++j) {
    const SingularSpectrum& component = spectrum.components[j - 1];
    const Tensor a = scale_if(analyze_if(component.left, x[j - 1]));
    const Tensor b = scale_if(analyze_if(component.right, x[j]));
    c.aligned.push_back(combine(a, b, +1, "dirac_fourier"));
    c.anti_aligned.push_back(combine(a, b, -1, "dirac_fourier"));
  }
  for (std::size_t k = 0; k < orders; ++k) c.harmonic.push_back(analyze_if(spectrum.harmonic[k], x[k]));
  return c;
}

Cochains inverse_dirac_fourier(const DiracSpectrum& spectrum, const DiracCoefficients& c) {
  const std::size_t orders = spectrum.harmonic.size(), components = spectrum.components.size();
  GSAN_CHECK(
      c.aligned.size() == components && c.anti_aligned.size() == components && c.harmonic.size() == orders,
      "inverse_dirac_fourier: the spectrum has ", components, " components and ", orders,
      " orders, got coefficients for ", c.aligned.size(), ", ", c.anti_aligned.size(), " and ",
      c.harmonic.size());
  const char* who = "inverse_dirac_fourier";
  Cochains x(orders);
  for (std::size_t k = 0; k < orders; ++k) x[k] = synthesize_if(spectrum.harmonic[k], c.harmonic[k]);
  for (std::size_t j = 1; j < orders; ++j) {
    const SingularSpectrum& component = spectrum.components[j - 1];
    const Tensor a = scale_if(combine(c.aligned[j - 1], c.anti_aligned[j - 1], +1, who));
    const Tensor b = scale_if(combine(c.aligned[j - 1], c.anti_aligned[j - 1], -1, who));
    x[j - 1] = combine(x[j - 1], synthesize_if(component.left, a), +1, who);
    x[j] = combine(x[j], synthesize_if(component.right, b), +1, who);
  }
  return x;
}

}  // namespace gsan
