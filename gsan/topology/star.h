#pragma once
// Star and link of a set of simplices S. Cost grows with the star, not with the complex
// (whose coface lists are built on first use).
//   open star   St S: every simplex that has a member of S among its faces, S included
//   closed star Cl St S: the smallest complex that contains it
//   link        Cl St S − St Cl S; for one simplex σ: the τ of the closed star disjoint from σ,
//               for one vertex: closed star minus open star

#include "gsan/topology/mapped_complex.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {

SimplexRows open_star(const SimplicialComplex& complex, const SimplexRows& chosen);
MappedComplex closed_star(const SimplicialComplex& complex, const SimplexRows& chosen);
MappedComplex link(const SimplicialComplex& complex, const SimplexRows& chosen);

/// The set of one simplex, row i of order k.
SimplexRows single_simplex(int k, Index i);

}  // namespace gsan
