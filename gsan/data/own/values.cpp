// Values, or classes, on the simplices of one complex.

#include <limits>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/own/label_table.h"
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

Base read_base(OwnFolder& folder, const std::string& stem, const std::string& columns) {
  Base base;
  base.orders = folder.orders_of(stem);
  if (base.orders.empty())
    fail(Fault::io, folder.path().string(), ": there is no table ", stem, "_K.csv; put for instance ", stem,
         "_1.csv with the columns v0,v1,", columns, " there, for the edges (docs/own-data.md)");
  base.listed = folder.read_complex_or_tables({stem, "features"});
  const int order = base.listed.complex.order();
  if (base.orders.back() > order)
    fail(Fault::format, folder.source(concat(stem, "_", base.orders.back(), ".*")),
         ": the complex has only orders up to ", order);
  base.dataset.name = folder.name();
  base.dataset.complex = base.listed.complex;
  base.dataset.features = read_features(folder, base.listed);
  base.dataset.values.resize(static_cast<std::size_t>(order) + 1);
  base.dataset.vertex_names = vertex_names(base.listed.labels);
  return base;
}

// A table of classes: its simplices where it names them, and a text a row.
struct ClassTable {
  Signal simplices;
  std::vector<std::string> labels;
};

ClassTable read_class_table(const std::string& bytes, const std::string& source, int order) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ','));
  ClassTable table;
  std::size_t width = 0;
  while (csv.next()) {
    const auto& fields = csv.fields();
    if (width == 0) {
      width = fields.size();
      const auto vertices = static_cast<std::size_t>(order) + 1;
      const bool named = key_columns(fields, vertices) > 0;
      const std::size_t wanted = named ? vertices + 1 : 1;
      if (width != wanted)
        csv.fail_at(fields[0], "classes of order ", order, " stand in the columns v0 ... v", order,
                    ",class, or in one column in the order of the complex; got ", width, " columns");
      table.simplices.vertex_columns = width - 1;
      if (named || names_labels(fields[0].text)) continue;
    }
    csv.check_fields(width);
    for (std::size_t i = 0; i + 1 < width; ++i) table.simplices.simplices.emplace_back(fields[i].text);
    table.labels.emplace_back(fields.back().text);
  }
  table.simplices.rows = table.labels.size();
  table.simplices.columns = 1;
  return table;
}

}  // namespace

ValueDataset read_own_values(OwnFolder& folder) {
  Base base = read_base(folder, "values", "value");
  for (const int order : base.orders) {
    const Tensor table =
        read_order_table(folder, base.listed, "values", order, folder.oriented(false), Gaps::allowed);
    if (table.size(1) != 1)
      fail(Fault::format, folder.source(concat("values_", order, ".*")),
           ": there must be one column of values, got ", table.size(1),
           "; what else is known of the simplices belongs into features_", order, ".csv");
    base.dataset.values[static_cast<std::size_t>(order)] = table.squeeze(1);
  }
  return std::move(base.dataset);
}

ValueDataset read_own_classes(OwnFolder& folder) {
  Base base = read_base(folder, "classes", "class");
  std::vector<ClassTable> tables;
  std::vector<std::string> all;
  for (const int order : base.orders) {
    const auto file = folder.find({concat("classes_", order, ".csv")});
    if (!file)
      fail(Fault::format, folder.source(concat("classes_", order, ".npy")), ": classes are read from CSV");
    tables.push_back(read_class_table(folder.read(*file), folder.source(*file), order));
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
    base.dataset.values[static_cast<std::size_t>(base.orders[t])] =
        to_tensor(place_table(table, base.listed, base.orders[t], false, source)).squeeze(1);
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
