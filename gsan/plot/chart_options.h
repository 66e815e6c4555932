#pragma once

#include <string>

namespace gsan {

/// What the charts share. On a logarithmic axis values that are not positive have no place and are left out.
struct ChartOptions {
  std::string title{}, x_label{}, y_label{};
  bool log_x = false, log_y = false;
  bool whole_x = false;  ///< x counts something: no ticks between whole numbers
  double width = 640, height = 360;
};

}  // namespace gsan
