#include "apps/gsan/console/error_report.h"

#include "gsan/core/check.h"

#include "apps/gsan/console/device_errors.h"
#include "apps/gsan/console/out_of_memory.h"

namespace gsan::app {

ErrorReport error_report(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error))
    return {exit_code(known->fault()), known->what()};
  if (is_out_of_memory(error)) return {ExitCode::resource, out_of_memory_text(error)};
  if (const auto text = device_error_text(error)) return {ExitCode::argument, *text};
  return {ExitCode::internal, concat("internal error, please report it: ", error.what())};
}

}  // namespace gsan::app
