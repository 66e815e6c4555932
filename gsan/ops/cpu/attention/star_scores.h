#pragma once
// From scores to the weights of the factored attention: everything that is one number per incidence.
// Cost O(N w log d), no number per pair.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "gsan/ops/cpu/attention/star_attention_kernel.h"
#include "gsan/ops/cpu/row_ranges.h"

namespace gsan::ops {

/// The structure of ops/attention_powers.h. Entry e of `cofaces` is an incidence; its slot is its place in
/// `faces`.
struct StarTables {
  at::Tensor held[4];
  const std::int32_t* faces;
  const std::int64_t* offsets;
  const std::int32_t* cofaces;
  const std::uint8_t* columns;
  std::int64_t simplices, width, face_count, incidences;
  std::int64_t largest;  ///< the size of the largest star

  /// Checks that the lists hold every slot once, in the star that `faces` says.
  explicit StarTables(const std::vector<at::Tensor>& structure);
};

/// The scores of one signal and head; number i of each lies at i · stride.
template <class T>
struct StarScores {
  const T* receiver;
  const T* source;
  const T* mask;  ///< null: none
  const std::int8_t* signs;
  std::int64_t stride;
  T slope;  ///< in [0, 1]
};

/// Fills `sources` (every star sorted by t) and `receivers` (by s), [incidences] each, and `rows`
/// [simplices].
template <class T>
void weigh_stars(const StarTables& tables, const StarScores<T>& scores, const StarKernels<T>& kernels,
                 StarEntry<T>* sources, StarEntry<T>* receivers, StarRow<T>* rows);

/// Per incidence of source j in a star: Σ over its receivers i of α_ij D_i, those of the minus branch times
/// the slope; to `sums` [simplices, width].
template <class T>
void sum_over_receivers(const StarTables& tables, const StarEntry<T>* sources, const StarEntry<T>* receivers,
                        const T* D, T slope, T* sums);

/// Calls compute(first, last) for ranges of faces that cover all, by all threads. `work` is what an incidence
/// costs, in numbers.
template <class Compute>
void share_stars(const StarTables& tables, std::int64_t work, const Compute& compute) {
  share_rows(
      1, tables.face_count, work, [&](std::int64_t f) { return f + tables.offsets[f]; },
      [&](std::int64_t, std::int64_t first, std::int64_t last) {
        compute(first, last);
        return true;
      });
}

}  // namespace gsan::ops
