#include "gsan/data/own/label_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "gsan/core/text.h"
#include "gsan/data/datasets.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

// Numbers before texts; equal numbers ("1", "1.0") by their text.
auto class_key(const std::string& label) {
  const auto number = parse_number(label);
  return std::tuple(!number, number.value_or(0), label);
}

// Where names and labels stand, by the first row.
struct LabelColumns {
  std::optional<std::size_t> name{};
  std::size_t label = 0;
  MarkColumns marks{};
  bool in_header = false;
};

LabelColumns label_columns(const CsvReader& csv) {
  const auto& fields = csv.fields();
  const auto is_label = [](const CsvField& field) { return names_labels(field.text); };
  const auto is_known = [&](const CsvField& field) {
    return is_label(field) || is_mark_name(field.text) || lower_case(field.text) == "name";
  };
  const auto last = std::find_if(fields.rbegin(), fields.rend(),
                                 [](const CsvField& field) { return !is_mark_name(field.text); });
  LabelColumns columns;
  columns.in_header = (last != fields.rend() && is_label(*last)) ||
                      (fields.size() > 1 && std::all_of(fields.begin(), fields.end(), is_known)) ||
                      (fields.size() > 2 && std::any_of(fields.begin(), fields.end(), is_label));
  if (!columns.in_header) {
    if (fields.size() > 2)
      csv.fail_at(fields[2],
                  "a table of labels has the columns label, or name,label, and under a header that names its "
                  "columns also ",
                  joined(mark_names()), "; got ", fields.size(), " columns and no such header");
    columns.label = fields.size() - 1;
    if (fields.size() == 2) columns.name = 0;
    return columns;
  }
  columns.marks = MarkColumns(csv, 0);
  const std::vector<std::size_t>& others = columns.marks.others();
  const auto label = std::find_if(others.rbegin(), others.rend(),
                                  [&](std::size_t column) { return is_label(fields[column]); });
  if (label == others.rend()) csv.fail_at(fields[0], "there is no column label");
  columns.label = *label;
  for (const std::size_t column : others) {
    if (column == columns.label) continue;
    if (others.size() > 2 && lower_case(fields[column].text) != "name")
      csv.fail_at(fields[column], "unknown column ", in_quotes(fields[column].text),
                  "; a table of labels has name, label, ", joined(mark_names()));
    if (columns.name) csv.fail_at(fields[column], "there are two columns name");
    columns.name = column;
  }
  return columns;
}

}  // namespace

bool names_labels(std::string_view field) {
  const std::string name = lower_case(field);
  return name == "label" || name == "class";
}

std::size_t column_of_labels(const CsvReader& csv, const MarkColumns& marks, std::string_view called) {
  const std::vector<std::size_t>& others = marks.others();
  if (others.empty())
    csv.fail_at(csv.fields()[0], "there is no column ", called, " beside ", joined(mark_names()));
  if (others.size() == 1) return others.front();
  const auto usual = std::find_if(others.begin(), others.end(),
                                  [&](std::size_t c) { return names_labels(csv.fields()[c].text); });
  const std::size_t extra = usual == others.begin() ? others[1] : others[0];
  csv.fail_at(csv.fields()[extra], "unknown column ", in_quotes(csv.fields()[extra].text),
              "; this table has ", called, " and, if you like, ", joined(mark_names()));
}

LabelTable read_label_table(OwnFolder& folder, const std::string& file) {
  const std::string source = folder.source(file), bytes = folder.read(file);
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ','));
  LabelTable table;
  LabelColumns columns;
  std::size_t width = 0;
  while (csv.next()) {
    const auto& fields = csv.fields();
    if (width == 0) {
      width = fields.size();
      columns = label_columns(csv);
      if (columns.in_header) continue;
    }
    csv.check_fields(width);
    if (columns.name) table.names.emplace_back(fields[*columns.name].text);
    table.labels.emplace_back(fields[columns.label].text);
    table.lines.push_back(fields[0].line);
    columns.marks.read(csv);
  }
  table.marks = columns.marks.marks(file);
  return table;
}

void check_names_differ(const std::vector<std::string>& names, const std::vector<std::size_t>& lines,
                        const std::string& source) {
  std::map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, is_new] = first.emplace(names[i], lines[i]);
    if (!is_new)
      fail_at(source, lines[i], 1, "the name ", in_quotes(names[i]), " is in line ", found->second,
              " already; labels are joined by names, so each may be there once");
  }
}

ClassLabels number_classes(const std::vector<std::string>& labels) {
  ClassLabels classes;
  std::vector<std::string>& names = classes.class_names;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(names),
               [](const std::string& label) { return !spells_missing(label); });
  const auto before = [](const std::string& a, const std::string& b) { return class_key(a) < class_key(b); };
  std::sort(names.begin(), names.end(), before);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& label : labels)
    classes.numbers.push_back(
        spells_missing(label) ? unknown_label
                              : std::lower_bound(names.begin(), names.end(), label, before) - names.begin());
  return classes;
}

}  // namespace gsan
