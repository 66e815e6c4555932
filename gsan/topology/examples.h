#pragma once
// Small complexes that everybody knows, by name: for demos, tests and `gsan inspect --example`.

#include <span>
#include <string_view>
#include <vector>

#include "gsan/topology/embedded_complex.h"

namespace gsan {

struct Example {
  std::string_view name;
  std::string_view description;
  std::vector<Index> betti;  ///< over the rationals, per order
};

/// All examples, in the order in which they are listed to users. The first is the default.
std::span<const Example> examples();

/// The example of this name; an unknown name is an error that lists the known ones.
/// Coordinates come with those that have natural ones (dimension 0 otherwise).
EmbeddedComplex example_complex(std::string_view name);

}  // namespace gsan
