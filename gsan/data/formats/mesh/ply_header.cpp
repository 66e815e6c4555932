#include "gsan/data/formats/mesh/detail/ply_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

PlyType parse_type(const Lines& lines, std::string_view word) {
  struct Name {
    std::string_view name;
    PlyType type;
  };
  constexpr std::array<Name, 16> names{{{"char", PlyType::int8},
                                        {"int8", PlyType::int8},
                                        {"uchar", PlyType::uint8},
                                        {"uint8", PlyType::uint8},
                                        {"short", PlyType::int16},
                                        {"int16", PlyType::int16},
                                        {"ushort", PlyType::uint16},
                                        {"uint16", PlyType::uint16},
                                        {"int", PlyType::int32},
                                        {"int32", PlyType::int32},
                                        {"uint", PlyType::uint32},
                                        {"uint32", PlyType::uint32},
                                        {"float", PlyType::float32},
                                        {"float32", PlyType::float32},
                                        {"double", PlyType::float64},
                                        {"float64", PlyType::float64}}};
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const Name& known) { return known.name == word; });
  if (found == names.end()) lines.fail_at(word, "unknown PLY type ", in_quotes(word));
  return found->type;
}

PlyEncoding parse_encoding(const Lines& lines, std::string_view rest) {
  const std::string_view name = next_word(rest), version = next_word(rest);
  if (version != "1.0") lines.fail_at(version, "PLY version 1.0 is supported, got ", in_quotes(version));
  if (name == "ascii") return PlyEncoding::ascii;
  if (name == "binary_little_endian") return PlyEncoding::little_endian;
  if (name == "binary_big_endian") return PlyEncoding::big_endian;
  lines.fail_at(name, "a PLY format is ascii, binary_little_endian or binary_big_endian, got ",
                in_quotes(name));
}

PlyElement parse_element(const Lines& lines, std::string_view rest) {
  const std::string_view name = next_word(rest), count = next_word(rest);
  const auto number = parse_integer(count);
  if (name.empty() || !number || *number < 0) {
    lines.fail_at(count, "an element needs a name and a count, got ", in_quotes(count));
  }
  return {std::string(name), static_cast<std::uint64_t>(*number), {}};
}

PlyProperty parse_property(const Lines& lines, std::string_view rest) {
  PlyProperty property;
  std::string_view type = next_word(rest);
  if (type == "list") {
    property.is_list = true;
    const std::string_view count_type = next_word(rest);
    property.count_type = parse_type(lines, count_type);
    if (property.count_type == PlyType::float32 || property.count_type == PlyType::float64) {
      lines.fail_at(count_type, "the length of a list must be an integer type, got ", in_quotes(count_type));
    }
    type = next_word(rest);
  }
  property.type = parse_type(lines, type);
  property.name = next_word(rest);
  if (property.name.empty()) lines.fail_at(rest, "a property needs a name");
  return property;
}

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::float64:
      return 8;
    default:
      return 4;
  }
}

int PlyElement::find(std::initializer_list<std::string_view> names, bool is_list) const {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].is_list != is_list) continue;
    if (std::find(names.begin(), names.end(), properties[i].name) != names.end()) return static_cast<int>(i);
  }
  return -1;
}

PlyHeader parse_ply_header(std::string_view bytes, std::string_view source) {
  Lines lines(bytes, source);
  if (!lines.next() || lines.line() != "ply") {
    fail(Fault::format, source, ":1:1: a PLY file begins with a line 'ply', this one with ",
         in_quotes(lines.line()));
  }
  PlyHeader header;
  std::optional<PlyEncoding> encoding;
  std::set<std::string> names;  // of elements
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string_view keyword = next_word(rest);
    if (keyword.empty() || keyword == "comment" || keyword == "obj_info") continue;
    if (keyword == "end_header") {
      if (!encoding) lines.fail_at(keyword, "the header has no line 'format ...'");
      header.encoding = *encoding;
      header.body = lines.rest();
      header.lines = lines.number();
      return header;
    }
    if (keyword == "format") {
      encoding = parse_encoding(lines, rest);
    } else if (keyword == "element") {
      PlyElement element = parse_element(lines, rest);
      if (!names.insert(element.name).second)
        lines.fail_at(keyword, "element ", in_quotes(element.name), " is declared twice");
      header.elements.push_back(std::move(element));
    } else if (keyword == "property") {
      if (header.elements.empty()) lines.fail_at(keyword, "a property must follow its element");
      header.elements.back().properties.push_back(parse_property(lines, rest));
    } else {
      lines.fail_at(keyword, "unknown PLY keyword ", in_quotes(keyword));
    }
  }
  fail_at(source, lines.number(), 1, "the file ends within the PLY header");
}

}  // namespace gsan
