#pragma once
// Tables STEM_K.csv or STEM_K.npy: a row per simplex of order K.

#include <limits>

#include "gsan/data/datasets.h"
#include "gsan/data/formats/signal.h"
#include "gsan/data/own/own_folder.h"

namespace gsan {

/// The simplices that rows belong to which name none: the listed ones of the order; all of them, in the order
/// of the complex, where the file of the complex lists none (only larger simplices).
ListedSimplices rows_of_order(const ListedComplex& listed, int order);

/// A table of the user in the order of the complex; NaN for the simplices that it does not name. `source`
/// begins the messages.
Signal place_table(const Signal& table, const ListedComplex& listed, int order, bool oriented,
                   const std::string& source);

/// The same, never oriented, as float64 [N_k, F]; a simplex without a value is an error that names it.
Tensor place_whole_table(const Signal& table, const ListedComplex& listed, int order,
                         const std::string& source);

enum class Gaps {
  allowed,  ///< NaN, empty fields and rows that are not there
  refused,  ///< every simplex must have every value: the error names the first without
};

/// What the rows of a table say of their simplices, in the order of the complex.
ItemMarks place_marks(const ItemMarks& of_rows, const Signal& table, const ListedComplex& listed, int order);

/// float64 [N_k, F]; undefined where the folder has no such table. With `marks`: one column of values, beside
/// which part, time and group may be and go there. STEM_K.simplices beside STEM_K.npy names the simplices of
/// its rows.
Tensor read_order_table(OwnFolder& folder, const ListedComplex& listed, const std::string& stem, int order,
                        bool oriented, Gaps gaps, ItemMarks* marks = nullptr);

/// features_K of every order 0 … K of the complex that is below `below`; undefined where there are none.
/// Never oriented.
Cochains read_features(OwnFolder& folder, const ListedComplex& listed,
                       int below = std::numeric_limits<int>::max());

/// float64 [rows, columns].
Tensor to_tensor(const Signal& signal);

std::vector<std::string> vertex_names(const Labels& labels);

}  // namespace gsan
