#include "gsan/data/formats/mesh/off.h"

#include <array>
#include <optional>
#include <vector>

#include "gsan/data/formats/mesh/detail/mesh.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

// Words across lines, comments left out.
class OffReader {
 public:
  OffReader(std::string_view text, std::string_view source) : lines_(text, source) {}

  /// The rest of this line, or the next line that has anything; false at the end.
  bool find_words() {
    while (trimmed(rest_).empty()) {
      if (!lines_.next()) return false;
      rest_ = lines_.line().substr(0, lines_.line().find('#'));
    }
    return true;
  }
  std::string_view word() { return next_word(rest_); }
  void drop_line() { rest_ = {}; }
  const Lines& lines() const { return lines_; }

  std::int64_t count(const char* what, std::int64_t at_least = 0) {
    if (!find_words()) cut(what);
    const std::string_view text = word();
    const auto value = parse_integer(text);
    if (!value || *value < at_least)
      lines_.fail_at(text, "the number of ", what, " must be an integer, got ", in_quotes(text));
    return *value;
  }
  [[noreturn]] void cut(const char* what) const {
    fail_at(lines_.source(), lines_.number() + 1, 1, "the file ends where ", what, " should follow");
  }
  /// Each of `count` lines to come takes at least two bytes.
  void check_fits(std::int64_t count, const char* what) const {
    if (static_cast<std::uint64_t>(count) > (lines_.rest().size() + rest_.size() + 1) / 2) {
      fail_at(lines_.source(), lines_.number(), 1, "the header announces ", count, " ", what, ", but only ",
              lines_.rest().size(), " bytes follow; the file is truncated or damaged");
    }
  }

 private:
  Lines lines_;
  std::string_view rest_;
};

// The dimension that the magic word means, 0 for nOFF; nothing for another word.
std::optional<std::size_t> off_dimension(std::string_view word) {
  if (!word.ends_with("OFF")) return std::nullopt;
  word.remove_suffix(3);
  for (const std::string_view extra : {"ST", "C", "N"}) {
    if (word.starts_with(extra)) word.remove_prefix(extra.size());
  }
  if (word.empty()) return 3;
  if (word == "4") return 4;
  if (word == "n") return 0;
  return std::nullopt;
}

void read_points(OffReader& reader, MeshBuilder& mesh, std::int64_t count) {
  std::vector<double> coordinates(mesh.dimension());
  for (std::int64_t i = 0; i < count; ++i) {
    if (!reader.find_words()) reader.cut("a point");
    for (double& coordinate : coordinates) {
      const std::string_view text = reader.word();
      const auto value = parse_number(text);
      if (!value) {
        reader.lines().fail_at(text, "a point needs ", coordinates.size(), " coordinates, got ",
                               in_quotes(text));
      }
      coordinate = *value;
    }
    mesh.add_point(coordinates);
    reader.drop_line();  // normals, colours, texture coordinates
  }
}

void read_faces(OffReader& reader, MeshBuilder& mesh, std::int64_t count) {
  std::vector<std::int64_t> corners;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t size = reader.count("a face", 1);
    corners.clear();
    for (std::int64_t c = 0; c < size; ++c) {
      const std::string_view text = reader.word();
      const auto corner = parse_integer(text);
      if (!corner) {
        reader.lines().fail_at(text, "corner ", c, " of ", size, " must be the number of a point, got ",
                               in_quotes(text));
      }
      corners.push_back(*corner);
    }
    mesh.add_face(corners, reader.lines().number());
    reader.drop_line();  // its colour
  }
}

}  // namespace

bool is_off(std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) return false;
  OffReader reader(bytes, "");
  return reader.find_words() && off_dimension(reader.word()).has_value();
}

ComplexFile parse_off(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  OffReader reader(checked_text(bytes, source), source);
  if (!reader.find_words()) reader.cut("the word OFF");
  const std::string_view magic = reader.word();
  auto dimension = off_dimension(magic);
  if (!dimension)
    reader.lines().fail_at(magic, "an OFF file begins with the word OFF, this one with ", in_quotes(magic));
  if (*dimension == 0) {
    constexpr std::int64_t max_dimension = 1 << 20;
    const std::int64_t given = reader.count("coordinates of a point", 1);
    if (given > max_dimension)
      fail(Fault::format, source, ": nOFF: at most ", max_dimension, " coordinates, got ", given);
    dimension = static_cast<std::size_t>(given);
  }
  const std::int64_t points = reader.count("points"), faces = reader.count("faces");
  reader.drop_line();  // the number of edges, which not every file gives
  reader.check_fits(points, "points");
  reader.check_fits(faces, "faces");
  MeshBuilder mesh(source, "line", *dimension);
  read_points(reader, mesh, points);
  read_faces(reader, mesh, faces);
  if (reader.find_words()) {
    reader.lines().fail_at(reader.word(), "text after the ", faces, " faces that the header announces");
  }
  return mesh.build(0, options);
}

}  // namespace gsan
