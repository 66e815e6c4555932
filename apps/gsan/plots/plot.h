#pragma once
// The kinds of pictures of `gsan plot`, one file each: plots.def has a row for every one of them.
// add_plot_NAME declares the options of a kind and returns what to run once they are parsed.

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/gsan/console/exit_code.h"

namespace gsan::app {

struct Plot {
  CLI::App* parser;
  std::function<ExitCode()> run;
};

#define PLOT(name) Plot add_plot_##name(CLI::App& app);
#include "apps/gsan/plots/plots.def"
#undef PLOT

}  // namespace gsan::app
