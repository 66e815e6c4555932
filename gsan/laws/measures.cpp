#include "gsan/laws/measures.h"

#include <limits>

#include "gsan/topology/subcomplex.h"

namespace gsan::laws {

Tensor normals(RandomStream stream, std::int64_t rows, std::int64_t columns, torch::Device device) {
  Tensor x = torch::empty({rows, columns}, torch::kFloat64);
  for (double* entry = x.data_ptr<double>(); entry != x.data_ptr<double>() + x.numel(); ++entry) {
    *entry = stream.normal();
  }
  return x.to(device);
}

Cochains normal_cochains(const ComplexOperators& operators, const RandomStream& stream,
                         std::int64_t columns) {
  Cochains x;
  for (int k = 0; k <= operators.order(); ++k) {
    x.push_back(normals(stream.substream(static_cast<std::uint64_t>(k)), operators.count(k), columns,
                        operators.device()));
  }
  return x;
}

double length_of(const Tensor& x) { return x.norm().item<double>(); }
double largest(const Tensor& x) { return x.numel() == 0 ? 0 : x.abs().max().item<double>(); }

double largest(const Cochains& x) {
  Worst worst;
  for (const Tensor& order : x)
    if (order.defined()) worst.see(largest(order));
  return worst.value();
}

double largest_difference(const Tensor& a, const Tensor& b) { return largest(a - b); }

double largest_difference(const Cochains& a, const Cochains& b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a.size() != b.size()) return infinity;
  Worst worst;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].defined() != b[k].defined()) return infinity;
    if (!a[k].defined()) continue;
    worst.see(a[k].sizes() == b[k].sizes() ? largest_difference(a[k], b[k]) : infinity);
  }
  return worst.value();
}

Tensor moved(const MappedComplex& mapped, int k, const Tensor& x) {
  const auto source = torch::tensor(mapped.source[k], torch::kInt64).to(x.device());
  const std::vector<double> signs(mapped.sign[k].begin(), mapped.sign[k].end());
  return x.index_select(-2, source) * torch::tensor(signs, torch::kFloat64).to(x.options()).unsqueeze(-1);
}

Cochains moved(const MappedComplex& mapped, const Cochains& x) {
  Cochains y = x;
  for (int k = 0; k <= mapped.complex.order() && k < static_cast<int>(x.size()); ++k)
    if (x[k].defined()) y[k] = moved(mapped, k, x[k]);
  return y;
}

std::vector<SimplicialComplex> complex_and_skeletons(const SimplicialComplex& complex) {
  std::vector<SimplicialComplex> parts{complex};
  for (const int k : {0, 1}) {
    if (k < complex.order()) parts.push_back(skeleton(complex, k).complex);
  }
  return parts;
}

}  // namespace gsan::laws
