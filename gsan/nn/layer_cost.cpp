#include "gsan/nn/layer_cost.h"

#include <algorithm>
#include <map>
#include <set>

#include "gsan/core/check.h"
#include "gsan/hodge/neighborhood/neighborhood.h"
#include "gsan/nn/attention/attention.h"
#include "gsan/nn/detail/layer_memory.h"

namespace gsan {
namespace {

std::int64_t attention_parameters(const SimplicialLayerOptions& options, int taps) {
  std::int64_t count = 0;
  for (const AttentionParameter& p :
       mechanism_of(options.mechanism).parameters(AttentionOptions::of(options, taps))) {
    std::int64_t numbers = 1;
    for (const std::int64_t size : p.sizes) numbers *= size;
    count += numbers;
  }
  return count;
}

}  // namespace

ParameterCount count_parameters(const SimplicialLayerOptions& options) {
  const std::int64_t F_in = options.in_channels, H = options.heads, F_out = options.out_channels;
  const std::int64_t matrix = F_in * H * F_out;
  ParameterCount count;
  std::map<std::string, int> taps;
  std::map<std::string, std::int64_t> attention;
  for (const LayerTerm& term : layer_terms(options)) {
    taps[term.weight] = std::max(taps[term.weight], term.taps);
    if (!term.attention.empty()) attention[term.attention] = attention_parameters(options, term.taps);
  }
  for (const auto& entry : taps) count.filters += entry.second * matrix;
  for (const auto& entry : attention) count.attention += entry.second;
  if (options.uses(ShiftKind::weighted)) {
    const std::int64_t hidden = options.metric_channels > 0 ? options.metric_channels : options.out_channels;
    count.metric = (options.order + 1) * H * (F_in * hidden + hidden + hidden + 1);
  }
  if (options.harmonic != HarmonicKind::none) count.harmonic = matrix;
  std::set<std::string> identities;
  for (const int k : options.active_orders()) {
    if (options.identity) identities.insert(identity_weight(options, k));
    if (options.bias) count.bias += options.output_channels();
  }
  count.identity = static_cast<std::int64_t>(identities.size()) * matrix;
  return count;
}

ComplexSize::ComplexSize(const SimplicialComplex& complex, int order) {
  for (int k = 0; k <= order; ++k) {
    simplices.push_back(complex.count(k));
    lower_pairs.push_back(count_pairs(complex, k, Side::lower));
    upper_pairs.push_back(count_pairs(complex, k, Side::upper));
  }
}

std::int64_t ComplexSize::incidences(int k) const {
  return k >= 1 && k < static_cast<int>(simplices.size()) ? (k + 1) * simplices[k] : 0;
}

std::int64_t ComplexSize::pairs(int k, Side side) const {
  return meets_in_faces(k, side) ? lower_pairs[k] : upper_pairs[k];
}

// Σ deg (deg − 1) + Σ deg over the faces, by the number of incidences.
double ComplexSize::star_statistic(int k) const {
  const auto nonzeros = static_cast<double>(incidences(k));
  return nonzeros == 0 ? 0 : (static_cast<double>(lower_pairs[k] - simplices[k]) + nonzeros) / nonzeros;
}

LayerCost forward_cost(const SimplicialLayerOptions& options, const ComplexSize& size, int bytes_per_number) {
  const double F_in = options.in_channels, H = options.heads, width = H * options.out_channels;
  const auto signals = static_cast<double>(size.signals);
  const auto rows = [&](int k) { return signals * static_cast<double>(size.simplices[k]); };
  const auto nonzeros = [&](int j) { return signals * static_cast<double>(size.incidences(j)); };
  GSAN_CHECK(static_cast<int>(size.simplices.size()) > options.order,
             "forward_cost: the layer has order = ", options.order, ", but the sizes end with order ",
             static_cast<int>(size.simplices.size()) - 1);
  const AttentionMechanism& mechanism = mechanism_of(options.mechanism);
  LayerCost cost;
  for (const LayerTerm& term : layer_terms(options)) {
    const int k = term.k;
    const bool lower = term.side == Side::lower;
    const double products = rows(k) * term.taps * width;
    cost.products += 2 * F_in * products;
    if (term.use == Use::neighbor) cost.shifts += nonzeros(lower ? k : k + 1) * F_in;
    const int applications = term.first + term.taps - 1;
    if (applications == 0) continue;
    if (term.shift != ShiftKind::attention) {
      const double through =
          (term.side != Side::upper ? nonzeros(k) : 0) + (term.side != Side::lower ? nonzeros(k + 1) : 0);
      cost.shifts += applications * 2 * through * width;
      continue;
    }
    const double pairs = signals * static_cast<double>(size.pairs(k, term.side));
    const MechanismCost scores = mechanism.cost(AttentionOptions::of(options, term.taps));
    cost.products += 2 * rows(k) * F_in * H * scores.columns;
    cost.scores += pairs * H * (scores.pair_operations + 4);
    cost.shifts += applications * 2 * pairs * width;
  }
  for (const int k : options.active_orders()) {
    if (options.identity) cost.products += 2 * rows(k) * F_in * width;
    if (options.harmonic == HarmonicKind::none) continue;
    cost.products += 2 * rows(k) * F_in * width;
    if (options.harmonic != HarmonicKind::projector) continue;
    const bool is_weighted = options.uses(ShiftKind::weighted);
    const double filtered = is_weighted ? width : std::min(F_in, width);
    cost.harmonic += options.harmonic_steps * filtered * (2 * (nonzeros(k) + nonzeros(k + 1)) + 2 * rows(k));
  }
  if (options.uses(ShiftKind::weighted)) {  // the MLPs and the scalings that they make
    const double hidden = options.metric_channels > 0 ? options.metric_channels : options.out_channels;
    for (int k = 0; k <= options.order; ++k) {
      cost.products += 2 * rows(k) * H * hidden * (F_in + 1);
      cost.scores += rows(k) * H * 8;
    }
  }
  const LayerMemory memory = layer_memory(options, size, bytes_per_number);
  cost.structure = memory.structure;
  cost.activations = memory.activations;
  cost.workspace = memory.workspace;
  return cost;
}

}  // namespace gsan
