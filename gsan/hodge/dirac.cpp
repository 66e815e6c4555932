#include "gsan/hodge/dirac.h"

#include "gsan/core/check.h"

namespace gsan {
namespace {

void check_orders(const char* who, const ComplexOperators& operators, const Cochains& x) {
  GSAN_CHECK(static_cast<int>(x.size()) == operators.order() + 1, who,
             ": the signal must have one tensor for each of the ", operators.order() + 1,
             " orders (undefined where there is none), got ", x.size());
}

// a + b, where undefined counts as zero.
Tensor sum(const Tensor& a, const Tensor& b, int k) {
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  GSAN_CHECK(a.sizes() == b.sizes(), "dirac: the signals that meet on order ", k, " differ in shape: B_", k,
             "^T x_", k - 1, " has ", a.sizes(), ", B_", k + 1, " x_", k + 1, " has ", b.sizes());
  return a + b;
}

}  // namespace

Cochains dirac(const ComplexOperators& operators, const Cochains& x) {
  check_orders("dirac", operators, x);
  const int K = operators.order();
  Cochains y(x.size());
  for (int k = 0; k <= K; ++k) {
    const Tensor from_below =
        k > 0 && x[k - 1].defined() ? operators.incidence(k).coboundary(x[k - 1]) : Tensor();
    const Tensor from_above =
        k < K && x[k + 1].defined() ? operators.incidence(k + 1).boundary(x[k + 1]) : Tensor();
    y[k] = sum(from_below, from_above, k);
  }
  return y;
}

Cochains dirac_component(const ComplexOperators& operators, int j, const Cochains& x) {
  check_orders("dirac_component", operators, x);
  GSAN_CHECK(j >= 1 && j <= operators.order(), "dirac_component: the complex has the components 1 ... ",
             operators.order(), ", got j = ", j);
  const Incidence& B = operators.incidence(j);
  Cochains y(x.size());
  if (x[j].defined()) y[j - 1] = B.boundary(x[j]);
  if (x[j - 1].defined()) y[j] = B.coboundary(x[j - 1]);
  return y;
}

}  // namespace gsan
