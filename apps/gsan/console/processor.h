#pragma once

#include <string>

namespace gsan::app {

/// As the system calls it; "unknown" where it does not.
std::string processor_name();

}  // namespace gsan::app
