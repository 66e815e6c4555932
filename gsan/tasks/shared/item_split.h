#pragma once
// Items with classes divided into parts.

#include <string>
#include <vector>

#include "gsan/tasks/shared/own_split.h"

namespace gsan {

/// An error of the task where all known labels are one class, which teaches nothing; to judge a trained model
/// by, it is enough.
void require_two_classes(const TaskSettings& settings, const std::string& data, const KnownItems& known,
                         const std::vector<std::string>& class_names);

/// The shares of tasks that have them in the section `split`.
SplitShares shares_of(const SplitSettings& settings);

/// By own_split, and otherwise in stratified shares or folds. Items of unknown label are in no part; of data
/// for a trained model all known ones are in the test part; under the published protocol validation and test
/// are the same items.
MadeSplit split_items(const TaskSettings& settings, const ItemsToDivide& items, const SplitShares& shares,
                      const std::vector<std::string>& class_names, const RandomStream& stream);

/// Numbers the classes of new data as a trained model does: by their names, `classes` in the order of the
/// model. A class that the model does not have is an error.
void match_classes(SignalDataset& dataset, const std::vector<std::string>& classes);
void match_classes(ComplexDataset& dataset, const std::vector<std::string>& classes);
void match_classes(ValueDataset& dataset, const std::vector<std::string>& classes);

}  // namespace gsan
