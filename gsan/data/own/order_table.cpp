#include "gsan/data/own/order_table.h"

#include <algorithm>
#include <cmath>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/gzip.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/simplices_text.h"
#include "gsan/data/own/mark_columns.h"

namespace gsan {
namespace {

void check_complete(const Signal& placed, const ListedComplex& listed, int order, const std::string& source) {
  for (std::size_t i = 0; i < placed.rows; ++i) {
    const auto row = placed.row(i);
    if (std::none_of(row.begin(), row.end(), [](double value) { return std::isnan(value); })) continue;
    fail(Fault::format, source, ": the simplex ",
         listed.labels.text(listed.complex.vertices(order, static_cast<Index>(i))),
         " has no value; every simplex of order ", order, " needs one in every column");
  }
}

// The simplices that the rows of a table belong to.
ListedSimplices simplices_of(const Signal& table, const ListedComplex& listed, int order) {
  return table.vertex_columns == 0 ? rows_of_order(listed, order) : list_of(table, listed, order);
}

// Which simplex each row of an array belongs to, where a file beside it says so: one a line.
void name_rows(Signal& table, OwnFolder& folder, const std::string& keys, int order) {
  const auto file = folder.find({keys});
  if (!file) return;
  const std::string source = folder.source(*file);
  const ListedComplex listed = parse_simplices(folder.read(*file), source).listed;
  const bool is_of_order = listed.complex.order() == order;
  for (const ListedSimplices& list : listed.lists)
    if (list.order != order && list.size() > 0)
      fail(Fault::format, source, ": every line must name the ", order + 1,
           " vertices of a simplex of order ", order, ", got ", listed.labels.text(list.simplex(0)));
  const std::size_t rows = is_of_order ? listed.list(order).rows.size() : 0;
  if (rows != table.rows)
    fail(Fault::format, source, ": it names ", rows, " simplices, but the array has ", table.rows,
         " rows; give a line for each");
  table.vertex_columns = static_cast<std::size_t>(order) + 1;
  if (rows == 0) return;
  for (const Vertex vertex : listed.list(order).vertices)
    table.simplices.push_back(listed.labels.text(vertex));
}

}  // namespace

ListedSimplices rows_of_order(const ListedComplex& listed, int order) {
  const ListedSimplices& own = listed.list(order);
  if (own.size() > 0) return own;
  const auto table = listed.complex.vertex_table(order);
  return place_simplices(listed.complex, order, {table.begin(), table.end()});
}

Signal place_table(const Signal& table, const ListedComplex& listed, int order, bool oriented,
                   const std::string& source) {
  try {
    return to_complex_order(table, simplices_of(table, listed, order), listed, oriented);
  } catch (const Error& error) {
    fail(Fault::format, source, ": ", error.what());
  }
}

ItemMarks place_marks(const ItemMarks& of_rows, const Signal& table, const ListedComplex& listed, int order) {
  const ListedSimplices list = simplices_of(table, listed, order);
  return of_rows.at({list.rows.begin(), list.rows.end()}, listed.complex.count(order));
}

Tensor to_tensor(const Signal& signal) {
  const Tensor values = torch::empty(
      {static_cast<std::int64_t>(signal.rows), static_cast<std::int64_t>(signal.columns)}, torch::kFloat64);
  std::copy(signal.values.begin(), signal.values.end(), values.data_ptr<double>());
  return values;
}

Tensor place_whole_table(const Signal& table, const ListedComplex& listed, int order,
                         const std::string& source) {
  const Signal placed = place_table(table, listed, order, /*oriented=*/false, source);
  check_complete(placed, listed, order, source);
  return to_tensor(placed);
}

Tensor read_order_table(OwnFolder& folder, const ListedComplex& listed, const std::string& stem, int order,
                        bool oriented, Gaps gaps, ItemMarks* marks) {
  const auto file = folder.find({concat(stem, "_", order, ".csv"), concat(stem, "_", order, ".npy")});
  if (!file) return {};
  const std::string source = folder.source(*file), bytes = folder.read(*file);
  SignalOptions options{.allow_missing = gaps == Gaps::allowed,
                        .key_vertices = static_cast<std::size_t>(order) + 1};
  if (marks != nullptr) options.skipped = mark_names();
  Signal table = parse_signal(bytes, source, options);
  if (without_gz(*file).ends_with(".npy"))
    name_rows(table, folder, concat(stem, "_", order, ".simplices"), order);
  if (table.columns == 0) fail(Fault::format, source, ": the table is empty");
  if (marks != nullptr && table.columns != 1)
    fail(Fault::format, source, ": there must be one column of values, got ", table.columns,
         table.names.empty() ? "" : concat(" (", joined(table.names), ")"), "; beside it only ",
         joined(mark_names()),
         " may be there, and what else is known of the simplices belongs into features_", order, ".csv");
  const Signal placed = place_table(table, listed, order, oriented, source);
  if (gaps == Gaps::refused) check_complete(placed, listed, order, source);
  if (marks != nullptr && !is_npy(bytes))
    *marks = place_marks(read_marks(checked_text(bytes, source), source, table.vertex_columns, *file), table,
                         listed, order);
  return to_tensor(placed);
}

Cochains read_features(OwnFolder& folder, const ListedComplex& listed, int below) {
  Cochains features(static_cast<std::size_t>(std::max(0, listed.complex.order() + 1)));
  for (const int order : folder.orders_of("features")) {
    if (order >= below) continue;
    if (order > listed.complex.order())
      fail(Fault::format, folder.source(concat("features_", order, ".*")), ": there are features of order ",
           order, ", but the complex has only orders up to ", listed.complex.order());
    features[static_cast<std::size_t>(order)] =
        read_order_table(folder, listed, "features", order, false, Gaps::refused);
  }
  return features;
}

std::vector<std::string> vertex_names(const Labels& labels) {
  std::vector<std::string> names;
  for (Index v = 0; v < labels.size(); ++v) names.push_back(labels.text(v));
  return names;
}

}  // namespace gsan
