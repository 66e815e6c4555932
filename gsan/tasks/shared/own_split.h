#pragma once
// Items divided as the data or the user say: by a file, a part, a time or a group (docs/splits.md).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/data/split.h"
#include "gsan/data/split_table.h"
#include "gsan/tasks/task_settings.h"

namespace gsan {

/// What there is to divide.
struct ItemsToDivide {
  std::string data;                  ///< the name of the dataset
  Tensor labels;                     ///< int64 [items]: a class, or unknown_label: in no part
  ItemMarks marks;                   ///< of the items
  std::function<ItemTexts()> texts;  ///< what a table calls them
};
/// Items with names of their own; none: their numbers.
std::function<ItemTexts()> item_texts(std::vector<std::string> names, std::int64_t count);
/// The simplices of one order.
std::function<ItemTexts()> simplex_texts(SimplicialComplex complex, int order,
                                         std::vector<std::string> vertex_names);

/// What the data say of the simplices of one order; nothing where they have no marks of it.
ItemMarks marks_of(const ValueDataset& dataset, int order);

struct KnownItems {
  Items items;
  std::vector<std::int64_t> labels;
};
/// Those whose label is not unknown_label.
KnownItems known_items(const Tensor& labels);

/// How much of them, where shares count.
struct SplitShares {
  double validation = 0, test = 0;
  int folds = 0, fold = 0;
};

struct MadeSplit {
  Split split;
  std::string how;  ///< "by the column part of labels.csv"
};

/// Nothing where neither the settings nor a column part say how: the task then has a rule of its own. Items
/// of unknown label are in no part. File, time and group of the settings belong to the data of the run: for a
/// trained model on other data only a column part counts.
std::optional<MadeSplit> own_split(const TaskSettings& settings, const ItemsToDivide& items,
                                   const SplitShares& shares, const RandomStream& stream);

/// An error where nothing is left to train on; `known`: items with a label, of `all`.
void require_training_items(const Split& split, std::size_t known, std::int64_t all);

}  // namespace gsan
