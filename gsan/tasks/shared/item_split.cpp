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

KnownItems known_items(const Tensor& labels) {
  const Tensor list = labels.to(torch::kCPU, torch::kInt64).contiguous();
  KnownItems known;
  for (std::int64_t i = 0; i < list.numel(); ++i) {
    const std::int64_t label = list.const_data_ptr<std::int64_t>()[i];
    if (label == unknown_label) continue;
    known.items.push_back(i);
    known.labels.push_back(label);
  }
  return known;
}

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

Split split_items(const TaskSettings& settings, const Tensor& labels, const std::string& data,
                  const std::vector<std::string>& class_names, const RandomStream& stream) {
  const SplitSettings& shares = settings.split;
  const KnownItems known = known_items(labels);
  require_two_classes(settings, data, known, class_names);
  Split split;
  if (settings.trained) {
    split.test = known.items;
    return split;
  }
  if (!shares.file.empty()) {
    split = read_split(shares.file, labels.numel());
    for (Items* part : {&split.train, &split.validation, &split.test})
      std::erase_if(*part, [&](std::int64_t i) {
        return !std::binary_search(known.items.begin(), known.items.end(), i);
      });
  } else if (shares.folds > 0) {
    const std::vector<int> folds = stratified_folds(known.labels, shares.folds, stream.substream("folds"));
    split = at_items(split_of_fold(known.labels, folds, shares.fold, shares.validation,
                                   stream.substream(static_cast<std::uint64_t>(shares.fold))),
                     known.items);
  } else {
    split = at_items(stratified_split(known.labels, shares.validation, shares.test, stream), known.items);
  }
  GSAN_CHECK(!split.train.empty(), "the split leaves no item to train on: ", known.items.size(), " of ",
             labels.numel(), " items have a known label");
  if (settings.is_published()) split.validation = split.test;
  return split;
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
