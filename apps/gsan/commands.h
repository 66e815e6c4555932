#pragma once
// The sub-commands, one file each. add_X declares the options of a command and returns
// what to run once they are parsed.

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/gsan/exit_code.h"

namespace gsan::app {

struct Command {
  CLI::App* parser;
  std::function<ExitCode()> run;
  /// Whether freed memory stays with the process (retained_memory.h).
  std::function<bool()> retains_memory = [] { return true; };
};

Command add_inspect(CLI::App& app);
Command add_lift(CLI::App& app);
Command add_decompose(CLI::App& app);
Command add_spectrum(CLI::App& app);
Command add_check(CLI::App& app);
Command add_models(CLI::App& app);
Command add_data(CLI::App& app);
Command add_predict(CLI::App& app);
Command add_train(CLI::App& app);
Command add_eval(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_bench(CLI::App& app);

}  // namespace gsan::app
