#pragma once
// Rows of a Prediction as texts.

#include <string>
#include <vector>

#include "gsan/tasks/task.h"
#include "gsan/topology/complex.h"

namespace gsan {

/// Shortest text that reads back as the same number.
std::string number_text(double number);

/// "v0", …, "vk".
std::vector<std::string> vertex_columns(int order);

/// The vertices of every simplex of one order, by their names (empty: their numbers).
std::vector<std::vector<std::string>> named_simplices(const SimplicialComplex& complex, int order,
                                                      const std::vector<std::string>& names);

/// One of them as one text: "3 7 12".
std::string simplex_name(const SimplicialComplex& complex, int order, std::int64_t simplex,
                         const std::vector<std::string>& names);

/// A last column, values [rows].
void add_column(Prediction& prediction, const std::string& name, const Tensor& values);

/// The columns "part" and "truth". part: train, validation or test; empty: none. An item of several parts, as
/// under the published protocol, is called by the last of these. `truth`: a text per item of the data, empty
/// where nobody knows it. `items`: which of them the rows are; empty: all.
void add_part_and_truth(Prediction& prediction, const std::vector<std::pair<std::string, Items>>& parts,
                        const std::vector<std::string>& truth, const Items& items = {});

/// The names of labels, int64 [n]; an empty text where one is unknown.
std::vector<std::string> label_texts(const Tensor& labels, const std::vector<std::string>& classes);
/// Numbers [n] as texts, NaN as an empty one.
std::vector<std::string> number_texts(const Tensor& numbers);

}  // namespace gsan
