#pragma once
// The loops of the factored attention over the features, and what they read. No torch here: the
// implementation is compiled once per instruction set.
//
// In star f with sources j sorted by t, row i takes
//   Σ_j w_ij x_j = a⁺ PP[r_i] + a⁻ PM[r_i],   PP[q] = Σ_{j ≥ q} b⁺_j x_j,  PM[q] = Σ_{j < q} b⁻_j x_j,
// r_i = #{j : t_j ≤ −s_i}. The transposed product is the same with s and t swapped.

#include <cstdint>

#include "gsan/ops/cpu/kernel_builds.h"

namespace gsan::ops {

/// One simplex in one star, as a source or as a receiver.
template <class T>
struct StarEntry {
  std::int32_t row;     ///< the simplex
  std::int32_t rank;    ///< how many of the other side's keys in this star are ≤ minus its own key
  std::uint8_t column;  ///< which of its faces the star is
  bool first;           ///< the star is the first of its stars, in the order of the faces
  bool keeps_plus;      ///< receivers: the kept branch is plus; sources: the branch of the own score is
  T plus, minus;        ///< b⁺, b⁻ of a source; a⁺/Z, a⁻/Z of a receiver
  T factor;             ///< its sign, times the mask of a source
};

/// What is one per simplex. The w stars of a simplex all contain its term with itself.
template <class T>
struct StarRow {
  T self;        ///< what to add to those w terms so that the wanted one is left
  T self_kept;   ///< the same in the kept branch
  T self_plain;  ///< the same without masks
  T self_slope;  ///< derivative of LReLU at the own score
  T mass;        ///< Σ α over the kept branch, the one with the smaller mass
  T branch;      ///< +1 when that is the plus branch, −1 otherwise
};

/// Features start … start + width − 1; the width is a power of two, at most max_slice.
struct StarSlice {
  std::int64_t start, width;
};
constexpr std::int64_t max_slice = 32;

/// One product of all stars with a signal. Entries lie star by star, each side sorted by its own key.
template <class T>
struct StarPass {
  const StarEntry<T>* sources;
  const StarEntry<T>* receivers;
  const StarRow<T>* rows;
  const std::int64_t* offsets;
  const std::int32_t* faces;  ///< [simplices, width]
  std::int64_t width, incidences;
  const StarSlice* slices;
  const T* x;  ///< signal of the sources
  std::int64_t x_stride;
  T* y;  ///< result
  std::int64_t y_stride;
  T* kept = nullptr;  ///< sums of the kept branch, if wanted
  std::int64_t kept_stride = 0;
  const T* dual = nullptr;  ///< if given, the pass also makes `dots`
  std::int64_t dual_stride = 0;
  T* dots =
      nullptr;  ///< [slices, simplices, width], ⟨dual_i, plus part + slope · minus part⟩ of star and slice
  T slope = 0;
  T* parts = nullptr;  ///< if given, y and kept are not touched: [simplices, width, (1|2) slice width]
};

/// The sum over a row's stars runs in the order of the faces, in `stars` as in `stars` to parts and `join`:
/// the bits are the same.
template <class T>
struct StarKernels {
  /// The stars begin … end − 1 for some slices. scratch: (largest star + 1) · max_slice numbers, aligned
  /// to 64. Without parts the stars of one slice must all be in one call.
  void (*stars)(const StarPass<T>&, std::int64_t begin, std::int64_t end, std::int64_t first_slice,
                std::int64_t last_slice, T* scratch);
  /// Adds up the parts of the rows begin … end − 1.
  void (*join)(const StarPass<T>&, std::int64_t begin, std::int64_t end, std::int64_t slice);
  /// ⟨a, b⟩ and, where c is not null, ⟨a, c⟩ of `features` numbers.
  void (*dots)(const T* a, const T* b, const T* c, std::int64_t features, T* ab, T* ac);
  /// x ← e^x for x ≤ 0 or NaN.
  void (*exponentials)(T* x, std::int64_t count);
};

GSAN_DECLARE_KERNEL(star_attention, StarKernels);

}  // namespace gsan::ops
