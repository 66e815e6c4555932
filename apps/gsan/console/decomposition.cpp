#include "apps/gsan/console/decomposition.h"

#include <cmath>

#include "gsan/core/check.h"
#include "gsan/core/quoted.h"

#include "apps/gsan/console/bounds.h"

namespace gsan::app {

void add_solver_options(CLI::App& command, SolverOptions& solver) {
  command.add_option("--tolerance", solver.tolerance, "relative error of the parts")
      ->check(CLI::Range(1e-14, 0.1))
      ->capture_default_str();
  command.add_option("--max-iterations", solver.max_iterations, "of the solver, for each projection")
      ->check(positive())
      ->capture_default_str();
}

Json energies_json(const HodgeDecomposition& parts, const std::vector<std::string>& columns) {
  const Tensor gradient = parts.gradient_energy.cpu(), curl = parts.curl_energy.cpu(),
               harmonic = parts.harmonic_energy.cpu();
  Json rows = Json::array();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto at = [c](const Tensor& energy) { return energy[static_cast<std::int64_t>(c)].item<double>(); };
    const double energy = at(gradient) + at(curl) + at(harmonic);
    if (!std::isfinite(energy))
      fail(Fault::numeric, "the energy of column ", in_quotes(columns[c]),
           ", the sum of its squares, is beyond float64; divide the signal by its largest entry");
    rows.push_back({{"column", columns[c]},
                    {"energy", energy},
                    {"gradient", at(gradient)},
                    {"curl", at(curl)},
                    {"harmonic", at(harmonic)}});
  }
  return rows;
}

}  // namespace gsan::app
