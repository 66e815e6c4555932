#pragma once
// Tables of numbers as CSV: how to recognise their delimiter and their header.

#include <string_view>
#include <vector>

#include "gsan/data/formats/signal.h"
#include "gsan/data/formats/text/csv.h"

namespace gsan {

/// The delimiter of detect_delimiter; blanks, where the first record has none and is
/// several numbers separated by blanks.
char table_delimiter(std::string_view text);

/// Is the first record of a table a header? By itself: when none of its fields is a number
/// and not all are missing values.
bool has_header(const std::vector<CsvField>& first, HeaderRow header);

}  // namespace gsan
