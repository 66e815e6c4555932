// gsan: topological signals from the shell. One sub-command per file of commands/; this file
// parses, runs and turns errors into messages and exit codes.

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <sys/stat.h>

#include "gsan/core/check.h"
#include "gsan/core/nearest.h"
#include "gsan/core/quoted.h"
#include "gsan/data/fetch/download.h"
#include "gsan/ranks/ranks.h"
#include "gsan/topology/delaunay.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/error_report.h"
#include "apps/gsan/console/exit_code.h"
#include "apps/gsan/console/standard_streams.h"
#include "apps/gsan/console/work_line.h"
#include "apps/gsan/runner/retained_memory.h"

namespace gsan::app {
namespace {

std::string version() {
  return concat("gsan ", GSAN_VERSION, "\ntorch ", GSAN_TORCH_VERSION, "\ncompiler ", GSAN_COMPILER,
                "\nDelaunay lift ", has_delaunay() ? "yes" : "no (built without Qhull)", "\ndownloads ",
                can_download() ? "yes" : "no (built without libcurl)", "\nseveral processes ",
                why_no_ranks().empty() ? concat("yes (", rank_backends(), ")") : "no (built without Gloo)");
}

// All long options of a command, those of its groups (commands without a name) included.
void add_option_names(const CLI::App& command, std::vector<std::string>& names) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* group : command.get_subcommands({})) {
    if (group->get_name().empty()) add_option_names(*group, names);
  }
}

// The innermost command that was named.
const CLI::App& chosen_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  for (const CLI::App* command : parsed) {
    if (!command->get_name().empty()) return chosen_command(*command);
  }
  return app;
}

// CLI11 says which word it did not expect; this says which one was probably meant.
std::string suggestion(const CLI::App& app) {
  const auto words = app.remaining(true);
  if (words.empty()) return "";
  const std::string word = words.front().substr(0, words.front().find('='));
  const CLI::App& command = chosen_command(app);
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    add_option_names(command, known);
  } else {
    for (const CLI::App* inner : command.get_subcommands({})) {
      if (!inner->get_name().empty()) known.push_back(inner->get_name());
    }
  }
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : concat("; did you mean '", nearest, "'?");
}

int report_usage(const CLI::App& app, const std::string& message) {
  const auto chosen = app.get_subcommands();
  std::cerr << "gsan: " << escaped(message) << "\nRun 'gsan "
            << (chosen.empty() ? "" : chosen.front()->get_name() + " ") << "--help' for the options.\n";
  return static_cast<int>(ExitCode::usage);
}

// Messages quote names and values of files; nothing of them reaches the terminal as a command to it.
int report_error(const ErrorReport& report) {
  std::cerr << "gsan: " << escaped(report.text) << '\n';
  return static_cast<int>(report.code);
}

int run(int argc, char** argv) {
  CLI::App app("Signals on simplicial complexes: build, inspect, decompose, check, and train models on them.",
               "gsan");
  app.set_version_flag("--version", version());
  app.footer(concat("Example:\n  gsan inspect --example annulus\n\n", exit_code_help));
  const std::vector<Command> commands{
#define COMMAND(name) add_##name(app),
#include "apps/gsan/commands/commands.def"
#undef COMMAND
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ExtrasError& error) {
    return report_usage(app, error.what() + suggestion(app));
  } catch (const CLI::RequiredError& error) {  // also where a misspelt sub-command took its place
    return report_usage(app, error.what() + suggestion(app));
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error.what());
  }
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    if (command.retains_memory()) keep_freed_memory();
    return static_cast<int>(command.run());
  }
  std::cerr << app.help();
  return static_cast<int>(ExitCode::usage);
}

}  // namespace
}  // namespace gsan::app

int main(int argc, char** argv) {
  using namespace gsan::app;
  open_closed_streams();
  ::umask(::umask(0) | S_IWOTH);  // nothing that gsan writes is writable by everybody
  // Products in bfloat16 on the CPU end the process (SIGILL) in oneDNN's code for AMX on some virtual
  // machines.
  ::setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16", 0);
  const WorkLine line(std::cerr, gsan::progress_options(2));
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return report_error(error_report(error));
  }
}
