#pragma once
// Places of sorted stars, in blocks (star_kernels.h).

#include "gsan/ops/cuda/attention/star_kernels.h"

namespace gsan::ops::cuda {

/// Places of a block; running sums are folded at its borders, so that their error does not grow with the
/// star.
constexpr std::int64_t star_block = 64;

/// The star of entry e, and of the place with the same number.
__device__ __forceinline__ std::int32_t face_of(const StarTables& t, std::int64_t e) {
  return __ldg(t.faces + static_cast<std::int64_t>(__ldg(t.cofaces + e)) * t.width + __ldg(t.columns + e));
}

/// The first place from begin on whose score is above `limit`; end if there is none.
template <class T>
__device__ __forceinline__ std::int64_t place_above(const T* scores, std::int64_t begin, std::int64_t end,
                                                    T limit) {
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (__ldg(scores + middle) > limit)
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

/// Block c of the places, and the stars that reach over its borders.
struct PlaceBlock {
  const StarTables& t;
  std::int64_t number, begin, end;
  std::int32_t first, last;  ///< the stars of its first and last place

  __device__ PlaceBlock(const StarTables& tables, std::int64_t c)
      : t(tables),
        number(c),
        begin(c * star_block),
        end(begin + star_block < tables.incidences ? begin + star_block : tables.incidences),
        first(face_of(tables, begin)),
        last(face_of(tables, end - 1)) {}

  /// Past the places that a star from the left has here; begin if there is none.
  __device__ std::int64_t head_end() const {
    const std::int64_t star_end = t.offsets[first + 1];
    return t.offsets[first] >= begin ? begin : star_end < end ? star_end : end;
  }
  /// The first place of a star that goes on to the right; end if there is none.
  __device__ std::int64_t tail_begin() const {
    const std::int64_t star_begin = t.offsets[last];
    return t.offsets[last + 1] <= end ? end : star_begin > begin ? star_begin : begin;
  }
  /// Blocks first_block() … number − 1 hold the star of the first place, too.
  __device__ std::int64_t first_block() const {
    const std::int64_t block = t.offsets[first] / star_block;
    return block < number ? block : number;
  }
  __device__ std::int64_t last_block() const {
    const std::int64_t block = (t.offsets[last + 1] - 1) / star_block;
    return block > number ? block : number;
  }
  __device__ bool begins_star(std::int64_t q) const { return t.offsets[face_of(t, q)] == q; }
  __device__ bool ends_star(std::int64_t q) const { return t.offsets[face_of(t, q) + 1] == q + 1; }
};

}  // namespace gsan::ops::cuda
