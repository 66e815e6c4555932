#pragma once
// The sub-commands, one file each: commands.def has a row for every one of them. add_NAME declares the
// options of a command and returns what to run once they are parsed.

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/gsan/console/exit_code.h"

namespace gsan::app {

struct Command {
  CLI::App* parser;
  std::function<ExitCode()> run;
  /// Whether freed memory stays with the process (runner/retained_memory.h).
  std::function<bool()> retains_memory = [] { return true; };
};

#define COMMAND(name) Command add_##name(CLI::App& app);
#include "apps/gsan/commands/commands.def"
#undef COMMAND

}  // namespace gsan::app
