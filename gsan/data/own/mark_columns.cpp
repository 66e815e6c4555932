#include "gsan/data/own/mark_columns.h"

#include <algorithm>
#include <limits>

#include "gsan/core/text.h"
#include "gsan/data/formats/text/table.h"

namespace gsan {

const std::vector<std::string>& mark_names() {
  static const std::vector<std::string> names{"part", "time", "group"};
  return names;
}

bool is_mark_name(std::string_view field) {
  const auto& names = mark_names();
  return std::find(names.begin(), names.end(), lower_case(field)) != names.end();
}

MarkColumns::MarkColumns(const CsvReader& csv, std::size_t first) {
  for (std::size_t c = first; c < csv.fields().size(); ++c) {
    const std::string name = lower_case(csv.fields()[c].text);
    if (!is_mark_name(name) || csv.fields().size() == first + 1) {
      others_.push_back(c);
      continue;
    }
    std::size_t& column = name == "part" ? part_ : name == "time" ? time_ : group_;
    if (column != nowhere) csv.fail_at(csv.fields()[c], "there are two columns ", name);
    column = c;
  }
}

void MarkColumns::read(const CsvReader& csv) {
  if (part_ != nowhere) {
    const CsvField& field = csv.fields()[part_];
    const auto part = parse_part(field.text);
    if (!part) csv.fail_at(field, unknown_part(field.text));
    marks_.parts.push_back(*part);
  }
  if (time_ != nowhere) {
    const CsvField& field = csv.fields()[time_];
    const auto time = field.text.empty()
                          ? ItemTime{std::numeric_limits<double>::quiet_NaN(), marks_.are_dates}
                          : parse_time(field.text);
    if (!time)
      csv.fail_at(field, "a time must be a number or a date such as 2024-02-29 or 2024-02-29T13:05:00, got ",
                  in_quotes(field.text));
    if (has_times_ && time->is_date != marks_.are_dates)
      csv.fail_at(field, "the times before it are ", marks_.are_dates ? "dates" : "numbers", ", this one is ",
                  in_quotes(field.text), "; write all of them alike");
    marks_.are_dates = time->is_date;
    has_times_ = has_times_ || !field.text.empty();
    marks_.times.push_back(time->value);
  }
  if (group_ != nowhere) {
    const std::string_view text = csv.fields()[group_].text;
    marks_.groups.push_back(
        text.empty() ? no_group : groups_.emplace(std::string(text), std::ssize(groups_)).first->second);
  }
}

ItemMarks MarkColumns::marks(const std::string& table) const {
  ItemMarks marks = marks_;
  marks.table = table;
  return marks;
}

ItemMarks read_marks(std::string_view text, const std::string& source, std::size_t first,
                     const std::string& table) {
  CsvReader csv(text, source, table_delimiter(text));
  MarkColumns columns;
  if (csv.next()) columns = MarkColumns(csv, first);  // numbers, where the first row is not a header
  const std::size_t width = csv.fields().size();
  while (columns.any() && csv.next()) {
    csv.check_fields(width);
    columns.read(csv);
  }
  return columns.marks(table);
}

}  // namespace gsan
