#pragma once
// Where the signals on a complex come from: files, the file of the complex itself, or random numbers.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gsan/data/formats/signal.h"

#include "apps/gsan/console/input.h"

namespace gsan::app {

/// A signal in the order of the complex, and the list that its rows came in.
struct PlacedSignal {
  Signal values;
  ListedSimplices list;
  std::string source;  ///< for people

  std::vector<std::string> columns() const;  ///< their names, else 0, 1, …
};

/// --signal, --unoriented, --missing and --seed.
struct SignalSources {
  std::vector<std::string> files;  ///< [ORDER=]FILE
  bool unoriented = false;
  std::optional<double> missing;
  std::uint64_t seed = 0;

  void add_to(CLI::App& command);
  void add_seed_to(CLI::App& command);

  /// The files by order. Without an order in front a file is of `only_order`; where there is none, every
  /// file must have one.
  std::map<int, std::string> by_order(std::optional<int> only_order) const;

  /// The signal on order k: a file of --signal, else the values in the file of the complex, else random ones
  /// for an example; nothing where there is none of these. Every simplex has a value, or it is an error.
  std::optional<PlacedSignal> on(const Input& input, int k, std::optional<int> only_order) const;
};

}  // namespace gsan::app
