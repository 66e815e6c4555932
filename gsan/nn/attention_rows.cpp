#include "gsan/nn/attention_rows.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "gsan/core/check.h"
#include "gsan/nn/detail/layer_pass.h"

namespace gsan {
namespace {

// The pairs of some rows, among the simplices that occur in them.
struct RowPairs {
  Neighborhood local;         // row r belongs to rows[r]; sources are numbers in `simplices`
  Tensor simplices;           // int64 [M], the rows of order k that occur, receivers first
  Tensor receivers, sources;  // int32 [E] as rows of order k
};

RowPairs pairs_of(const SimplicialComplex& complex, int k, Side side, std::span<const Index> rows) {
  std::unordered_map<Index, std::int32_t> number;
  std::vector<std::int64_t> simplices, offsets{0};
  const auto place = [&](Index i) {
    const auto [at, is_new] = number.emplace(i, static_cast<std::int32_t>(simplices.size()));
    if (is_new) simplices.push_back(i);
    return at->second;
  };
  for (const Index i : rows) place(i);
  std::vector<std::int32_t> receivers, sources, local;
  for (const Index i : rows) {
    for (const Index j : neighbors(complex, k, side, i)) {
      receivers.push_back(i);
      sources.push_back(j);
      local.push_back(place(j));
    }
    offsets.push_back(static_cast<std::int64_t>(sources.size()));
  }
  offsets.resize(simplices.size() + 1, offsets.back());  // who only sends attends to nobody here
  const auto pairs = static_cast<std::int64_t>(sources.size());
  RowPairs made;
  made.local.offsets = torch::tensor(offsets, torch::kInt64);
  made.local.sources = torch::tensor(local, torch::kInt32);
  made.local.mirror = torch::arange(pairs, torch::kInt32);  // for gradients only, of which there are none
  made.simplices = torch::tensor(simplices, torch::kInt64);
  made.receivers = torch::tensor(receivers, torch::kInt32);
  made.sources = torch::tensor(sources, torch::kInt32);
  return made;
}

Tensor of_head(const AttentionWeights& attention, int head) {
  GSAN_CHECK(attention.weights.dim() == 2,
             "attention: the weights of one signal are expected, [pairs, heads]; got ",
             attention.weights.dim(), " dimensions");
  const std::int64_t heads = attention.weights.size(-1);
  GSAN_CHECK(head >= -1 && head < heads, "attention: heads are 0 ... ", heads - 1, " (-1: their mean), got ",
             head);
  const Tensor all = attention.weights.to(torch::kCPU, torch::kFloat64);
  return (head < 0 ? all.mean(-1) : all.select(-1, head)).contiguous();
}

}  // namespace

std::vector<AttentionWeights> LayerPass::attention_of(int k, std::span<const Index> rows) {
  const torch::NoGradGuard no_grad;
  std::vector<AttentionWeights> all;
  for (const LayerTerm& term : layer_.terms()) {
    if (term.k != k || term.shift != ShiftKind::attention || !term.needs_shift()) continue;
    const bool is_own = term.use == Use::own;
    const Tensor& source = z_[is_own ? k : term.side == Side::lower ? k - 1 : k + 1];
    if (!source.defined()) continue;
    RowPairs pairs = pairs_of(operators_.complex(), k, term.side, rows);
    const torch::Device device = operators_.device();
    for (Tensor* table : {&pairs.local.offsets, &pairs.local.sources, &pairs.local.mirror, &pairs.simplices})
      *table = table->to(device);
    const Tensor x = (is_own ? source : couple(term, source)).index_select(-2, pairs.simplices);
    all.push_back({k, term.side, term.use, pairs.receivers, pairs.sources,
                   attentional_operator(term).weights_over(pairs.local, x, weight(term))});
  }
  return all;
}

std::vector<AttentionWeights> attention_rows(const SimplicialLayerImpl& layer,
                                             const ComplexOperators& operators, const Cochains& signals,
                                             int k, std::span<const Index> rows) {
  GSAN_CHECK(layer.options().is_active(k), "attention_rows: the layer works on the orders ",
             options::to_text(layer.options().active_orders()), ", got order ", k);
  for (const Index i : rows)
    GSAN_CHECK(i >= 0 && i < operators.count(k), "attention_rows: order ", k, " has ", operators.count(k),
               " simplices, got row ", i);
  return LayerPass(layer, operators, signals, {}).attention_of(k, rows);
}

std::string attention_name(const AttentionWeights& attention) {
  return concat(side_name(attention.side), " neighbours, ",
                attention.use == Use::own ? "own signal" : "signal of the neighbouring order");
}

std::vector<AttendedSimplex> attended_by(const AttentionWeights& attention, std::int64_t receiver, int head) {
  const Tensor weights = of_head(attention, head), receivers = attention.receivers.cpu(),
               sources = attention.sources.cpu();
  const auto* to = receivers.const_data_ptr<std::int32_t>();
  const auto* from = sources.const_data_ptr<std::int32_t>();
  const auto* weight = weights.const_data_ptr<double>();
  std::vector<AttendedSimplex> found;
  for (std::int64_t e = 0; e < receivers.numel(); ++e)
    if (to[e] == receiver) found.push_back({from[e], weight[e]});
  const auto rank = [](const AttendedSimplex& one) { return std::isnan(one.weight) ? -1 : one.weight; };
  std::stable_sort(found.begin(), found.end(),
                   [&](const AttendedSimplex& a, const AttendedSimplex& b) { return rank(a) > rank(b); });
  return found;
}

std::vector<double> pair_weights(const AttentionWeights& attention, int head) {
  const Tensor weights = of_head(attention, head);
  return {weights.const_data_ptr<double>(), weights.const_data_ptr<double>() + weights.numel()};
}

std::vector<Index> rows_with_pairs(const SimplicialComplex& complex, int k, std::int64_t max_pairs) {
  GSAN_CHECK(max_pairs >= 1, "rows_with_pairs: max_pairs must be at least 1, got ", max_pairs);
  const std::int64_t count = complex.count(k);
  const std::int64_t pairs =
      std::max(count_pairs(complex, k, Side::lower), count_pairs(complex, k, Side::upper));
  const double share = pairs <= max_pairs ? 1 : static_cast<double>(max_pairs) / static_cast<double>(pairs);
  const auto wanted = std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(count)),
                                               std::min<std::int64_t>(1, count), count);
  std::vector<Index> rows;
  for (std::int64_t r = 0; r < wanted; ++r) rows.push_back(static_cast<Index>(r * count / wanted));
  return rows;
}

}  // namespace gsan
