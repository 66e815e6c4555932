#pragma once
// Vertex orders that keep neighbours close in memory. Each function gives new names for
// `relabel`; incidence products then run along the cache lines instead of across them.

#include <span>
#include <vector>

#include "gsan/core/options.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// In which order a model computes on a complex (inner_order.h).
enum class VertexOrder {
  automatic,      ///< bisection where it pays, else given
  given,          ///< the complex's own
  bisection,      ///< bisection_order
  cuthill_mckee,  ///< reverse_cuthill_mckee
};

template <>
struct EnumNames<VertexOrder> {
  static constexpr std::pair<VertexOrder, std::string_view> names[] = {
      {VertexOrder::automatic, "automatic"},
      {VertexOrder::given, "none"},
      {VertexOrder::bisection, "bisection"},
      {VertexOrder::cuthill_mckee, "cuthill-mckee"}};
};

/// Positions along a Hilbert curve through points in the plane or in space; `points` is
/// a row-major table of finite numbers with 2 or 3 columns. Equal cells keep their order.
std::vector<Vertex> hilbert_order(std::span<const double> points, int dimension);

/// Reverse Cuthill–McKee on the edges, each component from a pseudo-peripheral vertex:
/// a small bandwidth without coordinates.
std::vector<Vertex> reverse_cuthill_mckee(const SimplicialComplex& complex);

/// The same for the vertices first … last − 1 alone, which no edge leaves: their new names are these numbers
/// again, the first is that of `first`.
std::vector<Vertex> reverse_cuthill_mckee(const SimplicialComplex& complex, Vertex first, Vertex last);

}  // namespace gsan
