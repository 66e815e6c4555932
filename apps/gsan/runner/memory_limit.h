#pragma once
// --max-memory of the commands that run models: a limit of the whole process.

#include <cstddef>

#include <CLI/CLI.hpp>

namespace gsan::app {

struct MemoryLimit {
  std::size_t bytes = 0;  ///< 0: none was given

  void add_to(CLI::App& command);

  /// Sets the limit of the process, once the number of threads is set; Fault::resource where the command by
  /// itself takes more. Returns what structures derived from a complex may take: the limit, or that of the
  /// library. On a GPU only these are limited: its libraries map more than they use.
  std::size_t apply(bool is_cpu) const;
};

}  // namespace gsan::app
