#pragma once
// Numbers of benchmarks as text.

#include <string>

#include "apps/gsan/console/options.h"

namespace gsan::app {

std::string fixed(double number, int digits);

/// Four digits, no exponent.
std::string milliseconds_text(double number);

/// "name value, name value"
std::string facts_text(const Json& facts);

}  // namespace gsan::app
