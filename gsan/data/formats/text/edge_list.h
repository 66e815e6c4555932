#pragma once
// A graph as "u v" or "u v weight" per line: separated by blanks, or CSV with comma,
// semicolon or tab. '#' and '%' begin comment lines.

#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// The edges in listed order; the weights, where there are any, are the values of order 1.
/// A CSV may have a header (source,target; src,dst; from,to; node1,node2; v0,v1; u,v; with any
/// third name). An edge listed twice, in either direction, is one edge, but an error when
/// there are weights. A self loop is an error unless options.skip_degenerate leaves it out.
ComplexFile parse_edge_list(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

/// Does the text begin with such a header?
bool has_edge_header(std::string_view bytes);

}  // namespace gsan
