#pragma once
// A boundary operator and its transpose, copied into an order in which neighbours stand near
// each other: the products of an iteration then run along the cache lines, whatever the
// order of the simplices in the complex is.

#include <cstdint>
#include <vector>

#include "gsan/hodge/solve/signed_lists.h"

namespace gsan {

class ReorderedLists {
 public:
  /// Breadth-first through rows and columns in turn, component by component; `transposed` is
  /// the transpose of `lists`. Time and memory are linear in the incidences.
  ReorderedLists(const SignedLists& lists, const SignedLists& transposed);

  /// Row i is row row_order()[i] of the original; the columns are renamed likewise.
  const SignedLists& lists() const { return lists_; }
  const SignedLists& transposed() const { return transposed_; }
  const std::vector<Index>& row_order() const { return row_order_; }
  std::vector<Index>&& take_row_order() { return std::move(row_order_); }

  ReorderedLists(ReorderedLists&&) = default;
  ReorderedLists& operator=(ReorderedLists&&) = default;
  ReorderedLists(const ReorderedLists&) = delete;
  ReorderedLists& operator=(const ReorderedLists&) = delete;

 private:
  struct Storage {
    std::vector<Index> indices;
    std::vector<Offset> offsets;
    std::vector<std::uint8_t> face_columns;
  };
  static SignedLists copy(const SignedLists& from, const std::vector<Index>& row_order,
                          const std::vector<Index>& column_place, Storage& storage);

  std::vector<Index> row_order_;
  Storage storage_, transposed_storage_;
  SignedLists lists_, transposed_;  // views of the storage
};

}  // namespace gsan
