#pragma once
// What the command returns to the shell.

#include "gsan/core/check.h"

namespace gsan::app {

enum class ExitCode {
  success = 0,
  law_broken = 1,  ///< `gsan check` found a law that does not hold
  usage = 2,       ///< unknown command or option, missing or malformed value
  argument = 3,
  format = 4,
  resource = 5,
  io = 6,
  numeric = 7,
  internal = 70,  ///< anything else: a bug
};

constexpr ExitCode exit_code(Fault fault) {
  switch (fault) {
    case Fault::argument:
      return ExitCode::argument;
    case Fault::format:
      return ExitCode::format;
    case Fault::resource:
      return ExitCode::resource;
    case Fault::io:
      return ExitCode::io;
    case Fault::numeric:
      return ExitCode::numeric;
  }
  return ExitCode::internal;
}

constexpr const char* exit_code_help =
    "Exit codes: 0 success; 1 a law does not hold (check); 2 wrong usage; 3 a value breaks a rule;\n"
    "4 a file does not follow its format; 5 a limit (--max-simplices, --max-memory) or the memory is\n"
    "exceeded; 6 a file cannot be read, written or fetched; 7 an iteration does not converge; 70 internal\n"
    "error.";

}  // namespace gsan::app
