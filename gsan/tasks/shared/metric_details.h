#pragma once
// What a final evaluation says beside the few metrics of a training line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsan/tasks/shared/metrics.h"

namespace gsan {

/// Which class a model gives to the items of each class.
struct ConfusionMatrix {
  std::vector<std::string> classes;
  std::vector<std::int64_t> counts;  ///< [C, C] by rows: row = true class, column = answer

  std::int64_t count(std::size_t truth, std::size_t answer) const {
    return counts[truth * classes.size() + answer];
  }
  std::int64_t total() const;
  std::int64_t correct() const;  ///< the diagonal
};

/// How well one class is found, in per cent; NaN where a number is not defined.
struct ClassScores {
  std::string name{};
  std::int64_t count = 0;  ///< items of the class
  double precision = 0;    ///< of the items that are given to it, those of it; NaN: none is given to it
  double recall = 0;       ///< of its items, those that are given to it; NaN: it has none
  double f1 = 0;           ///< harmonic mean of both; NaN: neither has an item
};

struct MetricDetails {
  int order = -1;                      ///< of the simplices that are judged; −1: signals or complexes are
  Metrics metrics{};                   ///< those of Meter::value() among them
  std::vector<ClassScores> classes{};  ///< empty where answers are not classes
  std::optional<ConfusionMatrix> confusion{};
};

}  // namespace gsan
