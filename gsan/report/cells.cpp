#include "gsan/report/cells.h"

#include <algorithm>
#include <cmath>

#include "gsan/report/statistics.h"

namespace gsan::report {
namespace {

// The runs of one seed.
struct SeedCurves {
  std::uint64_t seed = 0;
  std::vector<const Record*> records{};
  std::size_t planned = 0;
};

struct BestOfMean {
  double best = 0, last = 0, own_best = 0, sd = 0;
};

BestOfMean best_of_mean(const std::vector<const Record*>& records) {
  std::size_t epochs = records.front()->curve.size();
  for (const Record* record : records) epochs = std::min(epochs, record->curve.size());
  BestOfMean found;
  std::size_t best_epoch = 0;
  const auto at = [&](std::size_t epoch) {
    std::vector<double> values;
    for (const Record* record : records) values.push_back(record->curve[epoch]);
    return values;
  };
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const double mean = spread_of(at(epoch)).mean;
    if (epoch == 0 || mean > found.best) found.best = mean, best_epoch = epoch;
    found.last = mean;
  }
  if (epochs > 0 && records.size() > 1) found.sd = spread_of(at(best_epoch)).sd;
  for (const Record* record : records)
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
  measured.last = spread_of(last).mean;
  measured.own_best = spread_of(own_best).mean;
  if (!sds.empty()) measured.sd = spread_of(sds).mean;
}

std::optional<double> last_value(const Record& record) {
  for (const auto& [name, value] : record.last)
    if (name == record.headline && std::isfinite(value)) return value;
  return std::nullopt;
}

void measure_values(const PlannedRow& row, const PlannedCell& cell, const RecordStore& store,
                    MeasuredCell& measured) {
  std::vector<double> last;
  for (const PlannedRun& run : cell.runs) {
    const Record* record = store.find(run);
    const auto value = record == nullptr ? std::nullopt : record->value(row.rule);
    if (!value) continue;
    measured.values.push_back(*value);
    measured.seeds.push_back(run.key.seed);
    ++measured.done;
    if (const auto at_end = last_value(*record)) last.push_back(*at_end);
  }
  if (measured.values.size() > 1) measured.sd = spread_of(measured.values).sd;
  if (!last.empty()) measured.last = spread_of(last).mean;
}

}  // namespace

std::optional<double> MeasuredCell::difference() const {
  if (!is_measured() || !printed) return std::nullopt;
  return mean - printed->mean;
}

MeasuredCell measure(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
                     const RecordStore& store) {
  MeasuredCell measured;
  measured.column = cell.column;
  measured.printed = cell.printed;
  measured.has_target = cell.has_target;
  measured.planned = static_cast<int>(cell.runs.size());
  for (const PlannedRun& run : cell.runs) measured.stale += store.is_stale(run);
  if (table.curve.empty() || row.kind == RowKind::rule) {
    measure_values(row, cell, store, measured);
  } else {
    std::vector<SeedCurves> seeds;
    for (const PlannedRun& run : cell.runs) {
      if (seeds.empty() || seeds.back().seed != run.key.seed) seeds.push_back({.seed = run.key.seed});
      ++seeds.back().planned;
      const Record* record = store.find(run);
      if (record == nullptr || record->curve.empty()) continue;  // or written for a table that needs none
      seeds.back().records.push_back(record);
      ++measured.done;
    }
    measure_curves(seeds, measured);
  }
  if (measured.is_measured()) measured.mean = spread_of(measured.values).mean;
  if (measured.values.size() > 1) measured.standard_error = spread_of(measured.values).standard_error;
  measured.runs = run_count(table, measured);
  measured.verdict = verdict_of(table, row, cell, measured);
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

Verdict verdict_of(const PlannedTable& table, const PlannedRow& row, const PlannedCell& cell,
                   const MeasuredCell& measured) {
  if (!cell.printed || row.kind == RowKind::variant || table.protocol != Protocol::published)
    return Verdict::none;
  if (cell.printed->is_misprint) return Verdict::misprint;
  if (!measured.is_measured()) return Verdict::none;
  constexpr double rounding = 0.05;  // of the printed number
  const double room = cell.printed->deviation + 2 * measured.standard_error.value_or(0) + rounding;
  if (std::abs(*measured.difference()) <= room) return Verdict::agrees;
  return cell.is_other_protocol ? Verdict::protocol : Verdict::setting;
}

}  // namespace gsan::report
