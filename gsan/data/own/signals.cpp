// Many signals on one complex: a table of values, or paths along edges.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/data/formats/text/signal_csv.h"
#include "gsan/data/formats/text/table.h"
#include "gsan/data/own/label_table.h"
#include "gsan/data/own/order_table.h"
#include "gsan/data/own/own_data.h"
#include "gsan/data/path_flow.h"

namespace gsan {
namespace {

struct Signals {
  Tensor values;  // [S, N, F]
  std::vector<std::string> names;
  std::vector<std::size_t> lines{};  // where the names stand; all in a header: empty
};

std::int64_t rows_in(const ListedComplex& listed, int order) { return listed.complex.count(order); }

// values [S, R, F] of the listed simplices → [S, N, F] of the complex; 0 where none is listed.
Tensor place(const Tensor& values, const ListedSimplices& list, const ListedComplex& listed, bool oriented,
             const std::string& source) {
  std::vector<std::int64_t> rows(list.rows.begin(), list.rows.end());
  if (std::set<std::int64_t>(rows.begin(), rows.end()).size() != rows.size())
    fail(Fault::format, source, ": the complex lists a simplex of order ", list.order,
         " twice, so it would have two values; list it once");
  Tensor placed =
      torch::zeros({values.size(0), rows_in(listed, list.order), values.size(2)}, torch::kFloat64);
  const std::vector<double> signs(list.signs.begin(), list.signs.end());
  const Tensor signed_values =
      oriented ? values * torch::tensor(signs, torch::kFloat64).view({1, -1, 1}) : values;
  return placed.index_copy_(1, torch::tensor(rows, torch::kInt64), signed_values);
}

void check_columns(std::size_t found, const ListedSimplices& list, const std::string& source) {
  if (found != list.rows.size())
    fail(Fault::format, source, ": a signal has ", found, " values, but the complex lists ", list.rows.size(),
         " simplices of order ", list.order, "; give a column for each, in the order of the list");
}

// A row per signal; a first column called name holds names.
Signals read_rows(const std::string& bytes, const std::string& source, const ListedSimplices& list,
                  const ListedComplex& listed, bool oriented) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, table_delimiter(text));
  Signals signals;
  std::vector<double> values;
  std::size_t width = 0, first = 0;
  std::int64_t count = 0;
  while (csv.next()) {
    const auto& fields = csv.fields();
    if (width == 0) {
      width = fields.size();
      first = lower_case(fields[0].text) == "name" ? 1 : 0;
      check_columns(width - first, list, source);
      if (first == 1 || has_header(fields, HeaderRow::automatic)) continue;
    }
    csv.check_fields(width);
    if (first == 1) {
      signals.names.emplace_back(fields[0].text);
      signals.lines.push_back(fields[0].line);
    }
    for (std::size_t i = first; i < width; ++i) {
      const auto value = parse_number(fields[i].text);
      if (!value || !std::isfinite(*value))
        csv.fail_at(fields[i], in_quotes(fields[i].text),
                    " is no finite number; a signal has a value on every listed simplex");
      values.push_back(*value);
    }
    ++count;
  }
  const Tensor table =
      torch::tensor(values, torch::kFloat64).view({count, static_cast<std::int64_t>(list.rows.size()), 1});
  signals.values = place(table, list, listed, oriented, source);
  return signals;
}

// A row per simplex with its vertices in columns v0 … vk, a column per signal.
Signals read_columns(const Signal& table, const ListedComplex& listed, int order, bool oriented,
                     const std::string& source) {
  const Tensor placed = to_tensor(place_table(table, listed, order, oriented, source));
  return {placed.t().nan_to_num(0).contiguous().unsqueeze(-1), table.names};
}

Signals read_array(const std::string& bytes, const std::string& source, const ListedSimplices& list,
                   const ListedComplex& listed, bool oriented) {
  const NpyArray array = parse_npy_array(bytes, source);
  if (array.shape.size() < 2)
    fail(Fault::format, source,
         ": signals are an array [S, N] or [S, N, F], a row per signal; got one dimension");
  check_columns(array.shape[1], list, source);
  if (array.shape.size() == 3 && array.shape[2] == 0)
    fail(Fault::format, source, ": the shape is [", joined(array.shape),
         "], signals without a value; the last size "
         "counts the values of a simplex, at least 1");
  for (std::size_t i = 0; i < array.values.size(); ++i)
    if (!std::isfinite(array.values[i]))
      fail(Fault::format, source, ": signal ", i * array.shape[0] / array.values.size(),
           " (counted from 0) has a value that is not finite");
  const auto width = array.shape.size() == 3 ? static_cast<std::int64_t>(array.shape[2]) : 1;
  const Tensor table = torch::tensor(array.values, torch::kFloat64)
                           .view({static_cast<std::int64_t>(array.shape[0]),
                                  static_cast<std::int64_t>(array.shape[1]), width});
  return {place(table, list, listed, oriented, source), {}};
}

// A path of vertices a line → its flow on the edges.
Signals read_paths(const std::string& bytes, const std::string& source, const ListedComplex& listed) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ' '));
  std::vector<Tensor> flows;
  const auto edges = static_cast<std::size_t>(rows_in(listed, 1));
  while (csv.next()) {
    std::vector<Vertex> path;
    for (const CsvField& field : csv.fields()) {
      if (field.text.empty()) continue;  // tables are padded to the longest row
      const auto vertex = listed.labels.find(field.text);
      if (!vertex) csv.fail_at(field, "the complex has no vertex ", in_quotes(field.text));
      if (!path.empty()) {
        const Vertex last = path.back();
        const std::array<Vertex, 2> edge{std::min(last, *vertex), std::max(last, *vertex)};
        if (!listed.complex.find(edge))
          csv.fail_at(field, "the path steps from ", in_quotes(listed.labels.text(last)), " to ",
                      in_quotes(field.text), ", which is no edge of the complex");
      }
      path.push_back(*vertex);
    }
    Tensor flow = torch::zeros({static_cast<std::int64_t>(edges)}, torch::kFloat64);
    add_path(listed.complex, path, {flow.data_ptr<double>(), edges}, source);
    flows.push_back(std::move(flow));
  }
  if (flows.empty()) return {torch::zeros({0, rows_in(listed, 1), 1}, torch::kFloat64), {}};
  return {torch::stack(flows).unsqueeze(-1), {}};
}

Signals read_file_of_signals(OwnFolder& folder, const std::string& file, const ListedComplex& listed,
                             int order) {
  const std::string source = folder.source(file), bytes = folder.read(file);
  if (file.starts_with("paths.")) {
    if (order != 1)
      fail(Fault::format, source, ": paths are flows on edges, order 1, but dataset.yaml says order ", order);
    Signals paths = read_paths(bytes, source, listed);
    if (!folder.oriented(true)) paths.values = paths.values.abs();  // how often an edge is walked, either way
    return paths;
  }
  const bool oriented = folder.oriented(order >= 1);
  if (is_npy(bytes)) return read_array(bytes, source, rows_of_order(listed, order), listed, oriented);
  const std::string_view text = checked_text(bytes, source);
  CsvReader first(text, source, table_delimiter(text));
  if (first.next() && first.fields().front().text == "v0")
    return read_columns(parse_signal_csv(text, source), listed, order, oriented, source);
  return read_rows(bytes, source, rows_of_order(listed, order), listed, oriented);
}

// The signal that each row of the labels is of: by name where both tables have names, else row by row.
std::vector<std::int64_t> signals_of(const LabelTable& table, Signals& signals, const std::string& source,
                                     const std::string& signal_source) {
  const auto count = static_cast<std::size_t>(signals.values.size(0));
  std::vector<std::int64_t> items(table.labels.size());
  if (signals.names.empty() || table.names.empty()) {
    if (table.labels.size() != count)
      fail(Fault::format, source, ": there are ", table.labels.size(), " labels, but ", count,
           " signals; give one row per signal, with an empty label where it is unknown");
    if (signals.names.empty()) signals.names = table.names;
    std::iota(items.begin(), items.end(), std::int64_t{0});
    return items;
  }
  std::vector<std::size_t> lines = signals.lines;
  lines.resize(count, 1);
  check_names_differ(signals.names, lines, signal_source);
  check_names_differ(table.names, table.lines, source);
  for (std::size_t r = 0; r < table.names.size(); ++r) {
    const auto found = std::find(signals.names.begin(), signals.names.end(), table.names[r]);
    if (found == signals.names.end())
      fail_at(source, table.lines[r], 1, "no signal is called ", in_quotes(table.names[r]));
    items[r] = found - signals.names.begin();
  }
  return items;
}

}  // namespace

SignalDataset read_own_signals(OwnFolder& folder) {
  const auto file = folder.find({"signals.csv", "signals.npy", "paths.csv", "paths.txt"});
  if (!file)
    fail(Fault::io, folder.path().string(),
         ": there are no signals; put signals.csv (a row per signal), signals.npy or paths.csv (a path of "
         "vertices per row) there (docs/own-data.md)");
  const ListedComplex listed = folder.read_complex();
  SignalDataset dataset;
  dataset.name = folder.name();
  dataset.order = folder.order(1);
  if (dataset.order > listed.complex.order())
    fail(Fault::format, folder.path().string(), ": the signals are of order ", dataset.order,
         ", but the complex has only orders up to ", listed.complex.order(),
         "; say 'order: K' in dataset.yaml (0: vertices, 1: edges, 2: triangles)");
  Signals signals = read_file_of_signals(folder, *file, listed, dataset.order);
  std::vector<std::string> labels(static_cast<std::size_t>(signals.values.size(0)));
  if (const auto found = folder.find({"labels.csv"})) {
    const LabelTable table = read_label_table(folder, *found);
    const auto items = signals_of(table, signals, folder.source(*found), folder.source(*file));
    for (std::size_t r = 0; r < items.size(); ++r)
      labels[static_cast<std::size_t>(items[r])] = table.labels[r];
    dataset.marks = table.marks.at(items, std::ssize(labels));
  }
  ClassLabels classes = number_classes(labels);
  dataset.complex = listed.complex;
  dataset.signals = std::move(signals.values);
  dataset.item_names = std::move(signals.names);
  dataset.labels = torch::tensor(classes.numbers, torch::kInt64);
  dataset.classes = static_cast<int>(classes.class_names.size());
  dataset.class_names = std::move(classes.class_names);
  return dataset;
}

}  // namespace gsan
