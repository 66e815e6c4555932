// Values, or classes, on the simplices of one complex.

#include <algorithm>
#include <limits>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/own/label_table.h"
#include "gsan/data/own/mark_columns.h"
#include "gsan/data/own/order_table.h"
#include "gsan/data/own/own_data.h"

namespace gsan {
namespace {

// The complex and the features; `stem` is that of the tables that matter.
struct Base {
  ListedComplex listed;
  std::vector<int> orders;
  ValueDataset dataset;
};

Base read_base(OwnFolder& folder, const std::string& stem, const std::string& columns,
               bool needs_table = true) {
  Base base;
  base.orders = folder.orders_of(stem);
  if (base.orders.empty() && (needs_table || !folder.has_complex()))
    fail(Fault::io, folder.path().string(), ": there is no table ", stem, "_K.csv; put for instance ", stem,
         "_1.csv with the columns v0,v1,", columns, " there, for the edges (docs/own-data.md)");
  base.listed = folder.read_complex_or_tables({stem, "features"});
  const int order = base.listed.complex.order();
  if (!base.orders.empty() && base.orders.back() > order)
    fail(Fault::format, folder.source(concat(stem, "_", base.orders.back(), ".*")),
         ": the complex has only orders up to ", order);
  base.dataset.name = folder.name();
  base.dataset.complex = base.listed.complex;
  base.dataset.features = read_features(folder, base.listed);
  base.dataset.values.resize(static_cast<std::size_t>(order) + 1);
  base.dataset.marks.resize(static_cast<std::size_t>(order) + 1);
  base.dataset.vertex_names = vertex_names(base.listed.labels);
  return base;
}

// A table of classes: its simplices where it names them, and a text a row.
struct ClassTable {
  Signal simplices;
  std::vector<std::string> labels;
  ItemMarks marks;
};

ClassTable read_class_table(const std::string& bytes, const std::string& source, int order,
                            const std::string& file) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ','));
  ClassTable table;
  MarkColumns marks;
  std::size_t width = 0, vertices = 0, column = 0;
  while (csv.next()) {
    const auto& fields = csv.fields();
    if (width == 0) {
      width = fields.size();
      vertices = key_columns(fields, static_cast<std::size_t>(order) + 1);
      const bool has_header =
          vertices > 0 || std::any_of(fields.begin(), fields.end(),
                                      [](const auto& field) { return names_labels(field.text); });
      const bool is_complete =
          vertices == 0 || (vertices == static_cast<std::size_t>(order) + 1 && width > vertices);
      if (!is_complete || (!has_header && width > 1))
        csv.fail_at(fields[0], "classes of order ", order, " stand in the columns v0 ... v", order,
                    ",class, or in one column in the order of the complex; got ", width, " columns");
      if (has_header) {
        marks = MarkColumns(csv, vertices);
        column = column_of_labels(csv, marks, "class");
        continue;
      }
    }
    csv.check_fields(width);
    for (std::size_t i = 0; i < vertices; ++i) table.simplices.simplices.emplace_back(fields[i].text);
    table.labels.emplace_back(fields[column].text);
    marks.read(csv);
  }
  table.simplices.vertex_columns = vertices;
  table.simplices.rows = table.labels.size();
  table.simplices.columns = 1;
  table.marks = marks.marks(file);
  return table;
}

// One number per simplex of every order with a table STEM_K.
ValueDataset with_numbers(OwnFolder& folder, Base base, const std::string& stem) {
  for (const int order : base.orders) {
    const auto k = static_cast<std::size_t>(order);
    const Tensor table = read_order_table(folder, base.listed, stem, order, folder.oriented(false),
                                          Gaps::allowed, &base.dataset.marks[k]);
    if (table.size(1) != 1)
      fail(Fault::format, folder.source(concat(stem, "_", order, ".*")),
           ": there must be one column of values, got ", table.size(1),
           "; what else is known of the simplices belongs into features_", order, ".csv");
    base.dataset.values[k] = table.squeeze(1);
  }
  return std::move(base.dataset);
}

}  // namespace

ValueDataset read_own_values(OwnFolder& folder) {
  return with_numbers(folder, read_base(folder, "values", "value"), "values");
}

ValueDataset read_own_targets(OwnFolder& folder) {
  return with_numbers(folder, read_base(folder, "targets", "value", /*needs_table=*/false), "targets");
}

ValueDataset read_own_classes(OwnFolder& folder) {
  Base base = read_base(folder, "classes", "class");
  std::vector<ClassTable> tables;
  std::vector<std::string> all;
  for (const int order : base.orders) {
    const auto file = folder.find({concat("classes_", order, ".csv")});
    if (!file)
      fail(Fault::format, folder.source(concat("classes_", order, ".npy")), ": classes are read from CSV");
    tables.push_back(read_class_table(folder.read(*file), folder.source(*file), order, *file));
    all.insert(all.end(), tables.back().labels.begin(), tables.back().labels.end());
  }
  const ClassLabels classes = number_classes(all);
  auto number = classes.numbers.begin();
  for (std::size_t t = 0; t < tables.size(); ++t) {
    Signal& table = tables[t].simplices;
    for (std::size_t r = 0; r < table.rows; ++r, ++number)
      table.values.push_back(*number == unknown_label ? std::numeric_limits<double>::quiet_NaN()
                                                      : static_cast<double>(*number));
    const std::string source = folder.source(concat("classes_", base.orders[t], ".csv"));
    const auto k = static_cast<std::size_t>(base.orders[t]);
    base.dataset.values[k] =
        to_tensor(place_table(table, base.listed, base.orders[t], false, source)).squeeze(1);
    base.dataset.marks[k] = place_marks(tables[t].marks, table, base.listed, base.orders[t]);
  }
  base.dataset.class_names = classes.class_names;
  bool any = false;
  for (const Tensor& features : base.dataset.features) any = any || features.defined();
  if (!any)
    for (std::size_t k = 0; k < base.dataset.features.size(); ++k)
      base.dataset.features[k] =
          torch::ones({base.dataset.complex.count(static_cast<int>(k)), 1}, torch::kFloat64);
  return std::move(base.dataset);
}

}  // namespace gsan
