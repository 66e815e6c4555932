#pragma once
// What is computed anew for a report, from the data and the weights of the best epoch: the answers of the
// model on the items that it is judged by, its attention, and signals with their Hodge decomposition.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsan/report/html/decomposed_items.h"
#include "gsan/report/html/run_facts.h"
#include "gsan/tasks/task.h"

namespace gsan::report::html {

/// The weights of one attention, pair by pair.
struct AttentionValues {
  std::string name{};  ///< "layer 1, order 1, lower"
  std::vector<double> weights{};
  std::size_t receivers = 0;      ///< simplices whose weights these are
  std::size_t all_receivers = 0;  ///< of the complex: a large one is looked at in part
};

struct RunEvaluation {
  /// test; of a run that is not finished validation, since the test set is looked at once, at the end.
  Phase phase = Phase::test;
  std::int64_t epoch = -1;  ///< of the weights, from 0
  std::optional<MetricDetails> details{};
  std::vector<JudgedItem> worst{};
  std::vector<AttentionValues> attention{};
  std::vector<DecomposedItem> decompositions{};
  std::vector<std::string> missing{};  ///< what could not be computed and why, a sentence each
};

/// Never throws for a fault of the run: data that are gone, weights that are damaged and memory that is not
/// enough become a sentence.
RunEvaluation evaluate_run(const RunFacts& facts, torch::Device device = torch::kCPU);

}  // namespace gsan::report::html
