#pragma once
// Which names of columns say that a table names the simplices of its rows: v0 … vk, and what people write
// for one vertex and for the two ends of an edge.

#include <cstddef>
#include <span>
#include <string>

#include "gsan/data/formats/text/csv.h"

namespace gsan {

/// "v2"
std::string vertex_column(std::size_t number);

/// Is it the name of a column of vertices: v0, id, node, vertex, name (any case)?
bool names_vertex(std::string_view name);

/// Do the first two names belong to the ends of an edge: v0,v1; source,target; src,dst; from,to; node1,node2;
/// u,v (any case)?
bool names_edge(std::span<const CsvField> header);

/// How many columns at the front of a header name the vertices of a row's simplex: those called v0, v1, …;
/// where the table is known to hold simplices of `vertices` vertices, 1 or 2, also those of the names above.
/// 0: none, rows belong to simplices by their order.
std::size_t key_columns(std::span<const CsvField> header, std::size_t vertices = 0);

}  // namespace gsan
