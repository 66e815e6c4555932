#pragma once
// Pictures of signals on the edges of a complex and of their Hodge parts.

#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan::report::html {

/// How many arrows a picture has: those of the largest values.
inline constexpr std::size_t most_arrows = 40;

/// Energies are squared norms; those of the parts sum to that of the signal.
struct DecomposedItem {
  std::string name{}, truth{};  ///< truth: its class, where it has one
  double energy = 0, gradient = 0, curl = 0, harmonic = 0;
  /// The signal and its harmonic part; the others too for the first item of a small complex.
  std::vector<std::string> pictures{};
  bool operator==(const DecomposedItem&) const = default;
};

/// The first item of each of the first two classes of the phase; one item of a large complex. Empty where
/// items have no signal on edges that is a flow; an error where the complex has more edges and triangles than
/// a page has room for.
std::vector<DecomposedItem> decomposed_items(const Task& task, Phase phase);

}  // namespace gsan::report::html
