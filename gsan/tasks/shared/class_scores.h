#pragma once
// Scores of classes, from a confusion matrix.

#include "gsan/tasks/shared/metric_details.h"

namespace gsan {

/// Counts of answers int64 [n] for items of these classes, int64 [n] each; no label is unknown.
ConfusionMatrix count_answers(std::vector<std::string> classes, const std::vector<std::int64_t>& labels,
                              const std::vector<std::int64_t>& answers);

/// Precision, recall and F1 = 2 TP / (2 TP + FP + FN) of every class.
std::vector<ClassScores> class_scores(const ConfusionMatrix& matrix);

/// Mean recall of the classes that have items, in per cent; NaN where there are no items.
double balanced_accuracy(const std::vector<ClassScores>& scores);

/// Mean F1 of the classes that have items or answers, in per cent; NaN where there are none.
double macro_f1(const std::vector<ClassScores>& scores);

}  // namespace gsan
