#include "gsan/data/formats/text/points_csv.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/text.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/data/formats/text/table.h"

namespace gsan {
namespace {

bool is_label_column(std::string_view name) { return names_vertex(name) || lower_case(name) == "label"; }

}  // namespace

bool has_points_header(std::string_view bytes) {
  CsvReader csv(bytes, "", table_delimiter(bytes));
  if (!csv.next()) return false;
  return std::ranges::any_of(csv.fields(),
                             [](const CsvField& field) { return lower_case(field.text) == "x"; });
}

std::vector<std::string> coordinate_names(std::size_t dimension) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < dimension; ++i) {
    names.push_back(dimension <= 3 ? std::string(1, "xyz"[i]) : "x" + std::to_string(i));
  }
  return names;
}

ComplexFile parse_points(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  CsvReader csv(bytes, source, table_delimiter(bytes));
  ListBuilder builder(source, "line");
  Signal points;
  bool more = csv.next();
  if (!more) return {};
  const std::size_t width = csv.fields().size();
  std::size_t labels = 0;  // columns of labels
  const bool labelled = options.header != HeaderRow::absent && is_label_column(csv.fields()[0].text);
  if (labelled || has_header(csv.fields(), options.header)) {
    labels = labelled ? 1 : 0;
    if (width == labels) csv.fail_at(csv.fields()[0], "a column of coordinates must follow the labels");
    for (std::size_t i = labels; i < width; ++i) points.names.emplace_back(csv.fields()[i].text);
    more = csv.next();
  }
  for (; more; more = csv.next()) {
    csv.check_fields(width);
    const auto& fields = csv.fields();
    if (labels == 1) {
      builder.add(fields[0].text);
    } else {
      builder.add(static_cast<std::int64_t>(points.rows));
    }
    builder.end_simplex(fields[0].line);
    for (std::size_t i = labels; i < width; ++i) {
      const auto coordinate = parse_number(fields[i].text);
      if (!coordinate || !std::isfinite(*coordinate)) {
        csv.fail_at(fields[i], "row ", points.rows, ", column ", i,
                    ": a coordinate must be a finite number, got ", in_quotes(fields[i].text));
      }
      points.values.push_back(*coordinate);
    }
    ++points.rows;
  }
  ComplexFile file{builder.build(Repeats::refuse, options), {}};
  file.values.resize(file.listed.lists.size());
  if (points.rows == 0) return file;
  points.columns = width - labels;
  if (points.names.empty()) points.names = coordinate_names(points.columns);
  file.values[0] = std::move(points);
  file.has_points = true;
  return file;
}

}  // namespace gsan
