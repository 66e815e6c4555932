#include "gsan/data/formats/text/edge_list.h"

#include <cmath>

#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

constexpr std::string_view comments = "#%";

}  // namespace

bool has_edge_header(std::string_view bytes) {
  const char delimiter = detect_delimiter(bytes, ' ', comments);
  if (delimiter == ' ') return false;
  CsvReader csv(bytes, "", delimiter, comments);
  return csv.next() && names_edge(csv.fields());
}

ComplexFile parse_edge_list(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  const char delimiter = detect_delimiter(bytes, ' ', comments);
  CsvReader csv(bytes, source, delimiter, comments);
  ListBuilder builder(source, "line");
  Signal weights;
  bool more = csv.next();
  const std::size_t width = more ? csv.fields().size() : 2;
  if (width != 2 && width != 3) {
    csv.fail_at(csv.fields().front(), "an edge is 'u v' or 'u v weight', this line has ", width, " fields");
  }
  const bool header =
      options.header == HeaderRow::present ||
      (options.header == HeaderRow::automatic && delimiter != ' ' && more && names_edge(csv.fields()));
  if (header && more) {
    if (width == 3) weights.names.emplace_back(csv.fields()[2].text);
    more = csv.next();
  }
  for (; more; more = csv.next()) {
    csv.check_fields(width);
    const auto& fields = csv.fields();
    for (std::size_t i = 0; i < 2; ++i) {
      if (fields[i].text.empty() && !fields[i].quoted)
        csv.fail_at(fields[i], "the label of a vertex is missing");
    }
    if (options.skip_degenerate && fields[0].text == fields[1].text) continue;
    builder.add(fields[0].text);
    builder.add(fields[1].text);
    builder.end_simplex(fields[0].line);
    if (width == 2) continue;
    const auto weight = parse_number(fields[2].text);
    if (!weight || !std::isfinite(*weight)) {
      csv.fail_at(fields[2], "a weight must be a finite number, got ", in_quotes(fields[2].text));
    }
    weights.values.push_back(*weight);
  }
  ComplexFile file{builder.build(width == 3 ? Repeats::refuse : Repeats::merge, options), {}};
  file.values.resize(file.listed.lists.size());
  if (width == 3 && file.values.size() > 1) {
    weights.rows = weights.values.size();
    weights.columns = 1;
    if (weights.names.empty()) weights.names = {"weight"};
    file.values[1] = std::move(weights);
  }
  return file;
}

}  // namespace gsan
