#pragma once
// To which sizes batches of complexes are padded, so that most batches have one of few sizes.

#include <vector>

#include "gsan/hodge/operators.h"

namespace gsan {

/// A batch is as large as so many complexes of average size, rounded up to the next of eight steps between a
/// power of two and the next: all of its tables grow by one factor, so that batches of as many complexes have
/// a handful of sizes, whatever the number of tables. A function of the dataset and the batch alone.
class BatchSizes {
 public:
  /// Of the complexes of a dataset.
  explicit BatchSizes(const std::vector<SimplicialComplex>& complexes);

  /// Of a batch of such complexes.
  PaddedSizes sizes_of(const ComplexOperators& batch) const;

  /// Whether a batch of these sizes has at most three times the rows and pairs of the complex; where one
  /// table is many times its average, all others would grow with it.
  static bool pays(const PaddedSizes& sizes, const SimplicialComplex& complex);

 private:
  bool fits(const PaddedSizes& sizes, const SimplicialComplex& complex) const;
  PaddedSizes scaled(double complexes, int order) const;
  std::vector<double> rows_,
      pairs_;  // of an average complex, per order; pairs without the simplices themselves
};

}  // namespace gsan
