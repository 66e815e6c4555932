#include "gsan/data/own/label_table.h"

#include <algorithm>
#include <map>
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

}  // namespace

bool names_labels(std::string_view field) {
  const std::string name = lower_case(field);
  return name == "label" || name == "class";
}

LabelTable read_label_table(OwnFolder& folder, const std::string& file) {
  const std::string source = folder.source(file), bytes = folder.read(file);
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ','));
  LabelTable table;
  std::size_t width = 0;
  while (csv.next()) {
    const auto& fields = csv.fields();
    if (width == 0) {
      width = fields.size();
      if (width > 2)
        csv.fail_at(fields[2], "a table of labels has the columns label, or name,label; got ", width,
                    " columns");
      if (names_labels(fields.back().text)) continue;
    }
    csv.check_fields(width);
    if (width == 2) table.names.emplace_back(fields[0].text);
    table.labels.emplace_back(fields.back().text);
    table.lines.push_back(fields[0].line);
  }
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
