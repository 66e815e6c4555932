#include "gsan/tasks/shared/class_scores.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "gsan/core/check.h"

namespace gsan {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : undefined;
}

double mean_of_defined(const std::vector<ClassScores>& scores, double ClassScores::*score) {
  double sum = 0;
  int defined = 0;
  for (const ClassScores& one : scores) {
    if (std::isnan(one.*score)) continue;
    sum += one.*score;
    ++defined;
  }
  return defined > 0 ? sum / defined : undefined;
}

}  // namespace

std::int64_t ConfusionMatrix::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::int64_t ConfusionMatrix::correct() const {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) sum += count(c, c);
  return sum;
}

ConfusionMatrix count_answers(std::vector<std::string> classes, const std::vector<std::int64_t>& labels,
                              const std::vector<std::int64_t>& answers) {
  GSAN_CHECK(labels.size() == answers.size(), "count_answers: every label needs an answer, got ",
             labels.size(), " and ", answers.size());
  const std::size_t n = classes.size();
  ConfusionMatrix matrix{std::move(classes), std::vector<std::int64_t>(n * n)};
  for (std::size_t i = 0; i < labels.size(); ++i)
    ++matrix.counts[static_cast<std::size_t>(labels[i]) * n + static_cast<std::size_t>(answers[i])];
  return matrix;
}

std::vector<ClassScores> class_scores(const ConfusionMatrix& matrix) {
  const std::size_t n = matrix.classes.size();
  std::vector<ClassScores> scores;
  for (std::size_t c = 0; c < n; ++c) {
    std::int64_t items = 0, answers = 0;
    for (std::size_t other = 0; other < n; ++other) {
      items += matrix.count(c, other);
      answers += matrix.count(other, c);
    }
    const std::int64_t found = matrix.count(c, c);
    scores.push_back({matrix.classes[c], items, share(found, answers), share(found, items),
                      share(2 * found, items + answers)});
  }
  return scores;
}

double balanced_accuracy(const std::vector<ClassScores>& scores) {
  return mean_of_defined(scores, &ClassScores::recall);
}

double macro_f1(const std::vector<ClassScores>& scores) { return mean_of_defined(scores, &ClassScores::f1); }

}  // namespace gsan
