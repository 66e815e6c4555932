#include <algorithm>

#include "gsan/models/harmonic_mean.h"
#include "gsan/tasks/simplex_prediction/task.h"

namespace gsan {

bool SimplexPrediction::has_values() const {
  const Tensor& table = features_[options_.tuple_order];
  return table.size(1) == 1 && options_.features != CandidateFeatures::constant &&
         table.ge(0).all().item<bool>();
}

std::vector<RuleResult> SimplexPrediction::rules(Phase phase) const {
  const Tensor truth = labels(phase);
  std::vector<RuleResult> all;
  const auto add = [&](const char* name, const Tensor& scores) {
    CandidateMeter meter;
    meter.add(scores, truth);
    const Metrics metrics = meter.value();  // of a score that is no probability, only the order counts
    if (metrics.front().first == "auc") all.push_back({name, {metrics.front()}});
  };
  if (truth.numel() == 0) return all;
  if (has_values()) {
    add("minimum of the face values", smallest_face_value(phase));
    add("harmonic mean of the face values", harmonic_mean_score(phase));
  }
  add("count of message cofaces", message_coface_count(phase));
  return all;
}

Tensor SimplexPrediction::smallest_face_value(Phase phase) const {
  const Tensor rows = tuples(phase, options_.tuple_order);
  const Tensor values = features_[options_.tuple_order].select(1, 0);
  return values.index_select(0, rows.flatten()).view(rows.sizes()).amin(-1);
}

Tensor SimplexPrediction::harmonic_mean_score(Phase phase) const {
  const Tensor values = features_[options_.tuple_order].slice(1, 0, 1);
  return harmonic_mean(values, tuples(phase, options_.tuple_order)).squeeze(-1);
}

Tensor SimplexPrediction::message_coface_count(Phase phase) const {
  const int k = dataset_.order;
  // |B_2| … |B_k| 1 counts each k-simplex (k − 1)! times on each of its edges.
  const ComplexOperators& operators = reordered_.operators();
  Tensor counts = torch::ones({operators.count(k), 1}, torch::kFloat64).to(operators.device());
  for (int j = k; j >= 2; --j) counts = operators.incidence(j).absolute_boundary(counts) / (j - 1);
  const int face = std::min(k - 1, 1);
  const Tensor rows = tuples(phase, face);
  if (k == 1) counts = operators.coface_counts(0).unsqueeze(-1);
  Tensor found = reordered_.restored(face, counts)
                     .cpu()
                     .squeeze(-1)
                     .index_select(0, rows.flatten())
                     .view(rows.sizes())
                     .sum(-1);
  const Items& items = items_of(parts_.split, phase);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (complex().find(dataset_.complex.vertices(k, static_cast<Index>(items[i]))))
      found[static_cast<std::int64_t>(i)] -= rows.size(1);
  return found;
}

}  // namespace gsan
