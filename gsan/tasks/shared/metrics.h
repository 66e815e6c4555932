#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gsan {

/// Name and value, in the order in which they are shown.
using Metrics = std::vector<std::pair<std::string, double>>;

}  // namespace gsan
