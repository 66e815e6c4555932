#include "gsan/data/formats/arrays/detail/npy_header.h"

#include <optional>
#include <string>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

// The few Python literals that occur: strings, True and False, tuples of integers.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, std::string_view source, std::size_t offset)
      : text_(text), source_(source), offset_(offset) {}

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(Fault::format, source_, ": byte ", offset_ + at_, ": NPY header: ", parts...);
  }

  bool accept(char expected) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  void expect(char expected) {
    if (!accept(expected)) fail_here("expected '", expected, "' in ", in_quotes(text_));
  }

  std::string_view string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail_here("a string is not closed");
    const std::string_view value = text_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    fail_here("'fortran_order' must be True or False");
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> sizes;
    expect('(');
    while (!accept(')')) {
      std::size_t end = at_;
      while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
      const auto size = parse_integer(text_.substr(at_, end - at_));
      if (!size) fail_here("'shape' must be a tuple of sizes, got ", in_quotes(text_.substr(at_, 24)));
      sizes.push_back(static_cast<std::uint64_t>(*size));
      at_ = end;
      accept('L');  // Python 2 wrote long integers so
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  bool at_list() {
    const bool list = accept('[');
    if (list) --at_;
    return list;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
  }

  std::string_view text_, source_;
  std::size_t offset_;
  std::size_t at_ = 0;
};

void parse_type(std::string_view type, NpyItems items, const DictionaryParser& parser, NpyHeader& header) {
  const char order = type.empty() ? '\0' : type[0];
  const char kind = type.size() < 2 ? '\0' : type[1];
  if (items == NpyItems::objects) {
    if (kind != 'O') parser.fail_here("expected an array of Python objects ('|O'), got ", in_quotes(type));
    header.kind = kind;
    header.item_size = 0;
    return;
  }
  if (kind == 'O')
    parser.fail_here("an array of Python objects is not supported; save numbers (array.astype(float))");
  const auto size = type.size() < 3 ? std::nullopt : parse_integer(type.substr(2));
  const bool known =
      size && std::string_view("<>|=").find(order) != std::string_view::npos &&
      ((kind == 'f' && (*size == 2 || *size == 4 || *size == 8)) || (kind == 'b' && *size == 1) ||
       ((kind == 'i' || kind == 'u') && (*size == 1 || *size == 2 || *size == 4 || *size == 8)));
  if (!known) {
    parser.fail_here("type ", in_quotes(type),
                     " is not supported; known are b1, i1 i2 i4 i8, u1 u2 u4 u8, f2 f4 f8");
  }
  header.kind = kind;
  header.item_size = static_cast<std::size_t>(*size);
  header.byte_order = order == '>' ? ByteOrder::big : ByteOrder::little;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, std::string_view source, NpyItems items) {
  if (!bytes.starts_with(npy_magic)) {
    fail(Fault::format, source, ": an NPY file begins with \\x93NUMPY, this one with ",
         in_quotes(bytes.substr(0, npy_magic.size())));
  }
  const auto cut = [&] {
    fail(Fault::format, source, ": the file ends within the NPY header, after ", bytes.size(), " bytes");
  };
  if (bytes.size() < 10) cut();
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) {
    fail(Fault::format, source, ": byte 6: NPY versions 1, 2 and 3 are supported, got ", version);
  }
  std::size_t start = 10, length = load_bytes<std::uint16_t>(bytes.data() + 8, ByteOrder::little);
  if (version > 1) {
    if (bytes.size() < 12) cut();
    start = 12;
    length = load_bytes<std::uint32_t>(bytes.data() + 8, ByteOrder::little);
  }
  if (length > bytes.size() - start) cut();

  NpyHeader header;
  header.data_offset = start + length;
  DictionaryParser parser(bytes.substr(start, length), source, start);
  bool has_type = false, has_order = false, has_shape = false;
  parser.expect('{');
  while (!parser.accept('}')) {
    const std::string_view key = parser.string();
    parser.expect(':');
    if (key == "descr") {
      if (parser.at_list())
        parser.fail_here("a structured array is not supported; save its columns as one float array");
      parse_type(parser.string(), items, parser, header);
      has_type = true;
    } else if (key == "fortran_order") {
      header.fortran_order = parser.boolean();
      has_order = true;
    } else if (key == "shape") {
      header.shape = parser.shape();
      has_shape = true;
    } else {
      parser.fail_here("unknown key ", in_quotes(key));
    }
    if (!parser.accept(',')) {
      parser.expect('}');
      break;
    }
  }
  if (!has_type || !has_order || !has_shape)
    parser.fail_here("needs the keys descr, fortran_order and shape");
  return header;
}

}  // namespace gsan
