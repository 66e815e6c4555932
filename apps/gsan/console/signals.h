#pragma once
// Signals between files and tensors, and results in the order of the user's list.

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gsan/data/formats/listed_complex.h"
#include "gsan/data/formats/signal.h"
#include "gsan/hodge/operators.h"

#include "apps/gsan/console/output_folder.h"

namespace gsan::app {

Tensor to_tensor(const Signal& signal, torch::Device device);            ///< [rows, columns] float64
Signal to_signal(const Tensor& x, std::vector<std::string> names = {});  ///< x [rows, columns]

/// Signals [N_k, F] of one order under a common name: "gradient", "curl", …
struct NamedSignal {
  std::string name;
  Tensor values;
};

/// --output and --output-format of the commands that write signals.
struct TableOptions {
  std::string folder;  ///< empty: nothing is written
  std::string format = "csv";

  void add_to(CLI::App& command, const std::string& what);
  std::unique_ptr<OutputFolder> open() const;  ///< nothing without a folder

  /// Rows in the order of `list` with its vertices; signs follow them where `oriented`.
  /// CSV: one file STEM_k.csv with the columns v0 … vk and NAME, or NAME_COLUMN when there
  /// are several columns. NPY: one file NAME_k.npy each, and simplices_k.txt.
  void add_tables(OutputFolder& output, const std::string& stem, const std::vector<NamedSignal>& signals,
                  const std::vector<std::string>& columns, const ListedSimplices& list,
                  const ListedComplex& listed, bool oriented = true) const;
};

}  // namespace gsan::app
