#pragma once
// Items with classes divided into parts, as the section `split` says.

#include <string>
#include <vector>

#include "gsan/data/datasets.h"
#include "gsan/data/split.h"
#include "gsan/tasks/task_settings.h"

namespace gsan {

struct KnownItems {
  Items items;
  std::vector<std::int64_t> labels;
};
/// Those whose label is not unknown_label.
KnownItems known_items(const Tensor& labels);

/// An error of the task where all known labels are one class, which teaches nothing; to judge a trained model
/// by, it is enough.
void require_two_classes(const TaskSettings& settings, const std::string& data, const KnownItems& known,
                         const std::vector<std::string>& class_names);

/// By shares, folds or a file. Items of unknown label are in no part; of data for a trained model all known
/// ones are in the test part; under the published protocol validation and test are the same items.
Split split_items(const TaskSettings& settings, const Tensor& labels, const std::string& data,
                  const std::vector<std::string>& class_names, const RandomStream& stream);

/// Numbers the classes of new data as a trained model does: by their names, `classes` in the order of the
/// model. A class that the model does not have is an error.
void match_classes(SignalDataset& dataset, const std::vector<std::string>& classes);
void match_classes(ComplexDataset& dataset, const std::vector<std::string>& classes);
void match_classes(ValueDataset& dataset, const std::vector<std::string>& classes);

}  // namespace gsan
