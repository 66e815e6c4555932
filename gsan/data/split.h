#pragma once
// Which items are for training, for choosing (validation) and for the one look at the end (test).

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "gsan/core/random.h"

namespace gsan {

using Items = std::vector<std::int64_t>;

/// Increasing numbers of items; no item is in two parts.
struct Split {
  Items train, validation, test;
};

/// Shares of each class as close to the fractions as whole items allow; what
/// the fractions leave goes to train.
/// Fractions must not be negative nor add up to more than 1.
Split stratified_split(std::span<const std::int64_t> labels, double validation, double test,
                       RandomStream stream);

/// The fold 0 … folds − 1 of each item, so that the folds share every class evenly.
std::vector<int> stratified_folds(std::span<const std::int64_t> labels, int folds, RandomStream stream);

/// Fold `test_fold` is the test part; a stratified share of the others chooses.
Split split_of_fold(std::span<const std::int64_t> labels, std::span<const int> folds, int test_fold,
                    double validation, RandomStream stream);

/// A split of the places 0 … items.size() − 1 as one of the items at them.
Split at_items(const Split& places, const Items& items);

/// {"train": [...], "validation": [...], "test": [...]}; complete or not there.
void write_split(const std::filesystem::path& path, const Split& split);

/// Fault::format unless the lists increase, do not overlap and lie in 0 … count − 1.
Split read_split(const std::filesystem::path& path, std::int64_t count);

}  // namespace gsan
