#pragma once
// HIF, the hypergraph interchange format (https://github.com/HIF-org/HIF-standard), for
// abstract simplicial complexes ("network-type": "asc"): JSON with `incidences` of node
// and edge, and optionally lists of `nodes` and `edges`.

#include <string>
#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// `nodes` are the listed vertices; `edges`, then the edges that only incidences name, are
/// the listed simplices, their vertices in the order of the incidences. An edge with one
/// node is that vertex. Weights of nodes and edges are the values (NaN where there is
/// none); with them a simplex may be listed once only. Weights of incidences, attributes
/// and metadata are not read. Other network types need options.close_hypergraph.
ComplexFile parse_hif(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

/// The listed simplices, edges named 0, 1, … in listed order, and values[k] (one column)
/// as weights where given.
std::string print_hif(const ComplexFile& file);

}  // namespace gsan
