#pragma once
// From labels as a file lists them to a ListedComplex.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/complex_file.h"
#include "gsan/data/formats/text/labels.h"

namespace gsan {

enum class Repeats {
  merge,   ///< a simplex may be listed more than once
  refuse,  ///< it may not: each listing carries values
};

class ListBuilder {
 public:
  /// `unit` says what the places count in messages: "line", "face", "edge", …
  ListBuilder(std::string_view source, std::string_view unit) : source_(source), unit_(unit) {}

  // The labels of a simplex in the order of the file, then its end and its place in the file.
  void add(std::string_view label) { labels_.add(label), ++width_; }
  void add(std::int64_t label) { labels_.add(label), ++width_; }
  void end_simplex(std::size_t place);

  /// Numbers the vertices, closes under faces and finds the listed simplices, those of order at most
  /// options.max_order. A simplex that repeats a vertex is an error.
  ListedComplex build(Repeats repeats, const ReadOptions& options);

 private:
  struct Pending {
    std::vector<Vertex> vertices;     // [R, order + 1]
    std::vector<std::size_t> places;  // [R]
  };
  std::string where(std::size_t place) const;
  std::vector<Pending> split_by_order(const Labels& labels, const std::vector<Vertex>& vertices,
                                      const ReadOptions& options) const;
  void check_size(std::size_t s, const ReadOptions& options) const;
  void check_repeats(const ListedComplex& listed, const ListedSimplices& list,
                     const std::vector<std::size_t>& places) const;

  std::string source_, unit_;
  LabelCollector labels_;
  std::size_t width_ = 0;            // labels of the simplex being added
  std::vector<std::size_t> widths_;  // one per simplex
  std::vector<std::size_t> places_;
};

}  // namespace gsan
