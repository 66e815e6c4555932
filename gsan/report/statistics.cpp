#include "gsan/report/statistics.h"

#include <cmath>

namespace gsan::report {

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const auto count = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) spread.mean += value;
  spread.mean /= count;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.sd = std::sqrt(squares / (count - 1));
  spread.standard_error = spread.sd / std::sqrt(count);
  return spread;
}

}  // namespace gsan::report
