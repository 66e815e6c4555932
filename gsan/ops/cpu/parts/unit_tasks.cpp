#include "gsan/ops/cpu/parts/unit_tasks.h"

namespace gsan::ops {
namespace {

// Parts are joined to units of so many rows, of which there are at most so many: small enough for a cache and
// for the threads to share, large enough that gradients of weights are not most of the work.
constexpr std::int64_t unit_rows = 256, most_units = 16;

std::vector<Unit> units_of(const PartLayer& layer) {
  const auto& parts = layer.parts;
  const auto part_count = static_cast<std::int64_t>(parts[0].size()) - 1;
  const auto rows_before = [&](std::int64_t part) {
    std::int64_t sum = 0;
    for (const auto& of_order : parts) sum += of_order[static_cast<std::size_t>(part)];
    return sum;
  };
  const std::int64_t least = std::max(unit_rows, rows_before(part_count) / most_units);
  std::vector<Unit> units;
  for (std::int64_t first = 0, last = 0; first < part_count; first = last) {
    while (last < part_count && (last == first || rows_before(last + 1) - rows_before(first) <= least))
      ++last;
    Unit unit{first, last, {}};
    for (const auto& of_order : parts)
      unit.rows.push_back(
          {of_order[static_cast<std::size_t>(first)], of_order[static_cast<std::size_t>(last)]});
    units.push_back(std::move(unit));
  }
  return units;
}

// Columns of the products of each input.
std::vector<std::int64_t> columns_of(const PartLayer& layer) {
  std::vector<std::int64_t> columns(layer.inputs.size(), 0);
  for (const PartTerm& term : layer.terms)
    columns[term.input] += term.weight.numel() / std::max<std::int64_t>(term.weight.size(0), 1);
  return columns;
}

}  // namespace

UnitTasks::UnitTasks(const PartLayer& layer) : units_(units_of(layer)) {
  const std::vector<std::int64_t> columns = columns_of(layer);
  for (std::size_t u = 0; u < units_.size(); ++u) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const RowRange& rows = units_[u].rows[static_cast<std::size_t>(layer.inputs[i].order)];
      tasks_.push_back({u, i, rows.size() * columns[i]});
      work_ += tasks_.back().work;
    }
  }
  std::stable_sort(tasks_.begin(), tasks_.end(),
                   [](const UnitTask& a, const UnitTask& b) { return a.work > b.work; });
}

}  // namespace gsan::ops
