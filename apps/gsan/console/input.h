#pragma once
// The complex that a command works on: a file in any known format, or a built-in example.

#include <string>

#include <CLI/CLI.hpp>

#include "gsan/data/formats/complex_file.h"

namespace gsan::app {

struct Input {
  ComplexFile file;
  std::string source;  ///< for people: the path, or "example NAME"
  bool is_example = false;
};

struct InputOptions {
  std::string path, example;
  std::string format;  ///< empty: detected
  ReadOptions reading;

  /// The file, --example, --format, --max-order and the limits.
  void add_to(CLI::App& command, bool is_required = true);
  /// The same for a command that can do without a complex: --complex FILE in place of the bare file.
  void add_optional_to(CLI::App& command);
  bool is_given() const { return !path.empty() || !example.empty(); }
  Input read() const;
};

/// --format, --skip-degenerate, --close-hypergraph and the limits.
void add_reading(CLI::App& command, std::string& format, ReadOptions& reading);
/// --max-order of the complex that is read.
void add_max_order(CLI::App& command, ReadOptions& reading);

}  // namespace gsan::app
