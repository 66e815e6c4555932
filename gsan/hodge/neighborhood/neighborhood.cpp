#include "gsan/hodge/neighborhood/neighborhood.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/hodge/neighborhood/detail/neighbor_rows.h"
#include "gsan/hodge/neighborhood/detail/pair_memory.h"
#include "gsan/hodge/parts.h"

namespace gsan {
namespace {

constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max();

// total + a · b, at most largest_count.
std::int64_t add_product(std::int64_t total, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0, sum = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(total, product, &sum))
    return largest_count;
  return sum;
}

constexpr std::int64_t rows_per_task = 1024;

template <class T>
T* data(const Tensor& tensor) {
  return tensor.mutable_data_ptr<T>();
}

// shared and signs of all rows; shared numbers are those within the part of the row.
void fill_shared(const SimplicialComplex& complex, int k, bool through_faces, const std::int64_t* offsets,
                 std::span<const Index> shared_parts, const Neighborhood& result) {
  const NeighborRows rows(complex, k, through_faces);
  std::int32_t* shared = data<std::int32_t>(result.shared);
  std::int8_t* signs = data<std::int8_t>(result.signs);
  at::parallel_for(0, complex.count(k), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    Index first = 0, last = std::numeric_limits<Index>::max();  // shared simplices of the part
    const auto local = [&](Index number) {
      if (number < 0 || shared_parts.empty()) return number;
      if (number < first || number >= last) {
        const auto next = std::upper_bound(shared_parts.begin(), shared_parts.end(), number);
        first = *(next - 1);
        last = *next;
      }
      return number - first;
    };
    if (!shared_parts.empty()) last = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      std::int64_t e = offsets[i];
      rows.visit(static_cast<Index>(i), [&](Index, Index number, int sign) {
        shared[e] = local(number);
        signs[e] = static_cast<std::int8_t>(sign);
        ++e;
      });
    }
  });
}

// Row j lists its sources by increasing number, and the rows i come in that order: the next pair (i, j)
// to come belongs to the next pair of row j.
void fill_mirror(const std::int64_t* offsets, const std::int32_t* sources, const Neighborhood& result) {
  std::int32_t* mirror = data<std::int32_t>(result.mirror);
  std::vector<std::int32_t> next(offsets, offsets + result.simplices());
  for (std::int64_t e = 0; e < result.pairs(); ++e) mirror[e] = next[sources[e]]++;
}

void check_neighborhood(const SimplicialComplex& complex, int k, Side side, std::int64_t count,
                        std::size_t max_memory, std::span<const Index> shared_parts) {
  static constexpr const char* who = "make_neighborhood";
  check_neighborhood_memory(who, {k, complex.count(k), count}, max_memory);
  check_parts(who, shared_parts, complex.count(meets_in_faces(k, side) ? k - 1 : k + 1));
}

}  // namespace

bool meets_in_faces(int k, Side side) { return side == Side::lower || (side == Side::both && k > 0); }

Tensor Neighborhood::receivers() const {
  const Tensor rows = torch::arange(simplices(), sources.options());
  return rows.repeat_interleave(offsets.diff(), 0, pairs());
}

std::int64_t count_pairs(const SimplicialComplex& complex, int k, Side side) {
  GSAN_CHECK(k >= 0, "count_pairs: the order must not be negative, got k = ", k);
  std::int64_t total = complex.count(k);
  if (!meets_in_faces(k, side))
    return add_product(total, std::int64_t{k + 2} * (k + 1), complex.count(k + 1));
  if (total == 0 || k == 0) return total;
  const auto offsets = complex.coface_offsets(k - 1);
  for (Index f = 0; f < complex.count(k - 1); ++f) {
    const std::int64_t degree = offsets[f + 1] - offsets[f];
    total = add_product(total, degree, degree - 1);
  }
  return total;
}

std::vector<Index> neighbors(const SimplicialComplex& complex, int k, Side side, Index i) {
  std::vector<Index> row;
  NeighborRows(complex, k, meets_in_faces(k, side)).visit(i, [&](Index source, Index, int) {
    row.push_back(source);
  });
  return row;
}

PairList make_pair_list(const SimplicialComplex& complex, int k, Side side, std::size_t max_memory,
                        torch::Device device) {
  const std::int64_t count = count_pairs(complex, k, side), simplices = complex.count(k);
  check_list_memory("make_pair_list", {k, simplices, count}, max_memory);
  const NeighborRows rows(complex, k, meets_in_faces(k, side));
  const PairList result{torch::empty({simplices + 1}, torch::kInt64), torch::empty({count}, torch::kInt32)};
  std::int64_t* offsets = data<std::int64_t>(result.offsets);
  std::int32_t* sources = data<std::int32_t>(result.sources);
  offsets[0] = 0;
  at::parallel_for(0, simplices, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) offsets[i + 1] = rows.length(static_cast<Index>(i));
  });
  for (std::int64_t i = 0; i < simplices; ++i) offsets[i + 1] += offsets[i];
  at::parallel_for(0, simplices, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::int32_t* to = sources + offsets[i];
      rows.visit(static_cast<Index>(i), [&](Index source, Index, int) { *to++ = source; });
    }
  });
  return {result.offsets.to(device), result.sources.to(device)};
}

Neighborhood make_neighborhood(const SimplicialComplex& complex, int k, Side side, std::size_t max_memory,
                               std::span<const Index> shared_parts, torch::Device device) {
  check_neighborhood(complex, k, side, count_pairs(complex, k, side), max_memory, shared_parts);
  const PairList pairs = make_pair_list(complex, k, side, max_memory, device);
  return make_neighborhood(complex, k, side, pairs, max_memory, shared_parts);
}

Neighborhood make_neighborhood(const SimplicialComplex& complex, int k, Side side, const PairList& pairs,
                               std::size_t max_memory, std::span<const Index> shared_parts) {
  const std::int64_t count = pairs.pairs();
  GSAN_CHECK(pairs.simplices() == complex.count(k) && count == count_pairs(complex, k, side),
             "make_neighborhood: the pair list of order ", k, " must have ", complex.count(k), " rows and ",
             count_pairs(complex, k, side), " pairs, got ", pairs.simplices(), " and ", count);
  check_neighborhood(complex, k, side, count, max_memory, shared_parts);
  const Tensor offsets = pairs.offsets.cpu(), sources = pairs.sources.cpu();
  Neighborhood result{pairs.offsets, pairs.sources, torch::empty({count}, torch::kInt32),
                      torch::empty({count}, torch::kInt32), torch::empty({count}, torch::kInt8)};
  fill_shared(complex, k, meets_in_faces(k, side), data<std::int64_t>(offsets), shared_parts, result);
  fill_mirror(data<std::int64_t>(offsets), data<std::int32_t>(sources), result);
  for (Tensor* table : {&result.mirror, &result.shared, &result.signs})
    *table = table->to(pairs.sources.device());
  return result;
}

}  // namespace gsan
