#pragma once
// Splits by what the data say of their items (data/item_marks.h): a part, a time, a group. All are of places
// 0 … n − 1 (at_items leads to the items) and lose no item that has a part.

#include <span>

#include "gsan/data/item_marks.h"
#include "gsan/data/split.h"

namespace gsan {

Split split_by_part(std::span<const Part> parts);

/// The latest share is the test part, the share before it validation, the earliest items train. Items of one
/// time are never cut apart: a border moves to the nearest change of time. An error where that leaves a part
/// empty that has a share. Times must be finite.
Split split_by_time(std::span<const double> times, double validation, double test);

/// Times up to `first` are for training, up to `second` for validation, later ones for the test.
Split split_at_borders(std::span<const double> times, double first, double second);

/// Which of the parts 0 … shares.size() − 1 each item belongs to. Items of one group stay together; an item
/// of no_group is one by itself. Sizes of the parts, in all and of every class, are as close to the shares
/// (which add up to 1) as a greedy choice gets: large groups first, those of similar size in random order,
/// each to the part that lacks most of its items. Every part with a share gets a group; fewer groups are an
/// error.
std::vector<int> divide_groups(std::span<const std::int64_t> labels, std::span<const std::int64_t> groups,
                               const std::vector<double>& shares, RandomStream stream);

Split split_by_group(std::span<const std::int64_t> labels, std::span<const std::int64_t> groups,
                     double validation, double test, const RandomStream& stream);

/// Of `folds` parts of whole groups one is the test part; a share of the other groups chooses.
Split split_of_group_fold(std::span<const std::int64_t> labels, std::span<const std::int64_t> groups,
                          int folds, int fold, double validation, const RandomStream& stream);

}  // namespace gsan
