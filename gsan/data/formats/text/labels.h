#pragma once
// The user's names of the vertices. A label is a text; one that spells an integer the
// plain way ("7", "-3", not "007" or "+7") counts as that integer. Labels may have gaps;
// inside, the vertices are 0 … N_0 − 1: first the integers in numeric order, then the
// other labels in the order of their bytes. So the numbering depends on the set of
// labels alone, not on the order in which a file lists them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/numbering.h"
#include "gsan/topology/complex.h"

namespace gsan {

class Labels {
 public:
  /// The integers first … first + count − 1.
  static Labels consecutive(Index count, std::int64_t first = 0);

  Index size() const { return static_cast<Index>(integers_.size() + strings_.size()); }
  bool is_integer(Vertex vertex) const { return static_cast<std::size_t>(vertex) < integers_.size(); }
  std::string text(Vertex vertex) const;
  std::optional<Vertex> find(std::string_view label) const;

  /// "(a b c)", for messages.
  std::string text(std::span<const Vertex> simplex) const;

  friend bool operator==(const Labels&, const Labels&) = default;

 private:
  friend class LabelCollector;
  std::vector<std::int64_t> integers_;  // increasing: vertices 0 … integers_.size() − 1
  std::vector<std::string> strings_;    // increasing: the vertices after those
};

/// Takes labels as they are met, any number of times, and numbers them at the end.
class LabelCollector {
 public:
  void add(std::string_view label);
  void add(std::int64_t label) { values_.push_back(label); }

  /// vertices[i] becomes the vertex of the i-th added label. The collector is empty after it.
  Labels finish(std::vector<Vertex>& vertices);

 private:
  std::vector<std::int64_t> values_;        // the integer, or the number of the string
  std::vector<std::size_t> string_places_;  // where values_ numbers a string, increasing
  Numbering<std::string, std::string_view> strings_;
};

}  // namespace gsan
