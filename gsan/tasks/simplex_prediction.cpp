#include "gsan/tasks/simplex_prediction.h"

#include <algorithm>

#include "gsan/models/harmonic_mean.h"
#include "gsan/tasks/auc.h"
#include "gsan/tasks/model_inputs.h"
#include "gsan/topology/builder.h"

namespace gsan {
namespace {

// The division of a protocol.
CandidateParts divide(const CandidateDataset& dataset, const RandomStream& stream,
                      const SimplexPredictionOptions& options) {
  const bool is_published = options.protocol == Protocol::published;
  CandidateParts parts =
      divide_candidates(dataset, is_published ? CandidateSplit::random : options.split, options.validation,
                        options.test, is_published ? 1 : options.message, stream);
  if (is_published) {  // the loss is on the positives of the complex, too
    Items& train = parts.split.train;
    train.insert(train.end(), parts.message.begin(), parts.message.end());
    std::sort(train.begin(), train.end());
  }
  return parts;
}

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

SimplexPrediction::SimplexPrediction(const ValueDataset& dataset, const RandomStream& stream,
                                     SimplexPredictionOptions options)
    : SimplexPrediction(candidates_of(dataset, options.order, options.threshold), stream, options) {}

SimplexPrediction::SimplexPrediction(CandidateDataset dataset, const RandomStream& stream,
                                     SimplexPredictionOptions options)
    : SimplexPrediction(dataset, divide(dataset, stream, options), options) {}

SimplexPrediction::SimplexPrediction(CandidateDataset dataset, CandidateParts parts,
                                     SimplexPredictionOptions options)
    : dataset_(std::move(dataset)), parts_(std::move(parts)), options_(options) {
  GSAN_CHECK(options_.order == dataset_.order, "simplex-prediction: order is ", options_.order,
             ", but the candidates of ", dataset_.name, " have order ", dataset_.order);
  GSAN_CHECK(options_.tuple_order >= 0 && options_.tuple_order < dataset_.order,
             "simplex-prediction.tuple_order must lie in 0 ... order - 1 = ", dataset_.order - 1, ", got ",
             options_.tuple_order);
  message_complex_ = message_complex(dataset_, parts_.message);
  reordered_ =
      ReorderedComplex(message_complex_, options_.placement.order, {.device = options_.placement.device});
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

ModelOptions SimplexPrediction::complete(ModelOptions options) const {
  std::vector<int> widths;
  for (const Tensor& table : features_) widths.push_back(static_cast<int>(table.size(1)));
  widths.push_back(0);
  set_inputs(options, name(), widths);
  require_read(options, name(), options_.tuple_order);
  options.readout = ReadoutKind::tuple;
  options.head.order = options_.tuple_order;
  options.head.out_channels = 1;
  options.tuple_size = faces_of(dataset_.order, options_.tuple_order);
  return options;
}

Batch SimplexPrediction::batch(Phase phase, std::int64_t, std::int64_t) const {
  const Placement& placement = options_.placement;
  Batch batch{reordered_.operators(), Cochains(static_cast<std::size_t>(dataset_.order) + 1)};
  for (int k = 0; k < dataset_.order; ++k)
    batch.signals[k] = reordered_.arranged(k, features_[k].to(placement.device, placement.type));
  batch.tuples =
      reordered_.places(options_.tuple_order, tuples(phase, options_.tuple_order).to(placement.device));
  batch.targets = labels(phase).to(placement.device, placement.type);
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

std::vector<std::string> SimplexPrediction::remarks() const {
  if (options_.protocol == Protocol::strict) return {};
  std::vector<std::string> all{
      "The complex of all phases holds the positive candidates to train on, so the loss is on candidates "
      "whose answer stands in the input; a number below the count baseline has learned nothing."};
  if (dataset_.name == "citation")
    all.emplace_back(
        "Row i of the file is taken for simplex i of the complex although the file has another order: "
        "features and labels are permuted.");
  if (dataset_.name == "citation" && options_.order == 2)
    all.emplace_back(
        "The complex behind the printed GSAN rows of 2-simplices held exactly the positive test triangles, "
        "so "
        "that an untrained count of triangles on the edges tells the answer. This run does not repeat that: "
        "its complex holds the positives to train on.");
  return all;
}

std::unique_ptr<Meter> SimplexPrediction::meter(Phase) const { return std::make_unique<CandidateMeter>(); }

bool SimplexPrediction::has_values() const {
  const Tensor& table = features_[options_.tuple_order];
  return table.size(1) == 1 && options_.features != CandidateFeatures::constant &&
         table.ge(0).all().item<bool>();
}

std::vector<BaselineResult> SimplexPrediction::baselines(Phase phase) const {
  const Tensor truth = labels(phase);
  std::vector<BaselineResult> all;
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
