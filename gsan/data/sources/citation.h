#pragma once
// Co-authorship complexes with citations: the value of a simplex is the number of citations of the
// papers that all its authors wrote together.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/datasets.h"

namespace gsan {

/// The keys of the section `data`.
struct CitationSettings {
  int max_order = 6;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("max_order", self.max_order,
          "citation: the highest order that is read, at least 6 and what the task needs");
  }
  std::vector<std::string> faults() const;
};

struct CitationDataset {
  /// Values joined to the simplices by their authors. The sources of a simplex are the papers that
  /// contain it; all papers are numbered, from the largest on.
  ValueDataset data;
  /// Per order, [N_k] float64: the values in the order of the file, which is not that of the simplices.
  /// Public programs use these as if row i were simplex i.
  std::vector<Tensor> published_values;
  /// Per order, [N_k] int64: the row of the simplex that stands at each place of the file, so that
  /// published_values[k] = data.values[k][published_rows[k]].
  std::vector<Tensor> published_rows;
  /// Per paper: its authors (rows of order 0, increasing) and its citations.
  std::vector<std::vector<Vertex>> papers;
  std::vector<double> citations;
};

/// Reads NUMBER_cochains.npy: a list of dicts frozenset → citations, one per order. The result goes up to
/// `max_order` (or the order of the file, if that is lower); papers are found from all orders, by Möbius
/// inversion: a simplex has citations of its own as far as no larger one explains its value. The vertices
/// are the authors in increasing order of their numbers. Fault::format where the file is not closed under
/// faces, names a simplex twice, or a value is not a sum over papers.
CitationDataset read_citation(const std::filesystem::path& cochains, int max_order);
CitationDataset parse_citation(std::string_view bytes, std::string_view source, int max_order);

}  // namespace gsan
