#pragma once
// "did you mean": the known word that a misspelt one was probably meant to be.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gsan {

/// Fewest insertions, deletions, substitutions and swaps of neighbours that turn a into b
/// (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word with the smallest distance, the first of several; empty when none is
/// known. A dotted word is also compared by its last part: "heads" finds "model.heads".
std::string nearest_word(std::string_view word, std::span<const std::string> known);

}  // namespace gsan
