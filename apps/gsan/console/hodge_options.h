#pragma once
// What the commands share that compute on one order of a complex, or on all of them through the Dirac
// operator.

#include <memory>
#include <string>

#include "gsan/hodge/operators.h"

#include "apps/gsan/console/input.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/signals.h"

namespace gsan::app {

struct HodgeOptions {
  InputOptions input;
  MachineOptions machine;
  ReportOptions report;
  TableOptions tables;
  int order = 1;
  bool dirac = false;

  /// The complex, --order and --dirac.
  void add_to(CLI::App& command, const std::string& order_help, const std::string& dirac_help);
  /// --output for `what`, the machine and --json: the last options of the help.
  void add_output_to(CLI::App& command, const std::string& what);
};

/// The complex that was asked for, ready to compute. Makes the output folder, where there is one.
struct HodgeInput {
  Input input;
  std::unique_ptr<OutputFolder> output;  ///< none without --output
  ComplexOperators operators;

  explicit HodgeInput(const HodgeOptions& options);
  const ListedComplex& listed() const { return input.file.listed; }
};

}  // namespace gsan::app
