#pragma once
// Which eigenvalues a command computes: the whole spectrum, or a few from one end.

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gsan/hodge/spectral/spectrum.h"
#include "gsan/topology/limits.h"

namespace gsan::app {

/// --count, --largest, --all and --tolerance; `gsan spectrum` adds --nonzero.
struct SpectrumChoice {
  bool all = false, largest = false, nonzero = false;
  std::int64_t count = 10;
  double tolerance = SpectrumOptions{}.tolerance;

  CLI::Option* add_to(CLI::App& command, const std::string& count_help);  ///< returns --count

  /// Eigenpairs of L_k; where only a few are asked for from below, the zeros are among them unless `nonzero`.
  /// Without `vectors` a partial spectrum has none.
  HodgeSpectrum laplacian(const ComplexOperators& operators, int k, const Limits& limits, bool vectors) const;
  DiracSpectrum dirac(const ComplexOperators& operators, const Limits& limits, bool vectors) const;

 private:
  SpectrumOptions options(const Limits& limits) const;
};

/// The numbers of a tensor of any shape, row by row.
std::vector<double> numbers(const Tensor& x);

}  // namespace gsan::app
