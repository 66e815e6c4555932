#pragma once
// Labels as users write them: labels.csv, and the classes that a list of labels makes.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/data/own/mark_columns.h"
#include "gsan/data/own/own_folder.h"

namespace gsan {

/// `label` or `name,label`, a row per item, and beside them, where there is a header, part, time and group.
/// The first row is a header when the last field that is none of these three is called label or class, when
/// all its fields are such names, or when it has more than two, one of them called label or class.
struct LabelTable {
  std::vector<std::string> names;   ///< empty: the table has no names
  std::vector<std::string> labels;  ///< empty text: unknown
  std::vector<std::size_t> lines;   ///< where each row stands in the file
  ItemMarks marks;                  ///< of the rows
};
LabelTable read_label_table(OwnFolder& folder, const std::string& file);

/// Fault::format at the line of the first name that was there before: it would have two labels, or two items
/// would be called by it. `lines`: where each name stands in the file `source`.
void check_names_differ(const std::vector<std::string>& names, const std::vector<std::size_t>& lines,
                        const std::string& source);

/// Is it the name of a column of labels: label, class (any case)?
bool names_labels(std::string_view field);

/// In the header, where the reader stands, the one column that neither names the item nor is a mark;
/// `called`: its usual name. An error that names the column which is too many, or says that there is none.
std::size_t column_of_labels(const CsvReader& csv, const MarkColumns& marks, std::string_view called);

struct ClassLabels {
  std::vector<std::string> class_names;  ///< numbers by value, then texts by their bytes
  std::vector<std::int64_t> numbers;     ///< of the items: class, or unknown_label
};
/// An empty label, nan, NA and N/A (any case) are unknown.
ClassLabels number_classes(const std::vector<std::string>& labels);

}  // namespace gsan
