#pragma once
// A re-orientation: one ±1 per simplex (spec 1),
//   B_k → diag(o_{k−1}) B_k diag(o_k),   x_k → diag(o_k) x_k.
// The frozen complex keeps its signs; an Orientation is kept beside it.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/core/random.h"
#include "gsan/topology/complex.h"

namespace gsan {

class Orientation {
 public:
  /// Takes signs[k][i] = ±1 for every simplex of the complex, and checks just that.
  Orientation(const SimplicialComplex& complex, std::vector<std::vector<std::int8_t>> signs);

  static Orientation identity(const SimplicialComplex& complex);
  /// Fair coins; order k draws from stream.substream(k), so adding orders changes none below.
  static Orientation random(const SimplicialComplex& complex, const RandomStream& stream);

  int order() const { return static_cast<int>(signs_.size()) - 1; }
  std::span<const std::int8_t> signs(int k) const;  ///< [N_k]; empty for an order that does not exist

  /// Applying `other` after this one (they commute); each is its own inverse.
  Orientation then(const Orientation& other) const;

  /// Sign of face j of simplex i of order k ≥ 1 in the re-oriented B_k.
  int boundary_sign(const SimplicialComplex& complex, int k, Index i, int j) const {
    return signs_[k - 1][complex.faces(k, i)[j]] * face_sign(j) * signs_[k][i];
  }

  /// x_k → diag(o_k) x_k in place; `values` is a row-major [N_k, F] table.
  template <class T>
  void apply(int k, std::span<T> values) const {
    const std::span<const std::int8_t> o = signs(k);
    if (o.empty()) {
      GSAN_CHECK(values.empty(), "Orientation::apply: order ", k, " has no simplices, got ", values.size(),
                 " values");
      return;
    }
    GSAN_CHECK(values.size() % o.size() == 0, "Orientation::apply: order ", k, " has ", o.size(),
               " simplices, got ", values.size(), " values, which is not a multiple of it");
    const std::size_t width = values.size() / o.size();
    for (std::size_t i = 0; i < o.size(); ++i) {
      for (std::size_t c = 0; c < width; ++c) values[i * width + c] *= static_cast<T>(o[i]);
    }
  }

  friend bool operator==(const Orientation&, const Orientation&) = default;

 private:
  explicit Orientation(std::vector<std::vector<std::int8_t>> signs) : signs_(std::move(signs)) {}
  std::vector<std::vector<std::int8_t>> signs_;
};

}  // namespace gsan
