#pragma once
// Labels as users write them: labels.csv, and the classes that a list of labels makes.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/data/own/own_folder.h"

namespace gsan {

/// `label` or `name,label`, a row per item. The first row is a header when its last field is called label or
/// class.
struct LabelTable {
  std::vector<std::string> names;   ///< empty: the table has one column
  std::vector<std::string> labels;  ///< empty text: unknown
  std::vector<std::size_t> lines;   ///< where each row stands in the file
};
LabelTable read_label_table(OwnFolder& folder, const std::string& file);

/// Fault::format at the line of the first name that was there before: it would have two labels, or two items
/// would be called by it. `lines`: where each name stands in the file `source`.
void check_names_differ(const std::vector<std::string>& names, const std::vector<std::size_t>& lines,
                        const std::string& source);

/// Is it the name of a column of labels: label, class (any case)?
bool names_labels(std::string_view field);

struct ClassLabels {
  std::vector<std::string> class_names;  ///< numbers by value, then texts by their bytes
  std::vector<std::int64_t> numbers;     ///< of the items: class, or unknown_label
};
/// An empty label, nan, NA and N/A (any case) are unknown.
ClassLabels number_classes(const std::vector<std::string>& labels);

}  // namespace gsan
