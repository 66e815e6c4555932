// gsan plot: pictures of complexes, signals, spectra and runs. One kind per file of plots/.

#include "apps/gsan/plots/plot.h"

#include <vector>

#include "gsan/core/check.h"

#include "apps/gsan/commands/command.h"

namespace gsan::app {

Command add_plot(CLI::App& app) {
  CLI::App* command = app.add_subcommand("plot", "Pictures of complexes, signals, spectra and runs");
  command->require_subcommand(1);
  command->footer("Example:\n  gsan plot spectrum --example annulus --order 1 --output spectrum.svg");
  const std::vector<Plot> kinds{
#define PLOT(name) add_plot_##name(*command),
#include "apps/gsan/plots/plots.def"
#undef PLOT
  };
  return {command, [kinds] {
            for (const Plot& kind : kinds)
              if (kind.parser->parsed()) return kind.run();
            fail(Fault::argument, "gsan plot: no kind of picture was named");
          }};
}

}  // namespace gsan::app
