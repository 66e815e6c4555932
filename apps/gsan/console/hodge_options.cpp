#include "apps/gsan/console/hodge_options.h"

#include "apps/gsan/console/bounds.h"

namespace gsan::app {

void HodgeOptions::add_to(CLI::App& command, const std::string& order_help, const std::string& dirac_help) {
  input.add_to(command);
  CLI::Option* one_order =
      command.add_option("--order", order, order_help)->check(not_negative())->capture_default_str();
  command.add_flag("--dirac", dirac, dirac_help)->excludes(one_order);
}

void HodgeOptions::add_output_to(CLI::App& command, const std::string& what) {
  tables.add_to(command, what);
  machine.add_to(command);
  report.add_to(command, false);
}

HodgeInput::HodgeInput(const HodgeOptions& options)
    : input(options.input.read()),
      output(options.tables.open()),
      operators(input.file.listed.complex, options.machine.apply()) {
  if (!options.dirac) listed().list(options.order);  // the order must exist
}

}  // namespace gsan::app
