#include "gsan/report/html/run_evaluation.h"

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/models/layer_view.h"
#include "gsan/nn/attention_rows.h"
#include "gsan/report/html/tried.h"
#include "gsan/train/experiment.h"
#include "gsan/train/loaded_run.h"

namespace gsan::report::html {
namespace {

constexpr std::int64_t shown_items = 10;
constexpr std::int64_t most_pairs = 20000;  // of one histogram
constexpr std::size_t most_histograms = 4;
constexpr std::int64_t most_simplices = 200000;  // of an item, for attention and pictures

std::int64_t size_of(const SimplicialComplex& complex) {
  std::int64_t size = 0;
  for (int k = 0; k <= complex.order(); ++k) size += complex.count(k);
  return size;
}

// The first item of the phase through every layer.
std::vector<AttentionValues> attention_of(Experiment& experiment, const Batch& item) {
  Model& model = experiment.model;
  const SimplicialComplex& complex = item.operators.complex();
  std::vector<AttentionValues> all;
  const auto layers = static_cast<int>(model->backbone().simplicial_layers().size());
  for (int number = 1; number <= layers; ++number) {
    const LayerView view = view_layer(model, item.operators, item.signals, number, item.tuples);
    for (const int k : model->backbone().orders()) {
      if (k > complex.order() || complex.count(k) == 0) continue;
      const std::vector<Index> rows = rows_with_pairs(complex, k, most_pairs);
      for (const AttentionWeights& term : attention_rows(*view.layer, item.operators, view.input, k, rows)) {
        std::vector<double> weights = pair_weights(term, -1);
        if (weights.empty() || all.size() == most_histograms) continue;
        all.push_back({concat("layer ", number, ", order ", k, ": ", attention_name(term)),
                       std::move(weights), rows.size(), static_cast<std::size_t>(complex.count(k))});
      }
    }
  }
  return all;
}

void fill(RunEvaluation& found, LoadedRun& loaded) {
  Experiment& experiment = loaded.experiment;
  const Task& task = *experiment.task;
  found.epoch = loaded.epoch;
  if (!task.has_items(found.phase)) found.phase = Phase::validation;
  if (!task.has_items(found.phase)) {
    found.missing.emplace_back("There are neither test nor validation items to judge the model by.");
    return;
  }
  tried("There are no scores of the classes and no confusion matrix", found.missing,
        [&] { found.details = evaluate_in_detail(task, experiment.model, found.phase).details; });
  tried("There is no list of the worst items", found.missing,
        [&] { found.worst = task.worst_items(experiment.model, found.phase, shown_items); });
  const Batch item = task.example(found.phase, 0);
  if (size_of(item.operators.complex()) > most_simplices) {
    found.missing.emplace_back("The complex is too large to show attention and signals on it.");
    return;
  }
  if (experiment.model->backbone().has_attention())
    tried("There is no attention histogram", found.missing,
          [&] { found.attention = attention_of(experiment, item); });
  tried("There is no picture of signals", found.missing,
        [&] { found.decompositions = decomposed_items(task, found.phase); });
}

}  // namespace

RunEvaluation evaluate_run(const RunFacts& facts, torch::Device device) {
  RunEvaluation found;
  found.phase = facts.record ? Phase::test : Phase::validation;
  if (!facts.settings) return found;  // the page says so already
  const LongWork work(concat("evaluating ", facts.path.string()));
  tried("Worst items and pictures are left out, since data and weights cannot be opened", found.missing, [&] {
    LoadedRun loaded = load_run(facts.path, {.device = device});
    fill(found, loaded);
  });
  return found;
}

}  // namespace gsan::report::html
