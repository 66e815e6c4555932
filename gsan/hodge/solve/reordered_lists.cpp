#include "gsan/hodge/solve/reordered_lists.h"

#include <algorithm>

#include <ATen/Parallel.h>

namespace gsan {
namespace {

constexpr std::int64_t grain = 4096;

// place[order[i]] = i.
std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Index>(i);
  return place;
}

}  // namespace

ReorderedLists::ReorderedLists(const SignedLists& lists, const SignedLists& transposed) {
  std::vector<Index> column_order;
  row_order_.reserve(lists.rows);
  column_order.reserve(lists.columns);
  std::vector<std::uint8_t> row_seen(lists.rows, 0), column_seen(lists.columns, 0);
  std::size_t next = 0;
  const auto see = [&](Index row) {
    if (row_seen[row]) return;
    row_seen[row] = 1;
    row_order_.push_back(row);
  };
  for (Index root = 0; root < lists.rows; ++root) {
    see(root);
    for (; next < row_order_.size(); ++next) {
      const Index row = row_order_[next];
      for (Offset e = lists.begin(row); e < lists.end(row); ++e) {
        const Index column = lists.indices[e];
        if (column_seen[column]) continue;
        column_seen[column] = 1;
        column_order.push_back(column);
        for (Offset f = transposed.begin(column); f < transposed.end(column); ++f) see(transposed.indices[f]);
      }
    }
  }
  for (Index column = 0; column < lists.columns; ++column) {
    if (!column_seen[column]) column_order.push_back(column);  // without entries
  }
  lists_ = copy(lists, row_order_, inverse(column_order), storage_);
  transposed_ = copy(transposed, column_order, inverse(row_order_), transposed_storage_);
}

SignedLists ReorderedLists::copy(const SignedLists& from, const std::vector<Index>& row_order,
                                 const std::vector<Index>& column_place, Storage& storage) {
  storage.indices.resize(from.indices.size());
  if (!from.offsets.empty()) {
    storage.offsets.assign(static_cast<std::size_t>(from.rows) + 1, 0);
    for (Index i = 0; i < from.rows; ++i)
      storage.offsets[i + 1] = storage.offsets[i] + from.size(row_order[i]);
  }
  storage.face_columns.resize(from.face_columns.size());
  SignedLists to = from;
  to.indices = storage.indices;
  to.offsets = storage.offsets;
  to.face_columns = storage.face_columns;
  at::parallel_for(0, from.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      Offset at = to.begin(i);
      for (Offset e = from.begin(row_order[i]); e < from.end(row_order[i]); ++e, ++at) {
        storage.indices[at] = column_place[from.indices[e]];
        if (!from.face_columns.empty()) storage.face_columns[at] = from.face_columns[e];
      }
    }
  });
  return to;
}

}  // namespace gsan
