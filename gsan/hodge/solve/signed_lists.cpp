#include "gsan/hodge/solve/signed_lists.h"

#include "gsan/hodge/solve/column_block.h"

namespace gsan {

namespace {

template <int W, bool Ragged>
void multiply_rows(const SignedLists& lists, std::int64_t first_row, std::int64_t last_row, const double* x,
                   double* y) {
  const Index* indices = lists.indices.data();
  for (std::int64_t i = first_row; i < last_row; ++i) {
    const Offset first = Ragged ? lists.offsets[i] : i * lists.width;
    const Offset last = Ragged ? lists.offsets[i + 1] : first + lists.width;
    std::array<double, W> sum{};
    for (Offset e = first; e < last; ++e) {
      const double sign = face_sign(static_cast<int>(Ragged ? lists.face_columns[e] : e - first));
      const double* from = x + std::int64_t{indices[e]} * W;
      for (int c = 0; c < W; ++c) sum[c] += sign * from[c];
    }
    for (int c = 0; c < W; ++c) y[i * W + c] = sum[c];
  }
}

}  // namespace

void SignedLists::multiply(const double* x, double* y, int block_width) const {
  with_width(block_width, [&](auto constant) {
    constexpr int w = constant;
    for_rows(rows, [&](std::int64_t first, std::int64_t last) {
      if (offsets.empty())
        multiply_rows<w, false>(*this, first, last, x, y);
      else
        multiply_rows<w, true>(*this, first, last, x, y);
    });
  });
}

SignedLists boundary_lists(const SimplicialComplex& complex, int k) {
  SignedLists lists;
  lists.rows = complex.count(k - 1);
  lists.columns = complex.count(k);
  lists.indices = complex.coface_table(k - 1);
  lists.offsets = complex.coface_offsets(k - 1);
  lists.face_columns = complex.coface_columns(k - 1);
  return lists;
}

SignedLists coboundary_lists(const SimplicialComplex& complex, int k) {
  SignedLists lists;
  lists.rows = complex.count(k);
  lists.columns = complex.count(k - 1);
  lists.indices = complex.face_table(k);
  lists.width = k + 1;
  return lists;
}

}  // namespace gsan
