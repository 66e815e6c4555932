#include <algorithm>

#include "gsan/models/harmonic_mean.h"
#include "gsan/tasks/simplex_prediction/task.h"

namespace gsan {

int SimplexPrediction::value_order() const {
  return options_.tuple_order == all_faces ? dataset_.order - 1 : options_.tuple_order;
}

bool SimplexPrediction::has_values() const {
  const Tensor& table = given_[static_cast<std::size_t>(value_order())];
  return table.defined() && table.size(1) == 1 && table.ge(0).all().item<bool>();
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
  const Tensor rows = faces_of(items_of(parts_.split, phase), value_order());
  const Tensor values = given_[static_cast<std::size_t>(value_order())].select(1, 0);
  return values.index_select(0, rows.flatten()).view(rows.sizes()).amin(-1);
}

Tensor SimplexPrediction::harmonic_mean_score(Phase phase) const {
  const Tensor values = given_[static_cast<std::size_t>(value_order())].slice(1, 0, 1);
  return harmonic_mean(values, faces_of(items_of(parts_.split, phase), value_order())).squeeze(-1);
}

Tensor SimplexPrediction::message_coface_count(Phase phase) const {
  const int k = dataset_.order, face = std::min(k - 1, 1);
  const Items& items = items_of(parts_.split, phase);
  const Tensor rows = faces_of(items, face);
  Tensor found = degrees(operators_, face, k)
                     .cpu()
                     .squeeze(-1)
                     .index_select(0, rows.flatten())
                     .view(rows.sizes())
                     .sum(-1);
  // A candidate does not count itself, unless that is the leak whose size the rule shows.
  if (options_.leak != CandidateLeak::none) return found;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (complex().find(dataset_.complex.vertices(k, static_cast<Index>(items[i]))))
      found[static_cast<std::int64_t>(i)] -= rows.size(1);
  return found;
}

}  // namespace gsan
