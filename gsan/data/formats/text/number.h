#pragma once
// Numbers as text, the same in every locale: what is written reads back to the same bits.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gsan {

/// The float64 that the whole text spells (also "nan", "inf"), if it spells one within
/// the range of float64.
std::optional<double> parse_number(std::string_view text);

/// Is the whole text a decimal number, even one beyond the range of float64?
bool spells_number(std::string_view text);

/// Does the text say that a value is not known: empty, or nan, na, n/a in any case?
bool spells_missing(std::string_view text);

/// The integer that the whole text spells, if it spells one that fits.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Appends the shortest decimal that reads back to the same bits; NaN as "nan".
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

}  // namespace gsan
