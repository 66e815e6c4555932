#pragma once
// A term with a Laplacian on the rows of a unit: S is symmetric, so that its gradient is made of S, too.

#include "gsan/ops/cpu/laplacian_step_kernel.h"
#include "gsan/ops/cpu/parts/incidence_rows.h"

namespace gsan::ops {

template <class T>
class LaplacianRowsOfUnit {
 public:
  LaplacianRowsOfUnit(const PartLaplacian& term, int order, std::int64_t width)
      : term_(term), order_(order), width_(width) {}

  /// y = Σ_p S^{first + p} taps_p, by Horner.
  void forward(RowsOf<const T> products, std::int64_t taps, std::int64_t first, const Unit& unit, RowsOf<T> y,
               PartScratch<T>& memory) const {
    RowsOf<T> turns[2];
    for (RowsOf<T>& turn : turns) turn = memory.rows(rows_of(unit), width_);
    const Products inner = room(unit, memory);
    const std::int64_t steps = taps - 1 + first;
    RowsOf<const T> sum = from_column(products, (taps - 1) * width_);
    if (steps == 0) return copy_rows(sum, y, width_, rows_of(unit));
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t tap = taps - 2 - step;
      const RowsOf<T> to = step + 1 == steps ? y : turns[step % 2];
      apply(sum, tap >= 0 ? from_column(products, tap * width_) : RowsOf<const T>{}, to, unit, inner);
      sum = readable(to);
    }
  }

  /// The gradient of tap p is S^{first + p} of the gradient.
  void backward(RowsOf<const T> gradient, std::int64_t taps, std::int64_t first, RowsOf<T> of_products,
                const Unit& unit, PartScratch<T>& memory) const {
    RowsOf<T> turns[2];
    for (RowsOf<T>& turn : turns) turn = memory.rows(rows_of(unit), width_);
    const Products inner = room(unit, memory);
    RowsOf<const T> power = gradient;
    for (std::int64_t p = 0, turn = 0; p < first + taps; ++p) {
      if (p > 0) {
        apply(power, {}, turns[turn], unit, inner);
        power = readable(turns[turn]);
        turn = 1 - turn;
      }
      if (p < first) continue;
      copy_rows(power, from_column(of_products, (p - first) * width_), width_, rows_of(unit));
    }
  }

 private:
  struct Products {
    RowsOf<T> lower, upper;  // B_k x and B_{k+1}ᵀ x
  };

  const RowRange& rows_of(const Unit& unit, int step = 0) const {
    return unit.rows[static_cast<std::size_t>(order_ + step)];
  }
  bool has(const std::vector<at::Tensor>& tables) const { return !tables.empty() && tables[0].numel() > 0; }

  Products room(const Unit& unit, PartScratch<T>& memory) const {
    Products made;
    if (has(term_.lower)) made.lower = memory.rows(rows_of(unit, -1), width_);
    if (has(term_.upper)) made.upper = memory.rows(rows_of(unit, +1), width_);
    return made;
  }

  // y = base + S x.
  void apply(RowsOf<const T> x, RowsOf<const T> base, RowsOf<T> y, const Unit& unit,
             const Products& inner) const {
    const RowRange& range = rows_of(unit);
    const T *own = numbers_of<T>(term_.own), *middle = numbers_of<T>(term_.middle);
    LaplacianStepArguments<T> call{};
    if (has(term_.lower)) {
      signed_rows<T>(term_.lower, true, term_.absolute, x, own, middle, inner.lower.data, width_,
                     rows_of(unit, -1));
      call.lower = rows_through<T>(term_.lower, false, term_.absolute, readable(inner.lower));
    }
    if (has(term_.upper)) {
      signed_rows<T>(term_.upper, false, term_.absolute, x, own, middle, inner.upper.data, width_,
                     rows_of(unit, +1));
      call.upper = rows_through<T>(term_.upper, true, term_.absolute, readable(inner.upper));
    }
    if (range.size() == 0) return;
    if (term_.alpha != 0) call.x = x.data, call.x_stride = x.stride;
    call.base = base.data, call.base_stride = base.stride;
    call.alpha = static_cast<T>(term_.alpha), call.beta = static_cast<T>(term_.beta);
    call.row_alpha = numbers_of<T>(term_.row_alpha), call.row_beta = numbers_of<T>(term_.row_beta);
    call.y = y.data, call.rows = range.end, call.features = width_, call.absolute = term_.absolute;
    current_build<T>(GSAN_BUILDS_OF(laplacian_step))(call, range.begin, range.end);
  }

  const PartLaplacian& term_;
  int order_;
  std::int64_t width_;
};

}  // namespace gsan::ops
