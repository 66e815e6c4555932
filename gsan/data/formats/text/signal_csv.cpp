#include "gsan/data/formats/text/signal_csv.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/data/formats/text/table.h"

namespace gsan {
namespace {

double read_value(const CsvReader& csv, const CsvField& field, const Signal& signal,
                  const SignalOptions& options) {
  const auto value =
      spells_missing(field.text) ? std::numeric_limits<double>::quiet_NaN() : parse_number(field.text);
  const std::size_t c = signal.values.size() % signal.columns;
  const auto where = [&] {
    return concat("row ", signal.rows, ", column ", c, column_name(signal, c), ": ");
  };
  if (!value) csv.fail_at(field, where(), in_quotes(field.text), " is not a number in the range of float64");
  if (std::isinf(*value))
    csv.fail_at(field, where(), "the value must be finite, got ", in_quotes(field.text));
  if (std::isnan(*value) && !options.allow_missing) {
    csv.fail_at(field, where(),
                field.text.empty() ? "the field is empty" : concat(field.text, " is not a value"),
                "; fill it in, or read the file with missing values allowed");
  }
  return *value;
}

// The names of all columns, vertices first; empty when no header is needed. Names with which
// the table would not read back are an error.
std::vector<std::string> header_names(const Signal& signal) {
  const std::size_t vertices = signal.vertex_columns;
  GSAN_CHECK(signal.columns > 0 || signal.rows == 0, "a CSV signal needs at least one column of values");
  GSAN_CHECK(signal.names.empty() || signal.names.size() == signal.columns, "the signal has ", signal.columns,
             " columns but ", signal.names.size(), " names");
  std::vector<std::string> names;
  if (signal.names.empty() && vertices == 0) return names;
  for (std::size_t i = 0; i < vertices; ++i) names.push_back(vertex_column(i));
  for (std::size_t c = 0; c < signal.columns; ++c) {
    names.push_back(signal.names.empty() ? "x" + std::to_string(c) : signal.names[c]);
  }
  GSAN_CHECK(names.size() == vertices || names[vertices] != vertex_column(vertices),
             "the first column of values must not be called ", vertex_column(vertices),
             ": it would read back as a vertex");
  bool any = vertices > 0;
  for (const std::string& name : names) {
    GSAN_CHECK(vertices > 0 || !spells_number(name), "a column must not be called ", name,
               ": with a number in it the header would read back as a row of values");
    any |= !spells_missing(name);
  }
  GSAN_CHECK(any, "at least one column needs a name, else the header would read back as a row of values");
  return names;
}

}  // namespace

Signal parse_signal_csv(std::string_view text, std::string_view source, const SignalOptions& options) {
  CsvReader csv(text, source, table_delimiter(text));
  Signal signal;
  bool more = csv.next();
  if (!more) return signal;
  const std::size_t width = csv.fields().size();
  std::vector<std::size_t> columns;  // of the values
  const auto is_skipped = [&](std::string_view name) {
    return std::find(options.skipped.begin(), options.skipped.end(), lower_case(name)) !=
           options.skipped.end();
  };
  if (options.header != HeaderRow::absent) {
    const std::span<const CsvField> header(csv.fields());
    const std::size_t lead = !options.lead.empty() && lower_case(header[0].text) == options.lead ? 1 : 0;
    signal.vertex_columns = lead + key_columns(header.subspan(lead), options.key_vertices);
  }
  if (signal.vertex_columns > 0 || has_header(csv.fields(), options.header)) {
    for (std::size_t i = signal.vertex_columns; i < width; ++i) {
      if (width > signal.vertex_columns + 1 && is_skipped(csv.fields()[i].text)) continue;
      signal.names.emplace_back(csv.fields()[i].text);
      columns.push_back(i);
    }
    if (columns.empty()) csv.fail_at(csv.fields().front(), "a column of values must follow the vertices");
    more = csv.next();
  } else {
    columns.resize(width);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
  }
  signal.columns = columns.size();
  for (; more; more = csv.next()) {
    csv.check_fields(width);
    for (std::size_t i = 0; i < signal.vertex_columns; ++i)
      signal.simplices.emplace_back(csv.fields()[i].text);
    for (const std::size_t i : columns)
      signal.values.push_back(read_value(csv, csv.fields()[i], signal, options));
    ++signal.rows;
  }
  return signal;
}

std::string print_signal_csv(const Signal& signal) {
  const std::size_t vertices = signal.vertex_columns;
  std::string text;
  const auto separate = [&text](std::size_t i) {
    if (i > 0) text += ',';
  };
  const std::vector<std::string> names = header_names(signal);
  for (std::size_t i = 0; i < names.size(); ++i) separate(i), append_csv_field(text, names[i]);
  if (!names.empty()) text += '\n';
  for (std::size_t r = 0; r < signal.rows; ++r) {
    for (std::size_t i = 0; i < vertices; ++i)
      separate(i), append_csv_field(text, signal.simplices[r * vertices + i]);
    for (std::size_t c = 0; c < signal.columns; ++c)
      separate(vertices + c), append_number(text, signal.row(r)[c]);
    text += '\n';
  }
  return text;
}

void write_signal(const std::string& path, const Signal& signal) {
  write_file_atomically(path, path.ends_with(".npy") ? print_npy(signal) : print_signal_csv(signal));
}

}  // namespace gsan
