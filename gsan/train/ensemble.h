#pragma once
// Several runs that answer together: probabilities and values are averaged.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsan/train/loaded_run.h"

namespace gsan {

/// By the name of the run, which errors use.
using NamedPredictions = std::vector<std::pair<std::string, Prediction>>;

/// The mean of the numbers of several predictions, row by row; a class is that of the largest mean
/// probability
/// (`classes`: of tasks whose answer is a class). Columns and what rows are called must agree, or an error
/// names the difference; an item is in the part `train` where any of the runs trained on it, then in
/// `validation`.
Prediction mean_prediction(const NamedPredictions& all, const std::vector<std::string>& classes);

struct EnsembleRun {
  std::string name;
  LoadedRun run;
};

/// An error unless the runs answer the same question: task and classes.
void require_one_question(const std::vector<EnsembleRun>& runs);

/// mean_prediction() of the runs, each of which answers by itself.
Prediction predict(std::vector<EnsembleRun>& runs);

/// The meter of the first run, filled with the mean answers to the items of a phase. The phase must hold the
/// same items in every run: one that another was trained on would be judged for what it remembers.
std::unique_ptr<Meter> ensemble_meter(std::vector<EnsembleRun>& runs, Phase phase);

}  // namespace gsan
