#include "gsan/hodge/neighborhood.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/hodge/parts.h"
#include "gsan/topology/budget.h"

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

struct Pair {
  Index source, shared;
  std::int8_t sign;
};

// The row of i: every simplex with a common face.
void add_lower_pairs(const SimplicialComplex& complex, int k, Index i, std::vector<Pair>& row) {
  const auto offsets = complex.coface_offsets(k - 1);
  const auto cofaces = complex.coface_table(k - 1);
  const auto columns = complex.coface_columns(k - 1);
  const auto faces = complex.faces(k, i);
  for (int a = 0; a <= k; ++a) {
    for (Offset e = offsets[faces[a]]; e < offsets[faces[a] + 1]; ++e) {
      if (cofaces[e] == i) continue;
      row.push_back({cofaces[e], faces[a], static_cast<std::int8_t>(face_sign(a) * face_sign(columns[e]))});
    }
  }
}

// The row of i: every simplex with a common coface.
void add_upper_pairs(const SimplicialComplex& complex, int k, Index i, std::vector<Pair>& row) {
  const auto offsets = complex.coface_offsets(k);
  const auto cofaces = complex.coface_table(k);
  const auto columns = complex.coface_columns(k);
  for (Offset e = offsets[i]; e < offsets[i + 1]; ++e) {
    const auto faces = complex.faces(k + 1, cofaces[e]);
    for (int b = 0; b <= k + 1; ++b) {
      if (faces[b] == i) continue;
      row.push_back({faces[b], cofaces[e], static_cast<std::int8_t>(face_sign(columns[e]) * face_sign(b))});
    }
  }
}

// How many pairs the row of i has, i itself included: no two of its simplices share more than one
// face or coface, so none is counted twice.
std::int64_t row_length(const SimplicialComplex& complex, int k, Index i, bool lower) {
  if (!lower) return 1 + static_cast<std::int64_t>(complex.cofaces(k, i).size()) * (k + 1);
  std::int64_t length = 1;
  if (k == 0) return length;
  for (const Index f : complex.faces(k, i))
    length += static_cast<std::int64_t>(complex.cofaces(k - 1, f).size()) - 1;
  return length;
}

template <class T>
T* data(const Tensor& tensor) {
  return tensor.mutable_data_ptr<T>();
}

// sources, shared and signs of all rows; shared numbers are those within the part of the row.
void fill_rows(const SimplicialComplex& complex, int k, bool lower, std::span<const Index> shared_parts,
               const Neighborhood& result) {
  const std::int64_t* offsets = data<std::int64_t>(result.offsets);
  std::int32_t* sources = data<std::int32_t>(result.sources);
  std::int32_t* shared = data<std::int32_t>(result.shared);
  std::int8_t* signs = data<std::int8_t>(result.signs);
  at::parallel_for(0, complex.count(k), 1024, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Pair> row;
    for (std::int64_t i = begin; i < end; ++i) {
      const Index self = static_cast<Index>(i);
      row.assign(1, {self, -1, 1});
      if (lower && k > 0) add_lower_pairs(complex, k, self, row);
      if (!lower) add_upper_pairs(complex, k, self, row);
      Index first = 0;  // shared simplex of this row's part: neighbours lie in one part
      if (row.size() > 1 && !shared_parts.empty())
        first = *(std::upper_bound(shared_parts.begin(), shared_parts.end(), row[1].shared) - 1);
      std::sort(row.begin(), row.end(), [](const Pair& a, const Pair& b) { return a.source < b.source; });
      std::int64_t e = offsets[i];
      for (const Pair& pair : row) {
        sources[e] = pair.source;
        shared[e] = pair.shared < 0 ? -1 : pair.shared - first;
        signs[e] = pair.sign;
        ++e;
      }
    }
  });
}

// Row j lists its sources by increasing number, and the rows i come in that order: the next pair (i, j)
// to come belongs to the next pair of row j.
void fill_mirror(const Neighborhood& result) {
  const std::int64_t* offsets = data<std::int64_t>(result.offsets);
  const std::int32_t* sources = data<std::int32_t>(result.sources);
  std::int32_t* mirror = data<std::int32_t>(result.mirror);
  std::vector<std::int32_t> next(offsets, offsets + result.simplices());
  for (std::int64_t e = 0; e < result.pairs(); ++e) mirror[e] = next[sources[e]]++;
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

Neighborhood make_neighborhood(const SimplicialComplex& complex, int k, Side side, std::size_t max_memory,
                               std::span<const Index> shared_parts, torch::Device device) {
  const char* who = "make_neighborhood";
  const std::int64_t count = count_pairs(complex, k, side);
  const std::int64_t simplices = complex.count(k);
  const bool lower = meets_in_faces(k, side);
  check_memory({.max_memory = max_memory}, who, 13.0 * static_cast<double>(count) + 12.0 * simplices + 8,
               concat("the ", count, " neighbour pairs of the ", simplices, " simplices of order ", k));
  if (count > std::numeric_limits<std::int32_t>::max()) {
    fail(Fault::resource, who, ": order ", k, " has ", count, " neighbour pairs, more than the ",
         std::numeric_limits<std::int32_t>::max(), " that a list can number; use a smaller complex");
  }
  check_parts(who, shared_parts, complex.count(lower ? k - 1 : k + 1));

  Neighborhood result;
  result.offsets = torch::empty({simplices + 1}, torch::kInt64);
  result.sources = torch::empty({count}, torch::kInt32);
  result.mirror = torch::empty({count}, torch::kInt32);
  result.shared = torch::empty({count}, torch::kInt32);
  result.signs = torch::empty({count}, torch::kInt8);
  std::int64_t* offsets = data<std::int64_t>(result.offsets);
  offsets[0] = 0;
  for (Index i = 0; i < simplices; ++i) offsets[i + 1] = offsets[i] + row_length(complex, k, i, lower);
  fill_rows(complex, k, lower, shared_parts, result);
  fill_mirror(result);
  for (Tensor* table : {&result.offsets, &result.sources, &result.mirror, &result.shared, &result.signs})
    *table = table->to(device);
  return result;
}

}  // namespace gsan
