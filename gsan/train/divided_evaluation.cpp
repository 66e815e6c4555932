#include "gsan/train/divided_evaluation.h"

#include "gsan/nn/batch_norm.h"
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

void measure_batch_norms(const Task& task, Model& model, Ranks& ranks) {
  const std::int64_t count = task.batch_count(Phase::train, 0);
  const auto own_passes = [&] {
    const EvaluationPass pass(model);
    for (std::int64_t i = ranks.rank(); i < count; i += ranks.size())
      pass.output(task.batch(Phase::train, 0, i));
  };
  const auto of_all = [&](std::vector<RowStatistics> own, int channels) {
    std::vector<Tensor> rows;  // a norm is called once in a pass
    for (const RowStatistics& batch : own) rows.push_back(batch.packed(channels));
    SafetensorsFile message;
    message.tensors.emplace_back("statistics",
                                 rows.empty() ? torch::zeros({0, 1}, torch::kFloat64) : torch::stack(rows));
    std::vector<Tensor> all;
    for (const std::string& text : ranks.all_gather_texts(to_message(message)))
      all.push_back(from_message(text).tensors.at(0).second);
    std::vector<RowStatistics> found;
    for (std::int64_t i = 0; i < count; ++i)
      found.push_back(
          RowStatistics::unpacked(all[static_cast<std::size_t>(i % ranks.size())][i / ranks.size()]));
    return found;
  };
  measure_batch_norms(*model, own_passes, of_all);
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
