#pragma once
// Hyperedges as CSV (comma, semicolon, tab) or separated by blanks, every one a simplex with all its faces:
//
//   edge,node          a row per incidence; other columns are not read     v0,v1,v2,weight   a row per
//   hyperedge, talk1,ann                                                              ann,bob,cy,2 shorter
//   ones with talk1,bob                                                              ann,dan,,1        empty
//   fields or, where
//                                                                                            no weight
//                                                                                            follows, cut
//
// Without a header a row is a hyperedge.

#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// The hyperedges in the order of their first rows. Weights are values of their order; a hyperedge that is
/// listed twice is then an error. A node that is twice in a hyperedge of incidences counts once.
ComplexFile parse_hyperedges(std::string_view bytes, std::string_view source,
                             const ReadOptions& options = {});

/// Does a table begin with edge,node or with v0,v1,v2? (With v0,v1 alone it is a list of edges.)
bool has_hyperedge_header(std::string_view bytes);
/// Has a table rows of different lengths? Then it can only be a list of hyperedges.
bool is_ragged(std::string_view bytes, std::string_view source);

}  // namespace gsan
