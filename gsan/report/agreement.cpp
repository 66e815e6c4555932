#include "gsan/report/agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "gsan/core/text.h"
#include "gsan/report/forms.h"

namespace gsan::report {
namespace {

using Visit = std::function<void(const MeasuredBlock&, const MeasuredRow&, const MeasuredCell&)>;

// Every printed cell of a row that runs here.
void for_printed(const MeasuredTable& table, const Visit& visit) {
  for (const MeasuredBlock& block : table.blocks)
    for (const MeasuredRow& row : block.rows)
      for (const MeasuredCell& cell : row.cells)
        if (cell.printed && row.kind != RowKind::quoted && row.kind != RowKind::variant)
          visit(block, row, cell);
}

bool is_far(const MeasuredCell& cell) {
  return cell.is_measured() && !cell.printed->is_misprint && std::abs(*cell.difference()) > far_points;
}

// printed, measured, agrees, misprint, protocol, setting, far
using Counts = std::array<int, 7>;

Counts counts_of(const MeasuredTable& table) {
  Counts counts{};
  for_printed(table, [&](const auto&, const auto&, const MeasuredCell& cell) {
    ++counts[0];
    if (!cell.is_measured()) return;
    ++counts[1];
    constexpr std::array shown{Verdict::agrees, Verdict::misprint, Verdict::protocol, Verdict::setting};
    for (std::size_t v = 0; v < shown.size(); ++v) counts[2 + v] += cell.verdict == shown[v];
    counts[6] += is_far(cell);
  });
  return counts;
}

std::vector<std::string> line(const std::string& name, const Counts& counts) {
  std::vector<std::string> texts{name};
  for (const int count : counts) texts.push_back(std::to_string(count));
  return texts;
}

}  // namespace

std::vector<std::vector<std::string>> shown_agreement(const std::vector<MeasuredTable>& tables) {
  std::vector<std::vector<std::string>> lines{{"table", "printed cells", "measured", "agrees", "misprint",
                                               "protocol", "setting", "further than 2 points"}};
  Counts all{};
  for (const MeasuredTable& table : tables) {
    const Counts counts = counts_of(table);
    lines.push_back(line(table.title, counts));
    std::transform(all.begin(), all.end(), counts.begin(), all.begin(), std::plus());
  }
  lines.push_back(line("all", all));
  return lines;
}

std::vector<std::vector<std::string>> shown_misses(const std::vector<MeasuredTable>& tables) {
  std::vector<std::pair<double, std::vector<std::string>>> found;
  for (const MeasuredTable& table : tables)
    for_printed(table, [&](const MeasuredBlock& block, const MeasuredRow& row, const MeasuredCell& cell) {
      if (!is_far(cell)) return;
      const double difference = *cell.difference();
      found.push_back(
          {std::abs(difference),
           {table.title, concat(block.name, block.name.empty() ? "" : ": ", row.name), cell.column,
            shown_number(cell.printed->mean, cell.printed->deviation, "±"), shown_cell(cell, "±"),
            concat(difference > 0 ? "+" : "", shown_number(difference, std::nullopt, "±")),
            std::string(name_of(cell.verdict))}});
    });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::vector<std::string>> lines{
      {"table", "row", "column", "printed", "ours", "difference", "verdict"}};
  for (auto& [distance, texts] : found) lines.push_back(std::move(texts));
  return lines;
}

}  // namespace gsan::report
