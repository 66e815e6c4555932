#pragma once
// An exception as the command reports it.

#include <exception>
#include <string>

#include "apps/gsan/console/exit_code.h"

namespace gsan::app {

struct ErrorReport {
  ExitCode code;
  std::string text;
};

ErrorReport error_report(const std::exception& error);

}  // namespace gsan::app
