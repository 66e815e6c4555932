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
  run_failed = 8,     ///< `gsan sweep`, `gsan reproduce`: a run failed, the others were done; `gsan train
                      ///< --processes`: a rank was killed
  internal = 70,      ///< anything else: a bug
  interrupted = 130,  ///< Ctrl-C or SIGTERM; what was done is saved
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
    "exceeded; 6 a file cannot be read, written or fetched; 7 an iteration does not converge, or a loss\n"
    "is not finite; 8 a run failed (sweep, reproduce, train --processes); 70 internal error; 130 "
    "interrupted, and saved.";

}  // namespace gsan::app
