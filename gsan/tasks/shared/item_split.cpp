#include "gsan/tasks/shared/item_split.h"

#include <algorithm>
#include <cmath>

#include "gsan/tasks/shared/classification.h"

namespace gsan {
namespace {

// New number of each class of the data.
std::vector<std::int64_t> class_map(const std::string& data, const std::vector<std::string>& names,
                                    const std::vector<std::string>& classes) {
  std::vector<std::int64_t> map;
  for (const std::string& name : names) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    std::string known;
    for (const std::string& one : classes) known += (known.empty() ? "" : ", ") + one;
    GSAN_CHECK(found != classes.end(), data, ": the class '", name,
               "' is none of the classes of the model: ", known);
    map.push_back(found - classes.begin());
  }
  return map;
}

template <class Dataset>
void match_item_classes(Dataset& dataset, const std::vector<std::string>& classes) {
  dataset.class_names = named_or_numbered(dataset.class_names, dataset.classes);
  const std::vector<std::int64_t> map = class_map(dataset.name, dataset.class_names, classes);
  Tensor labels = dataset.labels.clone();
  auto* label = labels.template mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < labels.numel(); ++i)
    if (label[i] != unknown_label) label[i] = map[static_cast<std::size_t>(label[i])];
  dataset.labels = labels;
  dataset.classes = static_cast<int>(classes.size());
  dataset.class_names = classes;
}

}  // namespace

void require_two_classes(const TaskSettings& settings, const std::string& data, const KnownItems& known,
                         const std::vector<std::string>& class_names) {
  if (settings.trained || known.labels.empty()) return;
  const std::int64_t first = known.labels.front();
  if (std::any_of(known.labels.begin(), known.labels.end(), [&](auto label) { return label != first; }))
    return;
  const auto place = static_cast<std::size_t>(first);
  fail(Fault::argument, settings.name, ": to train, at least two classes are needed, but all ",
       known.labels.size(), " known labels of ", data, " are ",
       place < class_names.size() ? class_names[place] : std::to_string(first));
}

SplitShares shares_of(const SplitSettings& settings) {
  return {settings.validation, settings.test, settings.folds, settings.fold};
}

MadeSplit split_items(const TaskSettings& settings, const ItemsToDivide& items, const SplitShares& shares,
                      const std::vector<std::string>& class_names, const RandomStream& stream) {
  const KnownItems known = known_items(items.labels);
  require_two_classes(settings, items.data, known, class_names);
  if (settings.trained) return {{{}, {}, known.items}, "all items with a known label are in the test part"};
  std::optional<MadeSplit> made = own_split(settings, items, shares, stream);
  if (!made && shares.folds > 0) {
    const std::vector<int> folds = stratified_folds(known.labels, shares.folds, stream.substream("folds"));
    made = MadeSplit{at_items(split_of_fold(known.labels, folds, shares.fold, shares.validation,
                                            stream.substream(static_cast<std::uint64_t>(shares.fold))),
                              known.items),
                     concat("stratified folds, fold ", shares.fold, " of ", shares.folds)};
  } else if (!made) {
    made = MadeSplit{
        at_items(stratified_split(known.labels, shares.validation, shares.test, stream), known.items),
        "stratified at random"};
  }
  require_training_items(made->split, known.items.size(), items.labels.numel());
  if (settings.is_published()) made->split.validation = made->split.test;
  return std::move(*made);
}

void match_classes(SignalDataset& dataset, const std::vector<std::string>& classes) {
  match_item_classes(dataset, classes);
}

void match_classes(ComplexDataset& dataset, const std::vector<std::string>& classes) {
  match_item_classes(dataset, classes);
}

void match_classes(ValueDataset& dataset, const std::vector<std::string>& classes) {
  const std::vector<std::int64_t> map = class_map(dataset.name, dataset.class_names, classes);
  for (Tensor& values : dataset.values) {
    if (!values.defined()) continue;
    values = values.clone();
    auto* value = values.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < values.numel(); ++i)
      if (!std::isnan(value[i])) value[i] = static_cast<double>(map[static_cast<std::size_t>(value[i])]);
  }
  dataset.class_names = classes;
}

}  // namespace gsan
