#include "gsan/train/divided_evaluation.h"

#include "gsan/train/tensor_message.h"

namespace gsan {

Metrics evaluate(const Task& task, Model& model, Phase phase, Ranks& ranks) {
  const std::int64_t count = task.batch_count(phase, 0);
  SafetensorsFile own;
  {
    const EvaluationPass pass(model);
    for (std::int64_t i = ranks.rank(); i < count; i += ranks.size()) {
      const Batch batch = task.batch(phase, 0, i);
      own.tensors.emplace_back("values", pass.output(batch).values);
      own.tensors.emplace_back("targets", batch.targets);
    }
  }
  std::vector<SafetensorsFile> all;
  for (const std::string& message : ranks.all_gather_texts(to_message(own)))
    all.push_back(from_message(message));
  const auto meter = task.meter(phase);
  for (std::int64_t i = 0; i < count; ++i) {
    const NamedTensors& found = all[static_cast<std::size_t>(i % ranks.size())].tensors;
    const auto at = static_cast<std::size_t>(2 * (i / ranks.size()));
    Batch batch{ComplexOperators(SimplicialComplex()), {}};
    batch.targets = found.at(at + 1).second;
    meter->add({found.at(at).second, {}}, batch);
  }
  return meter->value();
}

Metrics broadcast(const Metrics& metrics, Ranks& ranks) {
  SafetensorsFile content;
  for (const auto& [name, value] : metrics)
    content.tensors.emplace_back(name, torch::full({}, value, torch::kFloat64));
  Metrics found;
  for (const auto& [name, value] : from_message(ranks.broadcast(to_message(content))).tensors)
    found.emplace_back(name, value.item<double>());
  return found;
}

}  // namespace gsan
