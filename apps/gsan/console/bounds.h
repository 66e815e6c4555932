#pragma once
// Bounds of numbers on the command line without an upper end. CLI11's own print theirs in full, 309 digits.

#include <string>

#include <CLI/CLI.hpp>

namespace gsan::app {

/// Fails unless the word is a number that is at least 0, or above 0.
inline CLI::Validator number_bound(const char* rule, bool zero_is_allowed) {
  return CLI::Validator(
      [rule, zero_is_allowed](const std::string& word) -> std::string {
        double value = 0;
        if (!CLI::detail::lexical_cast(word, value)) return "expected a number, got " + word;
        const bool is_good = zero_is_allowed ? value >= 0 : value > 0;
        return is_good ? "" : std::string("must be ") + rule + ", got " + word;
      },
      rule);
}

inline CLI::Validator not_negative() { return number_bound("at least 0", true); }
inline CLI::Validator positive() { return number_bound("above 0", false); }

}  // namespace gsan::app
