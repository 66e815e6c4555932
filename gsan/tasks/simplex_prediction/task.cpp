#include "gsan/tasks/simplex_prediction/task.h"

#include <algorithm>
#include <limits>

#include "gsan/tasks/shared/auc.h"
#include "gsan/tasks/shared/prediction_rows.h"
#include "gsan/tasks/shared/worst_items.h"
#include "gsan/topology/builder.h"

namespace gsan {
namespace {

SimplicialComplex message_complex(const CandidateDataset& dataset, const Items& message) {
  const SimplicialComplex& all = dataset.complex;
  ComplexBuilder builder;
  builder.add_vertices(all.count(0));
  for (int k = 1; k < dataset.order; ++k)
    for (Index i = 0; i < all.count(k); ++i) builder.add(all.vertices(k, i));
  for (Index i = 0; i < all.count(dataset.order); ++i)
    if (!dataset.is_candidate[i]) builder.add(all.vertices(dataset.order, i));
  for (const std::int64_t i : message) builder.add(all.vertices(dataset.order, static_cast<Index>(i)));
  return builder.build();
}

// How many faces of `order` a k-simplex has, C(k + 1, order + 1).
int faces_of(int k, int order) {
  int count = 1;
  for (int i = 0; i <= order; ++i) count = count * (k + 1 - i) / (i + 1);
  return count;
}

}  // namespace

SimplexPrediction::SimplexPrediction(CandidateDataset dataset, const RandomStream& stream,
                                     const SimplexPredictionOptions& options, const Placement& placement)
    : SimplexPrediction(dataset,
                        divide_candidates(dataset, options.split, options.validation, options.test,
                                          options.message, stream),
                        options, placement) {}

SimplexPrediction::SimplexPrediction(CandidateDataset dataset, CandidateParts parts,
                                     const SimplexPredictionOptions& options, const Placement& placement)
    : dataset_(std::move(dataset)), parts_(std::move(parts)), options_(options), placement_(placement) {
  GSAN_CHECK(options_.order == dataset_.order, "simplex-prediction: order is ", options_.order,
             ", but the candidates of ", dataset_.name, " have order ", dataset_.order);
  GSAN_CHECK(options_.tuple_order >= 0 && options_.tuple_order < dataset_.order,
             "simplex-prediction.tuple_order must lie in 0 ... order - 1 = ", dataset_.order - 1, ", got ",
             options_.tuple_order);
  message_complex_ = message_complex(dataset_, parts_.message);
  reordered_ = ReorderedComplex(message_complex_, placement_.order, placement_.operators());
  for (int k = 0; k < dataset_.order; ++k) features_.push_back(feature_table(k));
}

Tensor SimplexPrediction::feature_table(int k) const {
  const bool has_features = k < static_cast<int>(dataset_.features.size()) && dataset_.features[k].defined();
  const std::int64_t rows = dataset_.complex.count(k);
  if (options_.features == CandidateFeatures::constant || !has_features)
    return torch::ones({rows, 1}, torch::kFloat64);
  Tensor table = dataset_.features[k].to(torch::kFloat64).clone();
  if (options_.features == CandidateFeatures::counts) return table;
  GSAN_CHECK(dataset_.source_values.defined() && table.size(1) == 1,
             "simplex-prediction: features = ", name_of(options_.features),
             " need the values of the sources, but ", dataset_.name, " has none");
  const auto* offsets = dataset_.source_offsets[k].const_data_ptr<std::int64_t>();
  const auto* sources = dataset_.sources[k].const_data_ptr<std::int32_t>();
  const auto* of_source = dataset_.source_values.const_data_ptr<double>();
  double* value = table.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e)
      if (parts_.held_out[sources[e]]) value[i] -= of_source[sources[e]];
  return table;
}

Tensor SimplexPrediction::tuples(Phase phase, int order) const {
  const int k = dataset_.order;
  const Items& items = items_of(parts_.split, phase);
  std::vector<std::int64_t> rows;
  for (const std::int64_t i : items) {
    const auto vertices = dataset_.complex.vertices(k, static_cast<Index>(i));
    // Every choice of order + 1 of the k + 1 vertices, in lexicographic order.
    std::vector<bool> chosen(static_cast<std::size_t>(k) + 1);
    std::fill(chosen.begin(), chosen.begin() + order + 1, true);
    do {
      std::vector<Vertex> face;
      for (int v = 0; v <= k; ++v)
        if (chosen[v]) face.push_back(vertices[v]);
      rows.push_back(*dataset_.complex.find(face));
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }
  return item_tensor(rows).view({static_cast<std::int64_t>(items.size()), faces_of(k, order)});
}

ModelShape SimplexPrediction::shape() const {
  ModelShape shape;
  shape.in_channels.clear();
  for (const Tensor& table : features_) shape.in_channels.push_back(static_cast<int>(table.size(1)));
  shape.in_channels.push_back(0);
  shape.order = options_.tuple_order;
  shape.out_channels = 1;
  shape.tuple_size = faces_of(dataset_.order, options_.tuple_order);
  return shape;
}

Batch SimplexPrediction::batch(Phase phase, std::int64_t, std::int64_t) const {
  Batch batch{reordered_.operators(), Cochains(static_cast<std::size_t>(dataset_.order) + 1)};
  for (int k = 0; k < dataset_.order; ++k)
    batch.signals[k] = reordered_.arranged(k, features_[k].to(placement_.device, placement_.type));
  batch.tuples =
      reordered_.places(options_.tuple_order, tuples(phase, options_.tuple_order).to(placement_.device));
  batch.targets = labels(phase).to(placement_.device, placement_.type);
  return batch;
}

Tensor SimplexPrediction::labels(Phase phase) const {
  return dataset_.labels.index_select(0, item_tensor(items_of(parts_.split, phase)));
}

Tensor SimplexPrediction::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::binary_cross_entropy_with_logits(output.values.squeeze(-1), batch.targets);
}

std::vector<std::pair<std::string, Items>> SimplexPrediction::parts() const {
  const Split& split = parts_.split;
  return {{"train", split.train},
          {"validation", split.validation},
          {"test", split.test},
          {"message", parts_.message}};
}

std::unique_ptr<Meter> SimplexPrediction::meter(Phase) const { return std::make_unique<CandidateMeter>(); }

Tensor SimplexPrediction::probabilities(Model& model) const {
  require_fit(model, shape(), dataset_.name);
  const ModelOutput output = EvaluationPass(model).output(batch(Phase::test, 0, 0));
  return output.values.squeeze(-1).to(torch::kCPU, torch::kFloat64).sigmoid();
}

Prediction SimplexPrediction::predict(Model& model) const {
  const int k = dataset_.order;
  const auto all = named_simplices(dataset_.complex, k, dataset_.vertex_names);
  CandidateParts parts;
  if (dataset_.is_made_of_values) {
    parts = parts_;
  } else {
    const Tensor of_all = dataset_.labels.contiguous();
    for (std::int64_t i = 0; i < dataset_.complex.count(k); ++i) {
      if (!dataset_.is_candidate[static_cast<std::size_t>(i)]) continue;
      parts.split.test.push_back(i);
      if (of_all.const_data_ptr<std::int64_t>()[i] == 1) parts.message.push_back(i);
    }
    parts.held_out.resize(static_cast<std::size_t>(dataset_.source_count));
  }
  const Items asked = parts.split.test;
  const Tensor found =
      dataset_.is_made_of_values
          ? probabilities(model)
          : SimplexPrediction(dataset_, std::move(parts), options_, placement_).probabilities(model);
  Prediction prediction{vertex_columns(k), {}, found.unsqueeze(1)};
  for (const std::int64_t row : asked) prediction.rows.push_back(all[static_cast<std::size_t>(row)]);
  add_column(prediction, "probability", found);
  add_column(prediction, "known", dataset_.labels.index_select(0, item_tensor(asked)).ne(unknown_label));
  return prediction;
}

std::vector<JudgedItem> SimplexPrediction::worst_items(Model& model, Phase phase, std::int64_t count) const {
  const Tensor truth = labels(phase);
  const Tensor logits =
      EvaluationPass(model).output(batch(phase, 0, 0)).values.squeeze(-1).to(torch::kCPU, torch::kFloat64);
  const Tensor loss = torch::binary_cross_entropy_with_logits(logits, truth.to(torch::kFloat64).clamp_min(0),
                                                              {}, {}, at::Reduction::None);
  const Items& items = items_of(parts_.split, phase);
  const auto says = [](bool is_there) { return is_there ? "in the complex" : "not in the complex"; };
  std::vector<JudgedItem> worst;
  for (const std::int64_t i : largest(loss.masked_fill(truth.eq(unknown_label), -1), count)) {
    const double p = logits[i].sigmoid().item<double>();
    worst.push_back({simplex_name(dataset_.complex, dataset_.order, items[static_cast<std::size_t>(i)],
                                  dataset_.vertex_names),
                     says(truth[i].item<std::int64_t>() == 1), says(p > 0.5), std::max(p, 1 - p),
                     loss[i].item<double>()});
  }
  return worst;
}

void CandidateMeter::add(const ModelOutput& output, const Batch& batch) {
  add(output.values.squeeze(-1), batch.targets);
}

void CandidateMeter::add(const Tensor& scores, const Tensor& labels) {
  const Tensor is_known = labels.cpu().ne(unknown_label);
  scores_.push_back(scores.detach().to(torch::kCPU, torch::kFloat64).masked_select(is_known));
  labels_.push_back(labels.to(torch::kCPU, torch::kFloat64).masked_select(is_known));
}

Metrics CandidateMeter::value() const {
  Metrics metrics;
  if (scores_.empty()) return metrics;
  const Tensor scores = torch::cat(scores_), labels = torch::cat(labels_);
  if (labels.eq(1).any().item<bool>() && labels.eq(0).any().item<bool>())
    metrics.emplace_back("auc", 100 * area_under_curve(scores, labels));
  if (labels.numel() > 0)
    metrics.emplace_back("loss", torch::binary_cross_entropy_with_logits(scores, labels).item<double>());
  return metrics;
}

}  // namespace gsan
