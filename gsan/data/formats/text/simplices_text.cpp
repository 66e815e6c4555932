#include "gsan/data/formats/text/simplices_text.h"

#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {
namespace {

void skip_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

// Cuts a label in quotes off `rest`; `scratch` keeps it.
std::string_view take_quoted(std::string_view& rest, const Lines& lines, std::string& scratch) {
  const std::string_view start = rest;
  scratch.clear();
  for (rest.remove_prefix(1);;) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos)
      lines.fail_at(start, "the quote that opens here is not closed on its line");
    scratch += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) break;
    scratch += '"';
    rest.remove_prefix(1);
  }
  if (!rest.empty() && !is_blank(rest.front()) && rest.front() != ',') {
    lines.fail_at(rest, "a blank or a comma must follow the closing quote");
  }
  return scratch;
}

std::string_view take_plain(std::string_view& rest, const Lines& lines) {
  std::size_t size = 0;
  for (; size < rest.size() && !is_blank(rest[size]) && rest[size] != ','; ++size) {
    if (rest[size] == '"')
      lines.fail_at(rest.substr(size), "a quote inside an unquoted label; quote the label and double it");
  }
  const std::string_view label = rest.substr(0, size);
  rest.remove_prefix(size);
  return label;
}

void append_label(std::string& text, std::string_view label) {
  GSAN_CHECK(label.find_first_of(std::string_view("\n\0", 2)) == std::string_view::npos, "the label ",
             in_quotes(label),
             " holds a line break or a zero byte: it cannot be written as simplices text; use HIF");
  const bool plain = !label.empty() && label.find_first_of(" \t,\"\r") == std::string_view::npos &&
                     label.front() != '#' && without_mark(label) == label;
  if (plain) {
    text += label;
    return;
  }
  text += '"';
  for (const char c : label) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

}  // namespace

ComplexFile parse_simplices(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  Lines lines(checked_text(bytes, source), source);
  ListBuilder builder(source, "line");
  std::string scratch;
  while (lines.next()) {
    std::string_view rest = lines.line();
    bool any = false, after_comma = false;
    for (skip_blanks(rest); !rest.empty() && rest.front() != '#'; skip_blanks(rest)) {
      if (rest.front() == ',') lines.fail_at(rest, "a label is missing before this comma");
      builder.add(rest.front() == '"' ? take_quoted(rest, lines, scratch) : take_plain(rest, lines));
      any = true;
      skip_blanks(rest);
      after_comma = rest.starts_with(',');
      if (after_comma) rest.remove_prefix(1);
    }
    if (after_comma) lines.fail_at(rest, "a label is missing after the last comma");
    if (any) builder.end_simplex(lines.number());
  }
  ComplexFile file{builder.build(Repeats::merge, options), {}};
  file.values.resize(file.listed.lists.size());
  return file;
}

std::string print_simplices(const ListedComplex& listed) {
  std::string text;
  for (const ListedSimplices& list : listed.lists) {
    for (Index r = 0; r < list.size(); ++r) {
      const auto simplex = list.simplex(r);
      for (std::size_t i = 0; i < simplex.size(); ++i) {
        if (i > 0) text += ' ';
        append_label(text, listed.labels.text(simplex[i]));
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace gsan
