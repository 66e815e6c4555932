#pragma once
// A complex made from the simplices of another one, with the way back.

#include <cstdint>
#include <vector>

#include "gsan/topology/complex.h"

namespace gsan {

/// Row i of order k in `complex` is row source[k][i] of the complex it came from; the
/// two sorted vertex lists name the same oriented simplex up to sign[k][i] = ±1.
/// A signal moves as  y[i] = sign[k][i] · x[source[k][i]].
struct MappedComplex {
  SimplicialComplex complex;
  std::vector<std::vector<Index>> source;
  std::vector<std::vector<std::int8_t>> sign;
};

}  // namespace gsan
