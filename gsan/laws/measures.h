#pragma once
// What measurements share: random signals, sizes and differences, and signals on a complex with new names.

#include <cmath>
#include <vector>

#include "gsan/core/random.h"
#include "gsan/hodge/operators.h"
#include "gsan/topology/mapped_complex.h"

namespace gsan::laws {

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
double largest(const Cochains& x);  ///< over the orders that are defined
double largest_difference(const Tensor& a, const Tensor& b);
/// Over all orders; infinite where only one of the two is defined, or shapes differ.
double largest_difference(const Cochains& a, const Cochains& b);

/// y[i] = sign[i] x[source[i]] on order k; x […, N_k, F].
Tensor moved(const MappedComplex& mapped, int k, const Tensor& x);
/// The same for every order of the complex; others, which have no rows, stay.
Cochains moved(const MappedComplex& mapped, const Cochains& x);

/// The complex and its skeletons of order 0 and 1: parts of a batch that differ from each other.
std::vector<SimplicialComplex> complex_and_skeletons(const SimplicialComplex& complex);

}  // namespace gsan::laws
