#include "gsan/data/formats/text/key_columns.h"

#include <algorithm>
#include <array>

#include "gsan/core/text.h"

namespace gsan {

std::string vertex_column(std::size_t number) { return "v" + std::to_string(number); }

bool names_vertex(std::string_view name) {
  constexpr std::array<std::string_view, 5> names{"v0", "id", "node", "vertex", "name"};
  return std::find(names.begin(), names.end(), lower_case(name)) != names.end();
}

bool names_edge(std::span<const CsvField> header) {
  constexpr std::array<std::array<std::string_view, 2>, 6> names{
      {{"v0", "v1"}, {"source", "target"}, {"src", "dst"}, {"from", "to"}, {"node1", "node2"}, {"u", "v"}}};
  if (header.size() < 2) return false;
  const std::array<std::string, 2> found{lower_case(header[0].text), lower_case(header[1].text)};
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& pair) { return pair[0] == found[0] && pair[1] == found[1]; });
}

std::size_t key_columns(std::span<const CsvField> header, std::size_t vertices) {
  std::size_t count = 0;
  while (count < header.size() && header[count].text == vertex_column(count)) ++count;
  if (count > 0) return count;
  if (vertices == 1 && header.size() > 1 && names_vertex(header[0].text)) return 1;
  if (vertices == 2 && names_edge(header)) return 2;
  return 0;
}

}  // namespace gsan
