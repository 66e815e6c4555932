#pragma once
// Attention over stars (ops/attention_powers.h), for one signal and head at a time. The formulas are those of
// the CPU (cpu/attention/star_attention_kernel.h): in star f with sources j sorted by t, row i takes
//   Σ_j w_ij x_j = a⁺ PP[r_i] + a⁻ PM[r_i],   PP[q] = Σ_{j ≥ q} b⁺_j x_j,  PM[q] = Σ_{j < q} b⁻_j x_j,
// r_i = #{j : t_j ≤ −s_i}; the transposed product is the same with s and t swapped.
//
// Legend: an entry is one of `cofaces`; a slot is a place of `faces`; a place is where an entry comes after
// its star was sorted. All three number the I incidences, and a star has the same entries as places. Running
// sums go over blocks of places: a block first sums up what reaches its neighbours, and then adds what
// reaches it, in the order of the blocks. Blocks depend on the tables alone.

#include "gsan/ops/cuda/numbers.h"

namespace gsan::ops::cuda {

struct StarTables {
  const std::int32_t* faces;    ///< [N, width]
  const std::int64_t* offsets;  ///< [M + 1]
  const std::int32_t* cofaces;  ///< [I]
  const std::uint8_t* columns;  ///< [I]
  std::int64_t simplices, face_count, incidences;
  int width;
};

/// Number i lies at data[i · stride].
template <class T>
struct Numbers {
  const T* data = nullptr;
  std::int64_t stride = 1;
};

/// Every star in the order of one side's scores.
template <class T>
struct SortedStars {
  T* score;            ///< [I], by place
  std::int32_t* row;   ///< [I], the simplex
  std::int32_t* slot;  ///< [I]
};

/// What each simplex is in its stars, by slot.
template <class T>
struct SlotWeights {
  T* receiver;  ///< [I, 2]: a⁺/Z and a⁻/Z
  T* source;    ///< [I, 2]: b⁺ and b⁻
  T* factor;    ///< [I, 2]: its sign as a receiver; its sign times its mask as a source
};

/// Bytes of scratch that sorting needs.
template <class T>
std::int64_t sort_bytes(const StarTables& tables);
template <class T>
void launch_sort(const StarTables& tables, Numbers<T> scores, SortedStars<T> sorted, void* scratch,
                 Stream stream);

/// For all slots: the first place of its star whose score is above minus its own.
template <class T>
void launch_find_places(const StarTables& tables, Numbers<T> own, SortedStars<T> others, std::int32_t* places,
                        Stream stream);

/// tops [M]: the largest t of each star, NaN where one is not finite; b±; the factors (mask null: ones, its
/// entries at e · mask_stride; signs null: ones).
template <class T>
void launch_weigh_sources(const StarTables& tables, Numbers<T> t, const T* mask, std::int64_t mask_stride,
                          const std::int8_t* signs, T slope, T* tops, SlotWeights<T> weights, Stream stream);

/// Running sums of a number per place, in double: above[q] = Σ plus over the places from q to the end of its
/// star, below[q] = Σ minus up to and with q. `weights` are by slot, `factor` multiplies a row's (null:
/// ones).
template <class T>
void launch_running_numbers(const StarTables& tables, SortedStars<T> sorted, const T* weights,
                            Numbers<T> factor, double* above, double* below, double* scratch, Stream stream);

/// From the running sums of b± of the sources: a±/Z by slot; state {s, 0, 1/Z, ±mass of the kept branch} and
/// selves {self, self_kept, self_plain, self_slope} of each row, `stride` numbers apart.
template <class T>
struct WeighRows {
  StarTables tables;
  const std::int32_t* places;  ///< of the slots among the sources
  Numbers<T> s, t;
  const T* tops;
  const double *above, *below;
  const T* mask;  ///< of the self terms, number i at i · mask_stride; null: ones
  std::int64_t mask_stride;
  T slope;
  SlotWeights<T> weights;
  T *state, *selves;
  std::int64_t stride;
};
template <class T>
void launch_weigh_rows(const WeighRows<T>& rows, Stream stream);

/// Features that are summed at a time.
constexpr int star_slice = 32;

/// The panels PP and PM of a slice of features: above, below [I, features].
template <class S>
struct StarPanels {
  StarTables tables;
  SortedStars<Compute<S>> sorted;  ///< of the side that is summed over
  const Compute<S>* weights;       ///< [I, 2] by slot
  const Compute<S>* factor;        ///< [I, 2] by slot
  int which_factor;                ///< of the two
  const S* x;                      ///< of the slice
  std::int64_t x_row;
  int features;                        ///< at most star_slice
  Compute<S>*above, *below, *scratch;  ///< scratch: 2 · star_blocks(I) · features
};
template <class S>
void launch_star_panels(const StarPanels<S>& panels, Stream stream);

/// Blocks of places of I incidences.
std::int64_t star_blocks(std::int64_t incidences);

/// What rows take from the panels of a slice. Forward (`of_source` null): y = tap + Σ, and u the part of the
/// kept branch. Backward: y is dx, and dt_j = dual_j · Σ κ w g − Σ κ α D is added up in of_source.
template <class S>
struct StarRows {
  using T = Compute<S>;
  StarTables tables;
  const std::int32_t* places;  ///< of the slots among the side that the panels sum over
  const T *above, *below;
  const T *weights, *factor;  ///< [I, 2] of the taking side
  int which_factor;
  const T *state, *selves;  ///< of row i at i · stride
  std::int64_t stride;
  const S *x, *tap, *dual;  ///< what the panels sum; tap null: nothing is added
  S *y, *u;                 ///< u null: not wanted
  std::int64_t x_row, tap_row, dual_row, y_row, u_row;
  int features;
  T slope;
  // backward
  const T* packed;  ///< D of row i at i · stride + 3; null but for the first slice
  const double *D_above, *D_below;
  T* of_source;
  std::int64_t of_source_stride;
  bool add;  ///< to of_source
};
template <class S>
void launch_star_rows(const StarRows<S>& rows, Stream stream);

}  // namespace gsan::ops::cuda
