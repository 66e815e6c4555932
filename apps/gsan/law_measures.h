#pragma once
// How far a law is from holding on a complex: what the measurements of laws share.

#include <cmath>
#include <string>
#include <vector>

#include "gsan/core/random.h"
#include "gsan/hodge/operators.h"
#include "gsan/topology/mapped_complex.h"

namespace gsan::app {

struct Law {
  std::string name;
  std::string statement;  ///< what `measured` is
  double measured = 0;
  double bound = 0;          ///< the law holds when measured ≤ bound
  std::string skipped = {};  ///< why it was not measured; empty when it was

  bool is_skipped() const { return !skipped.empty(); }
  bool is_broken() const { return !is_skipped() && !(measured <= bound); }
};

/// The largest number seen; a NaN stays.
class Worst {
 public:
  void see(double number) {
    if (!std::isnan(value_) && !(number <= value_)) value_ = number;
  }
  double value() const { return value_; }

 private:
  double value_ = 0;
};

/// [rows, columns] standard normal numbers, float64.
Tensor normals(RandomStream stream, std::int64_t rows, std::int64_t columns, torch::Device device);
/// One of them per order.
Cochains normal_cochains(const ComplexOperators& operators, const RandomStream& stream, std::int64_t columns);

double length_of(const Tensor& x);  ///< |x|
double largest(const Tensor& x);    ///< largest absolute entry, 0 for none
double largest_difference(const Tensor& a, const Tensor& b);
double largest_difference(const Cochains& a, const Cochains& b);  ///< undefined in both: no difference

/// y[i] = sign[i] x[source[i]] on order k.
Tensor moved(const MappedComplex& mapped, int k, const Tensor& x);
Cochains moved(const MappedComplex& mapped, const Cochains& x);

/// The complex and its skeletons of order 0 and 1: parts of a batch that differ from each other.
std::vector<SimplicialComplex> complex_and_skeletons(const SimplicialComplex& complex);

}  // namespace gsan::app
