#pragma once
// One simplex a line: the labels of its vertices, separated by blanks or commas. '#' at
// the start of a line or of a word begins a comment. A label with a blank, a comma, a
// quote or a '#' at its start is put in double quotes; a quote inside is doubled.

#include <string>
#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

ComplexFile parse_simplices(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

/// The listed simplices, order by order, vertices as listed. A label with a line break or
/// a zero byte cannot be written: an error.
std::string print_simplices(const ListedComplex& listed);

}  // namespace gsan
