#pragma once
// Signals as CSV: one row per simplex, one column per feature, a header or none. Columns
// v0 … vk at the front name the vertices of the row's simplex; without them row r belongs
// to the r-th listed simplex of its order.

#include <string>
#include <string_view>

#include "gsan/data/formats/signal.h"

namespace gsan {

/// Comma, semicolon or tab, whichever the first record holds; columns of numbers may also
/// be separated by blanks. The first record is a header when it begins with v0 or when
/// none of its fields is a number (options.header overrides).
Signal parse_signal_csv(std::string_view text, std::string_view source, const SignalOptions& options = {});

/// The table with a header where the columns or the simplices have names; values read
/// back to the same bits.
std::string print_signal_csv(const Signal& signal);

/// NPY when the path ends in .npy (the values alone), else CSV.
void write_signal(const std::string& path, const Signal& signal);

}  // namespace gsan
