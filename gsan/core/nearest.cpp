#include "gsan/core/nearest.h"

#include <algorithm>
#include <vector>

namespace gsan {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows i − 2, i − 1 and i of the table of distances between prefixes.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  const auto distance = [&](const std::string& candidate) {
    const std::size_t whole = edit_distance(word, candidate);
    const std::size_t dot = candidate.rfind('.');
    if (dot == std::string::npos) return whole;
    return std::min(whole, edit_distance(word, std::string_view(candidate).substr(dot + 1)) + 1);
  };
  const auto best = std::min_element(known.begin(), known.end(),
                                     [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return best == known.end() ? std::string() : *best;
}

}  // namespace gsan
