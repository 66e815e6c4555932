// Many complexes as rows of common tables.

#include <map>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/text/signal_csv.h"
#include "gsan/data/formats/text/table.h"
#include "gsan/data/own/named_complexes.h"
#include "gsan/data/own/order_table.h"

namespace gsan {
namespace {

constexpr const char* lead_column = "complex";

std::map<std::string, ListBuilder> read_simplex_rows(std::string_view bytes, const std::string& source) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ' '));
  std::map<std::string, ListBuilder> builders;
  bool is_first = true;
  while (csv.next()) {
    const auto& fields = csv.fields();
    const bool is_header = is_first && lower_case(fields[0].text) == lead_column;
    is_first = false;
    if (is_header) continue;
    std::size_t size = fields.size();
    while (size > 0 && fields[size - 1].text.empty()) --size;
    if (size < 2 || fields[0].text.empty())
      csv.fail_at(fields[0], "a row has the name of a complex, then the vertices of one of its simplices");
    ListBuilder& builder =
        builders.try_emplace(std::string(fields[0].text), source, std::string_view("line")).first->second;
    for (std::size_t i = 1; i < size; ++i) {
      if (fields[i].text.empty()) csv.fail_at(fields[i], "the label of a vertex is missing");
      builder.add(fields[i].text);
    }
    builder.end_simplex(fields[0].line);
  }
  return builders;
}

// The rows of each complex as a table of their own.
std::map<std::string, Signal> tables_by_complex(const Signal& all) {
  std::map<std::string, Signal> tables;
  for (std::size_t r = 0; r < all.rows; ++r) {
    const auto keys = all.simplices.begin() + static_cast<std::ptrdiff_t>(r * all.vertex_columns);
    Signal& table = tables[*keys];
    table.columns = all.columns;
    table.vertex_columns = all.vertex_columns - 1;
    ++table.rows;
    table.values.insert(table.values.end(), all.row(r).begin(), all.row(r).end());
    table.simplices.insert(table.simplices.end(), keys + 1,
                           keys + static_cast<std::ptrdiff_t>(all.vertex_columns));
  }
  return tables;
}

std::map<std::string, Signal> read_feature_rows(OwnFolder& folder, const std::string& file, int order) {
  const std::string source = folder.source(file), bytes = folder.read(file);
  const std::string_view text = checked_text(bytes, source);
  CsvReader first(text, source, table_delimiter(text));
  if (!first.next() || lower_case(first.fields()[0].text) != lead_column)
    fail_at(source, 1, 1, "expected a header whose first column is '", lead_column,
            "': which complex each row belongs to");
  return tables_by_complex(parse_signal_csv(
      text, source, {.key_vertices = static_cast<std::size_t>(order) + 1, .lead = lead_column}));
}

}  // namespace

std::vector<NamedComplex> read_complex_rows(OwnFolder& folder, const std::string& file) {
  std::vector<NamedComplex> all;
  const std::string source = folder.source(file);
  for (auto& [name, builder] : read_simplex_rows(folder.read(file), source)) {
    const std::string where = concat(source, ": complex ", in_quotes(name));
    const OwnSettings& settings = folder.settings();
    ListedComplex listed = lifted({builder.build(Repeats::merge, settings.reading()), {}}, settings, where);
    Cochains features(listed.lists.size());
    all.push_back({name, std::move(listed), std::move(features), where});
  }
  for (const int order : folder.orders_of("features")) {
    const auto table = folder.find({concat("features_", order, ".csv")});
    if (!table)
      fail(Fault::format, folder.source(concat("features_", order, ".npy")),
           ": the features of many complexes are read from CSV, with a first column '", lead_column, "'");
    auto rows = read_feature_rows(folder, *table, order);
    for (NamedComplex& one : all) {
      const auto found = rows.find(one.name);
      if (found == rows.end()) continue;
      const std::string where = concat(folder.source(*table), ": complex ", in_quotes(one.name));
      if (order > one.listed.complex.order())
        fail(Fault::format, where, ": there are features of order ", order,
             ", but the complex has only orders up to ", one.listed.complex.order());
      one.features[static_cast<std::size_t>(order)] =
          place_whole_table(found->second, one.listed, order, where);
      rows.erase(found);
    }
    if (!rows.empty())
      fail(Fault::format, folder.source(*table), ": ", file, " has no complex ",
           in_quotes(rows.begin()->first));
  }
  return all;
}

}  // namespace gsan
