#pragma once
// How the numbers of several runs spread.

#include <vector>

namespace gsan::report {

struct Spread {
  double mean = 0;
  double sd = 0;              ///< of a sample; 0 for fewer than two values
  double standard_error = 0;  ///< of the mean: sd / √n
};

/// Of at least one value.
Spread spread_of(const std::vector<double>& values);

}  // namespace gsan::report
