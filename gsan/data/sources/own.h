#pragma once
// The user's own data as a source: every kind, by the readers of data/own.

#include <string>

#include "gsan/data/sources/source.h"

namespace gsan {

/// A folder in the TU text format has labelled complexes as tu.h reads them, and its options, which have the
/// same names. A folder need not be there (any more): settings of a run that was trained on it can still be
/// read.
DataSource own_source(const std::string& path);

}  // namespace gsan
