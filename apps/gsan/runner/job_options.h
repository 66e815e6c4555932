#pragma once
// Where, and how many at once, the runs are computed that a command starts.

#include <string>

#include <CLI/CLI.hpp>

namespace gsan::app {

struct JobOptions {
  int jobs = 0, threads = 0;  ///< 0: not given
  std::string device = "cpu";
  bool quiet = false;

  void add_to(CLI::App& command);
  int at_once() const;          ///< jobs, or one per core
  int threads_of_each() const;  ///< threads, or the share of a job in the cores
};

}  // namespace gsan::app
