#include "apps/gsan/bench/work.h"

#include <algorithm>
#include <set>

#include "gsan/hodge/neighborhood/neighborhood.h"
#include "gsan/hodge/neighborhood/star_statistics.h"
#include "gsan/nn/attention/attention.h"

namespace gsan::app {
namespace {

// Bytes of the tables of B_k as the kernels read them: faces, and cofaces with offsets and columns.
double incidence_bytes(const SimplicialComplex& complex, int k) {
  if (k < 1 || k > complex.order()) return 0;
  const double entries = static_cast<double>(complex.count(k)) * (k + 1);
  return 4 * entries + 5 * entries + 8.0 * (complex.count(k - 1) + 1);
}

// The filters of the other mechanisms walk pairs.
bool walks_stars(const SimplicialLayerOptions& options, const SimplicialComplex& complex,
                 const LayerTerm& term) {
  return options.mechanism == Mechanism::gat &&
         attends_over_stars(term.k, term.side, options.gate, star_statistic(complex, term.k),
                            options.out_channels);
}

double table_bytes(const SimplicialLayerOptions& options, const SimplicialComplex& complex) {
  std::set<std::pair<int, Side>> lists;
  std::set<int> incidences;
  for (const LayerTerm& term : layer_terms(options)) {
    if (term.shift != ShiftKind::attention) {
      incidences.insert({term.k, term.k + 1});
    } else if (term.needs_shift()) {
      if (walks_stars(options, complex, term)) {
        incidences.insert(term.k);
      } else {
        lists.emplace(term.k, term.side);
      }
    }
    if (term.use == Use::neighbor) incidences.insert(term.side == Side::lower ? term.k : term.k + 1);
  }
  if (options.harmonic == HarmonicKind::projector)
    for (const int k : options.active_orders()) incidences.insert({k, k + 1});
  double bytes = 0;
  for (const auto& [k, side] : lists) {
    bytes += 4.0 * static_cast<double>(count_pairs(complex, k, side)) + 8.0 * (complex.count(k) + 1);
  }
  for (const int k : incidences) bytes += incidence_bytes(complex, k);
  return bytes;
}

}  // namespace

Work layer_work(const SimplicialLayerOptions& options, const SimplicialComplex& complex, Passes passes,
                std::int64_t signals, double bytes_per_number) {
  double rows = 0;
  for (const int k : options.active_orders()) rows += complex.count(k);
  const double in = bytes_per_number * static_cast<double>(signals) * rows * options.in_channels;
  const double out = bytes_per_number * static_cast<double>(signals) * rows * options.output_channels();
  const double parameters = bytes_per_number * static_cast<double>(count_parameters(options).total());
  const double tables = table_bytes(options, complex);
  ComplexSize size(complex, options.order);
  size.signals = signals;
  const LayerCost cost = forward_cost(options, size);
  const double along_complex = cost.shifts + cost.scores + cost.harmonic;
  if (passes == Passes::forward) return {in + out + parameters + tables, cost.flops()};
  return {3 * in + 2 * out + 3 * parameters + 2 * tables, 3 * cost.products + 2 * along_complex};
}

Work network_work(const ModelImpl& model, const SimplicialComplex& complex, Passes passes,
                  std::int64_t signals) {
  Work work;
  for (const SimplicialLayerOptions& layer : model.backbone().simplicial_layers())
    work += layer_work(layer, complex, passes, signals);
  return work;
}

}  // namespace gsan::app
