#pragma once
// The text that GUDHI's Simplex_tree writes and reads with << and >>: one simplex a line,
//   dimension v_0 … v_dimension filtration
// with integer vertices (GUDHI writes them in decreasing order).

#include <string>
#include <string_view>

#include "gsan/data/formats/complex_file.h"

namespace gsan {

/// Every order's values are one column "filtration" (infinities are kept). A simplex that
/// is listed twice is an error; faces that are not listed are added without a value.
ComplexFile parse_gudhi(std::string_view bytes, std::string_view source, const ReadOptions& options = {});

/// Every simplex of the complex, order by order, with its filtration value: values[k]
/// (listed order, one column) when given, then for every simplex; else 0. Labels must be
/// integers.
std::string print_gudhi(const ComplexFile& file);

}  // namespace gsan
