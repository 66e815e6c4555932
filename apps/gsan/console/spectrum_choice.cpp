#include "apps/gsan/console/spectrum_choice.h"

#include "apps/gsan/console/bounds.h"

namespace gsan::app {

SpectrumOptions SpectrumChoice::options(const Limits& limits) const {
  SpectrumOptions wanted;
  if (!all) wanted.count = count;
  wanted.end = largest ? SpectrumEnd::largest : SpectrumEnd::smallest;
  wanted.tolerance = tolerance;
  wanted.max_memory = limits.max_memory;
  return wanted;
}

CLI::Option* SpectrumChoice::add_to(CLI::App& command, const std::string& count_help) {
  CLI::Option* how_many =
      command.add_option("--count", count, count_help)->check(positive())->capture_default_str();
  CLI::Option* upper = command.add_flag("--largest", largest, "from the upper end of the spectrum");
  command.add_flag("--all", all, "the whole spectrum, by a dense decomposition")
      ->excludes(how_many)
      ->excludes(upper);
  command.add_option("--tolerance", tolerance, "relative residual of a partial spectrum")
      ->check(CLI::Range(1e-14, 0.1))
      ->capture_default_str();
  return how_many;
}

HodgeSpectrum SpectrumChoice::laplacian(const ComplexOperators& operators, int k, const Limits& limits,
                                        bool vectors) const {
  SpectrumOptions wanted = options(limits);
  wanted.vectors = vectors;
  return all || largest || nonzero ? hodge_spectrum(operators, k, wanted)
                                   : lowest_hodge_spectrum(operators, k, wanted);
}

DiracSpectrum SpectrumChoice::dirac(const ComplexOperators& operators, const Limits& limits,
                                    bool vectors) const {
  SpectrumOptions wanted = options(limits);
  wanted.vectors = vectors;
  return dirac_spectrum(operators, wanted);
}

std::vector<double> numbers(const Tensor& x) {
  const Tensor values = x.to(torch::kCPU, torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

}  // namespace gsan::app
