#pragma once
// What a part of the data holds and what a model answers to it, collected batch by batch: what warnings about
// data and answers are made of.

#include <cstdint>
#include <string>
#include <vector>

#include "gsan/tasks/task.h"

namespace gsan {

/// The smallest and the largest value of each feature, over all rows that were added.
struct FeatureRange {
  Tensor least{}, most{};  ///< [F] float64; undefined: nothing was added
  std::int64_t rows = 0;

  void add(const Tensor& x);  ///< [..., F]
  /// Of each feature, whether its values differ by no more than rounding.
  std::vector<bool> is_constant() const;
};

struct PartView {
  Phase phase = Phase::train;
  std::vector<FeatureRange> inputs{};   ///< per order, of those that the model reads
  std::vector<std::int64_t> labels{};   ///< items of each class; empty where an answer is not a class
  std::vector<std::int64_t> answers{};  ///< items that are given to each class, likewise
  FeatureRange outputs{};               ///< of the model

  bool has_items() const;  ///< whether a label was seen
};

/// Every part that has items, the training set first: labels of each, inputs of the training set, answers of
/// the last one. One pass over the batches; the model runs on the last part alone.
std::vector<PartView> view_parts(const Task& task, Model& model);

/// The names of the classes that are counted: those of the task; "0" and "1" of candidates.
std::vector<std::string> counted_classes(const Task& task, const Model& model);

}  // namespace gsan
