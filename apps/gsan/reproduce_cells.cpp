#include "apps/gsan/reproduce_cells.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/gsan/runner/metric_values.h"

namespace gsan::app {
namespace {

std::optional<double> value_in(const Metrics& metrics, const std::string& name) {
  const double value = metric_value(metrics, name);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> headline(const TableRecord& record, const std::string& rule) {
  const std::string& name = record.result.headline_metric;
  if (rule.empty()) return value_in(record.result.test, name);
  for (const BaselineResult& baseline : record.result.baselines)
    if (baseline.name == rule) return value_in(baseline.metrics, name);
  return std::nullopt;
}

// The runs of one seed.
struct SeedCurves {
  std::uint64_t seed = 0;
  std::vector<const TableRecord*> records;
  std::size_t planned = 0;
};

struct BestOfMean {
  double best = 0, last = 0, own_best = 0, sd = 0;
};

BestOfMean best_of_mean(const std::vector<const TableRecord*>& records) {
  std::size_t epochs = records.front()->curve.size();
  for (const TableRecord* record : records) epochs = std::min(epochs, record->curve.size());
  BestOfMean found;
  std::size_t best_epoch = 0;
  std::vector<double> at_best;
  const auto at = [&](std::size_t epoch) {
    std::vector<double> values;
    for (const TableRecord* record : records) values.push_back(record->curve[epoch]);
    return values;
  };
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const double mean = spread_of(at(epoch)).mean;
    if (epoch == 0 || mean > found.best) found.best = mean, best_epoch = epoch;
    found.last = mean;
  }
  if (epochs > 0 && records.size() > 1) found.sd = spread_of(at(best_epoch)).sd;
  for (const TableRecord* record : records)
    found.own_best +=
        *std::max_element(record->curve.begin(), record->curve.end()) / static_cast<double>(records.size());
  return found;
}

void measure_curves(const std::vector<SeedCurves>& seeds, MeasuredCell& measured) {
  const bool any_complete = std::any_of(
      seeds.begin(), seeds.end(), [](const SeedCurves& seed) { return seed.records.size() == seed.planned; });
  std::vector<double> last, own_best, sds;
  for (const SeedCurves& seed : seeds) {
    if (seed.records.empty() || (any_complete && seed.records.size() < seed.planned)) continue;
    const BestOfMean number = best_of_mean(seed.records);
    measured.values.push_back(number.best);
    measured.seeds.push_back(seed.seed);
    last.push_back(number.last);
    own_best.push_back(number.own_best);
    if (seed.records.size() > 1) sds.push_back(number.sd);
  }
  if (measured.values.empty()) return;
  measured.is_by_seed = any_complete;
  measured.mean = spread_of(measured.values).mean;
  measured.last = spread_of(last).mean;
  measured.own_best = spread_of(own_best).mean;
  measured.has_last = true;
  measured.has_sd = !sds.empty();
  if (measured.has_sd) measured.sd = spread_of(sds).mean;
}

}  // namespace

MeasuredCell measure(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
                     const RecordStore& store) {
  MeasuredCell measured;
  measured.planned = static_cast<int>(cell.runs.size());
  const bool by_curve = !table.curve.empty() && row.rule.empty();
  std::vector<SeedCurves> seeds;
  std::optional<std::uint64_t> seed;
  std::vector<double> last;
  for (const PlannedRun& run : cell.runs) {
    if (seed != run.seed) seeds.push_back({.seed = run.seed, .records = {}});
    seed = run.seed;
    ++seeds.back().planned;
    const TableRecord* record = store.find(run);
    if (record == nullptr) {
      measured.stale += store.stale(run).has_value();
      continue;
    }
    if (by_curve) {
      if (record->curve.empty()) continue;  // written for a table that needs none
      seeds.back().records.push_back(record);
      ++measured.done;
    } else if (const auto value = headline(*record, row.rule)) {
      measured.values.push_back(*value);
      measured.seeds.push_back(run.seed);
      ++measured.done;
      if (const auto at_end = value_in(record->last, record->result.headline_metric);
          at_end && row.rule.empty())
        last.push_back(*at_end);
    }
  }
  if (by_curve) {
    measure_curves(seeds, measured);
    return measured;
  }
  if (measured.values.empty()) return measured;
  measured.mean = spread_of(measured.values).mean;
  measured.has_sd = measured.values.size() > 1;
  if (measured.has_sd) measured.sd = spread_of(measured.values).sd;
  measured.has_last = !last.empty();
  if (measured.has_last) measured.last = spread_of(last).mean;
  return measured;
}

std::string run_count(const PlannedTable& table, const MeasuredCell& cell) {
  const auto counted = static_cast<int>(cell.seeds.size());
  const std::string part = concat(cell.done, " of ", cell.planned);
  if (cell.done < cell.planned && !table.curve.empty() && cell.is_by_seed)
    return concat(counted, counted == 1 ? " seed; " : " seeds; ", part);
  if (cell.done < cell.planned) return part;
  if (!table.curve.empty() && !cell.values.empty() &&
      cell.values.size() < static_cast<std::size_t>(cell.done))
    return concat(cell.values.size(), " x ", cell.done / static_cast<int>(cell.values.size()));
  return std::to_string(cell.done);
}

}  // namespace gsan::app
