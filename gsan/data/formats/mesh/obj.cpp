#include "gsan/data/formats/mesh/obj.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "gsan/data/formats/mesh/detail/mesh.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

bool is_ignored(std::string_view keyword) {
  constexpr std::array<std::string_view, 16> ignored{
      "vt",     "vn",     "vp",     "p",      "g",   "o",     "s",        "mg",
      "usemtl", "mtllib", "usemap", "maplib", "lod", "bevel", "c_interp", "d_interp"};
  return std::find(ignored.begin(), ignored.end(), keyword) != ignored.end();
}

void read_point(const Lines& lines, std::string_view rest, MeshBuilder& mesh) {
  std::array<double, 3> coordinates{};
  for (double& coordinate : coordinates) {
    const std::string_view text = next_word(rest);
    const auto value = parse_number(text);
    if (!value) lines.fail_at(text, "a point needs 3 coordinates, got ", in_quotes(text));
    coordinate = *value;
  }
  mesh.add_point(coordinates);
}

// The numbers before the first slash, from 0; negative ones count back from the last point.
void read_corners(const Lines& lines, std::string_view rest, const MeshBuilder& mesh,
                  std::vector<std::int64_t>& corners) {
  corners.clear();
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const auto number = parse_integer(word.substr(0, word.find('/')));
    if (!number || *number == 0 || *number < -mesh.points()) {
      lines.fail_at(word, "a corner must be the number of a point, from 1 or back from -1 to -",
                    mesh.points(), ", got ", in_quotes(word));
    }
    corners.push_back(*number > 0 ? *number - 1 : mesh.points() + *number);
  }
}

}  // namespace

ComplexFile parse_obj(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  Lines lines(checked_text(bytes, source), source);
  MeshBuilder mesh(source, "line", 3);
  std::vector<std::int64_t> corners;
  std::string joined;  // lines that end in a backslash, which is a blank here
  while (lines.next()) {
    std::string_view rest = lines.line();
    if (rest.ends_with('\\')) {
      joined += rest;
      joined.back() = ' ';
      continue;
    }
    std::string statement = std::exchange(joined, {});
    if (!statement.empty()) rest = statement += rest;
    rest = rest.substr(0, rest.find('#'));
    const std::string_view keyword = next_word(rest);
    if (keyword.empty() || is_ignored(keyword)) continue;
    if (keyword == "v") {
      read_point(lines, rest, mesh);
    } else if (keyword == "f") {
      read_corners(lines, rest, mesh, corners);
      if (corners.size() < 3) lines.fail_at(keyword, "a face needs at least 3 corners, got ", corners.size());
      mesh.add_face(corners, lines.number());
    } else if (keyword == "l") {
      read_corners(lines, rest, mesh, corners);
      if (corners.size() < 2) lines.fail_at(keyword, "a line needs at least 2 points, got ", corners.size());
      for (std::size_t i = 1; i < corners.size(); ++i) {
        mesh.add_face(std::span<const std::int64_t>(corners).subspan(i - 1, 2), lines.number());
      }
    } else {
      lines.fail_at(keyword, "unknown OBJ keyword ", in_quotes(keyword),
                    "; known are v, f, l and the attributes vt, vn, g, o, s, usemtl, ...");
    }
  }
  if (!joined.empty()) lines.fail_at(lines.line(), "the file ends where a continued line should follow");
  return mesh.build(1, options);
}

}  // namespace gsan
