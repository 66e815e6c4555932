#include "gsan/hodge/reordered_complex.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/topology/relabel.h"

namespace gsan {
namespace {

bool has_flips(const std::vector<std::vector<std::int8_t>>& signs) {
  return std::any_of(signs.begin(), signs.end(), [](const auto& of_order) {
    return std::any_of(of_order.begin(), of_order.end(), [](std::int8_t sign) { return sign < 0; });
  });
}

Tensor gathered(const std::vector<Tensor>& indices, int k, const Tensor& x, std::int64_t dimension) {
  if (!x.defined() || k >= static_cast<int>(indices.size())) return x;
  return x.index_select(dimension, indices[k]);
}

}  // namespace

ReorderedComplex::ReorderedComplex(const SimplicialComplex& complex, VertexOrder order,
                                   const OperatorOptions& options)
    : operators_(order == VertexOrder::given ? complex : SimplicialComplex(), options) {
  if (order == VertexOrder::given) return;
  MappedComplex mapped = relabel(complex, reverse_cuthill_mckee(complex));
  operators_ = ComplexOperators(mapped.complex, options);
  // relabel: B' diag(s_k) G_k = diag(s_{k−1}) G_{k−1} B_k with the increasing vertex lists' own orientation.
  if (has_flips(mapped.sign))
    operators_ = operators_.oriented(Orientation(mapped.complex, std::move(mapped.sign)));
  for (const std::vector<Index>& source : mapped.source) {
    const Tensor sources =
        torch::tensor(at::ArrayRef<Index>(source.data(), source.size()), torch::kInt64).to(options.device);
    sources_.push_back(sources);
    places_.push_back(torch::empty_like(sources).index_copy_(
        0, sources, torch::arange(sources.size(0), sources.options())));
  }
}

Tensor ReorderedComplex::arranged(int k, const Tensor& x) const { return gathered(sources_, k, x, -2); }

Tensor ReorderedComplex::restored(int k, const Tensor& y) const { return gathered(places_, k, y, -2); }

Tensor ReorderedComplex::places(int k, const Tensor& rows) const {
  if (k >= static_cast<int>(places_.size())) return rows;
  return places_[k].index_select(0, rows.to(places_[k].device()).flatten()).view(rows.sizes());
}

Orientation ReorderedComplex::arranged(const Orientation& orientation) const {
  if (sources_.empty()) return orientation;
  std::vector<std::vector<std::int8_t>> signs;
  for (int k = 0; k <= orientation.order(); ++k) {
    const Tensor sources = sources_[k].cpu();
    std::vector<std::int8_t>& of_order = signs.emplace_back();
    for (std::int64_t i = 0; i < sources.numel(); ++i)
      of_order.push_back(orientation.signs(k)[sources.const_data_ptr<std::int64_t>()[i]]);
  }
  return {operators_.complex(), std::move(signs)};
}

}  // namespace gsan
