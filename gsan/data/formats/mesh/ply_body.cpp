#include "gsan/data/formats/mesh/detail/ply_body.h"

#include "gsan/data/formats/text/number.h"

namespace gsan {

PlyBinaryBody::PlyBinaryBody(const PlyHeader& header, std::string_view source, std::size_t file_size)
    : rest_(header.body),
      order_(header.encoding == PlyEncoding::big_endian ? ByteOrder::big : ByteOrder::little),
      source_(source),
      file_size_(file_size) {}

double PlyBinaryBody::value(PlyType type) {
  if (rest_.size() < size_of(type)) fail_here("the file ends within an element; it is truncated");
  const char* at = rest_.data();
  rest_.remove_prefix(size_of(type));
  switch (type) {
    case PlyType::int8:
      return load_bytes<std::int8_t>(at, order_);
    case PlyType::uint8:
      return load_bytes<std::uint8_t>(at, order_);
    case PlyType::int16:
      return load_bytes<std::int16_t>(at, order_);
    case PlyType::uint16:
      return load_bytes<std::uint16_t>(at, order_);
    case PlyType::int32:
      return load_bytes<std::int32_t>(at, order_);
    case PlyType::uint32:
      return load_bytes<std::uint32_t>(at, order_);
    case PlyType::float32:
      return load_bytes<float>(at, order_);
    default:
      return load_bytes<double>(at, order_);
  }
}

void PlyBinaryBody::finish() {
  while (!rest_.empty() && (rest_.front() == '\n' || rest_.front() == '\r')) rest_.remove_prefix(1);
  if (!rest_.empty()) fail_here(rest_.size(), " bytes follow the last element");
}

std::size_t PlyBinaryBody::least_size(const PlyElement& element) {
  std::size_t size = 0;
  for (const PlyProperty& property : element.properties) {
    size += size_of(property.is_list ? property.count_type : property.type);
  }
  return size;
}

PlyAsciiBody::PlyAsciiBody(const PlyHeader& header, std::string_view source)
    : lines_(checked_text(header.body, source), source, header.lines) {}

void PlyAsciiBody::begin_item(const PlyElement& element, std::uint64_t i) {
  do {
    if (!lines_.next()) {
      fail_here("the file ends before ", element.name, " ", i, " of ", element.count, "; it is truncated");
    }
    rest_ = lines_.line();
  } while (trimmed(rest_).empty());
}

double PlyAsciiBody::value(PlyType) {
  const std::string_view word = next_word(rest_);
  const auto number = parse_number(word);
  if (!number) lines_.fail_at(word, word.empty() ? "a value is missing" : "not a number: ", word);
  return *number;
}

void PlyAsciiBody::end_item() {
  const std::string_view word = next_word(rest_);
  if (!word.empty()) lines_.fail_at(word, "more values than the element has properties: ", in_quotes(word));
}

void PlyAsciiBody::finish() {
  while (lines_.next()) {
    rest_ = trimmed(lines_.line());
    if (!rest_.empty()) fail_here("text follows the last element: ", in_quotes(rest_));
  }
}

}  // namespace gsan
