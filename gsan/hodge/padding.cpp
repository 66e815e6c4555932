#include "gsan/hodge/padding.h"

#include <algorithm>
#include <numeric>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// [entries, ...] of the type of `table`, which it begins with; the rest is to be filled.
Tensor lengthened(const Tensor& table, std::int64_t entries) {
  std::vector<std::int64_t> sizes = table.sizes().vec();
  sizes.front() = entries;
  const Tensor longer = torch::empty(sizes, table.options());
  longer.narrow(0, 0, table.size(0)).copy_(table);
  return longer;
}

template <class T>
std::span<T> tail(const Tensor& table, std::int64_t from) {
  return {table.mutable_data_ptr<T>() + from, static_cast<std::size_t>(table.numel() - from)};
}

std::int64_t rows_of(const PaddedSizes& sizes, int k) {
  return k >= 0 && k < static_cast<int>(sizes.rows.size()) ? sizes.rows[k] : 0;
}

}  // namespace

std::int64_t PaddedSizes::pairs(int k, bool through_faces) const {
  if (through_faces) return k < static_cast<int>(face_pairs.size()) ? face_pairs[k] : 0;
  return rows_of(*this, k) + std::int64_t{k + 2} * (k + 1) * rows_of(*this, k + 1);
}

void check_padding(const PaddedSizes& sizes, const SimplicialComplex& complex) {
  const auto orders = static_cast<std::size_t>(complex.order()) + 1;
  GSAN_CHECK(sizes.rows.size() == orders && sizes.face_pairs.size() == orders, "PaddedSizes: a complex of ",
             orders, " orders needs as many numbers of rows and of pairs, got ", sizes.rows.size(), " and ",
             sizes.face_pairs.size());
  for (int k = 0; k <= complex.order(); ++k) {
    const std::int64_t more = sizes.rows[k] - complex.count(k);
    const std::int64_t pairs = count_pairs(complex, k, Side::lower) + more;
    GSAN_CHECK(more >= 0 && sizes.face_pairs[k] >= pairs, "PaddedSizes: order ", k, " has ", complex.count(k),
               " simplices and needs room for ", pairs, " pairs, got ", sizes.rows[k], " rows and ",
               sizes.face_pairs[k], " pairs");
    GSAN_CHECK(k == 0 || more == 0 || sizes.rows[k - 1] > complex.count(k - 1), "PaddedSizes: order ", k,
               " has ", more, " rows of the padding, whose faces need at least one in order ", k - 1);
  }
}

Tensor pad_rows(const Tensor& table, std::int64_t rows) {
  if (table.size(0) == rows) return table;
  const Tensor longer = lengthened(table, rows);
  longer.narrow(0, table.size(0), rows - table.size(0)).zero_();
  return longer;
}

PairList pad_pairs(const PairList& pairs, const PaddedSizes& sizes, int k, bool through_faces) {
  const std::int64_t rows = rows_of(sizes, k), own = pairs.simplices(), used = pairs.pairs();
  if (rows == 0 || (rows == own && sizes.pairs(k, through_faces) == used)) return pairs;
  const PairList padded{lengthened(pairs.offsets, rows + 1),
                        lengthened(pairs.sources, sizes.pairs(k, through_faces))};
  const auto offsets = tail<std::int64_t>(padded.offsets, own + 1);
  std::iota(offsets.begin(), offsets.end(), used + 1);
  const auto sources = tail<std::int32_t>(padded.sources, used);
  std::fill(sources.begin(), sources.end(), 0);
  std::iota(sources.begin(), sources.begin() + (rows - own), static_cast<std::int32_t>(own));
  return padded;
}

Neighborhood pad_neighborhood(const Neighborhood& neighborhood, const PairList& padded) {
  const std::int64_t used = neighborhood.pairs(), pairs = padded.pairs();
  if (used == pairs)
    return {padded.offsets, padded.sources, neighborhood.mirror, neighborhood.shared, neighborhood.signs};
  const Neighborhood made{padded.offsets, padded.sources, lengthened(neighborhood.mirror, pairs),
                          lengthened(neighborhood.shared, pairs), lengthened(neighborhood.signs, pairs)};
  const auto mirror = tail<std::int32_t>(made.mirror, used);
  std::iota(mirror.begin(), mirror.end(), static_cast<std::int32_t>(used));
  std::ranges::fill(tail<std::int32_t>(made.shared, used), -1);
  std::ranges::fill(tail<std::int8_t>(made.signs, used), std::int8_t{1});
  return made;
}

std::vector<Tensor> pad_incidence(const std::vector<Tensor>& tables, int k, std::int64_t rows,
                                  std::int64_t columns) {
  const std::int64_t own_columns = tables[0].size(0), width = tables[0].size(1);
  const std::int64_t own_rows = tables[1].size(0) - 1, used = tables[2].size(0);
  if (rows == own_rows && columns == own_columns) return tables;
  const std::int64_t more = rows - own_rows, entries = (columns - own_columns) * width;
  GSAN_CHECK(entries == 0 || more > 0, "pad_incidence: the padding of order ", k, " has no face of order ",
             k - 1);
  const std::vector<Tensor> padded{lengthened(tables[0], columns), lengthened(tables[1], rows + 1),
                                   lengthened(tables[2], used + entries),
                                   lengthened(tables[3], used + entries)};
  // Entry e, face e % width of simplex e / width, is row e % more: the rows have entries / more cofaces each,
  // and the first of them one more.
  const auto faces = tail<std::int32_t>(padded[0], own_columns * width);
  for (std::int64_t e = 0; e < entries; ++e) faces[e] = static_cast<std::int32_t>(own_rows + e % more);
  const auto offsets = tail<std::int64_t>(padded[1], own_rows + 1);
  const auto cofaces = tail<std::int32_t>(padded[2], used);
  const auto places = tail<std::uint8_t>(padded[3], used);
  std::int64_t next = 0;
  for (std::int64_t row = 0; row < more; ++row) {
    for (std::int64_t e = row; e < entries; e += more, ++next) {
      cofaces[next] = static_cast<std::int32_t>(own_columns + e / width);
      places[next] = static_cast<std::uint8_t>(e % width);
    }
    offsets[row] = used + next;
  }
  return padded;
}

}  // namespace gsan
