#pragma once
// Parts of a page that may fail without the others.

#include <exception>
#include <string>
#include <vector>

#include <c10/util/Exception.h>

#include "gsan/core/check.h"

namespace gsan::report::html {

/// Runs `part` and reports in one sentence of `missing` why it could not be made, whatever the fault.
template <class Part>
void tried(const std::string& what, std::vector<std::string>& missing, const Part& part) {
  try {
    part();
  } catch (const c10::Error& error) {
    missing.push_back(concat(what, ": ", error.what_without_backtrace()));
  } catch (const std::exception& error) {
    missing.push_back(concat(what, ": ", error.what()));
  }
}

}  // namespace gsan::report::html
