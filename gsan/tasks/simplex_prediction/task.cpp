#include "gsan/tasks/simplex_prediction/task.h"

#include <algorithm>
#include <limits>

#include "gsan/nn/faces_readout.h"
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

// The faces of `order` of every simplex of order k, in lexicographic order: int64 [N_k, C(k + 1, order + 1)].
Tensor face_rows(const SimplicialComplex& complex, int k, int order) {
  std::vector<std::int64_t> rows;
  std::vector<Vertex> face;
  for (Index i = 0; i < complex.count(k); ++i) {
    const auto vertices = complex.vertices(k, i);
    if (order == k - 1) {  // face j is without vertex j
      const auto faces = complex.faces(k, i);
      rows.insert(rows.end(), faces.rbegin(), faces.rend());
      continue;
    }
    std::vector<bool> chosen(static_cast<std::size_t>(k) + 1);
    std::fill(chosen.begin(), chosen.begin() + order + 1, true);
    do {
      face.clear();
      for (int v = 0; v <= k; ++v)
        if (chosen[v]) face.push_back(vertices[v]);
      rows.push_back(*complex.find(face));
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }
  return item_tensor(rows).view({complex.count(k), face_count(k, order)});
}

}  // namespace

SimplexPrediction::SimplexPrediction(CandidateDataset dataset, const RandomStream& stream,
                                     const SimplexPredictionOptions& options, const Placement& placement,
                                     const std::optional<Split>& own)
    : SimplexPrediction(dataset,
                        own ? divide_candidates(dataset, *own, options.message, stream)
                            : divide_candidates(dataset, options.split, options.validation, options.test,
                                                options.message, stream),
                        options, placement, stream.substream("order")) {}

SimplexPrediction::SimplexPrediction(CandidateDataset dataset, CandidateParts parts,
                                     const SimplexPredictionOptions& options, const Placement& placement,
                                     const RandomStream& stream)
    : dataset_(std::move(dataset)),
      parts_(std::move(parts)),
      options_(options),
      placement_(placement),
      order_(stream) {
  GSAN_CHECK(options_.order == dataset_.order, "simplex-prediction: order is ", options_.order,
             ", but the candidates of ", dataset_.name, " have order ", dataset_.order);
  GSAN_CHECK(options_.tuple_order >= all_faces && options_.tuple_order < dataset_.order,
             "simplex-prediction.tuple_order must be -1 (every face) or lie in 0 ... order - 1 = ",
             dataset_.order - 1, ", got ", options_.tuple_order);
  message_complex_ = message_complex(dataset_, parts_.message);
  operators_ = ComplexOperators(message_complex_, placement_.operators());
  const ComplexOperators plain(message_complex_);
  for (int k = 0; k < dataset_.order; ++k) {
    given_.push_back(given_features(k));
    features_.push_back(with_structure(options_.structure, given_.back(), plain, k, dataset_.order));
    faces_.push_back(face_rows(dataset_.complex, dataset_.order, k));
  }
}

Tensor SimplexPrediction::given_features(int k) const {
  const bool has_features = k < static_cast<int>(dataset_.features.size()) && dataset_.features[k].defined();
  const std::int64_t rows = dataset_.complex.count(k);
  if (options_.features == CandidateFeatures::constant || !has_features) return {};
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

Tensor SimplexPrediction::faces_of(const Items& items, int order) const {
  return faces_[static_cast<std::size_t>(order)].index_select(0, item_tensor(items));
}

ModelShape SimplexPrediction::shape() const {
  ModelShape shape;
  shape.in_channels.clear();
  for (const Tensor& table : features_) shape.in_channels.push_back(static_cast<int>(table.size(1)));
  shape.in_channels.push_back(0);
  shape.out_channels = 1;
  if (options_.tuple_order == all_faces) {
    shape.tuple_size = (2 << dataset_.order) - 2;
  } else {
    shape.order = options_.tuple_order;
    shape.tuple_size = static_cast<int>(face_count(dataset_.order, options_.tuple_order));
  }
  return shape;
}

std::int64_t SimplexPrediction::batch_count(Phase phase, std::int64_t) const {
  if (phase != Phase::train || options_.batch_size == 0) return 1;
  const auto items = static_cast<std::int64_t>(parts_.split.train.size());
  return std::max<std::int64_t>(1, (items + options_.batch_size - 1) / options_.batch_size);
}

Batch SimplexPrediction::batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
  Items items = items_of(parts_.split, phase);
  if (const std::int64_t steps = batch_count(phase, epoch); steps > 1) {
    RandomStream of_epoch = order_.substream(static_cast<std::uint64_t>(epoch));
    of_epoch.shuffle(items);
    const auto count = std::ssize(items);  // parts that differ by one at most
    items = Items(items.begin() + count * step / steps, items.begin() + count * (step + 1) / steps);
  }
  return batch_of(items);
}

Batch SimplexPrediction::batch_of(const Items& items) const {
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.order) + 1)};
  for (int k = 0; k < dataset_.order; ++k)
    batch.signals[k] = features_[k].to(placement_.device, placement_.type);
  std::vector<Tensor> tuples;
  for (int k = 0; k < dataset_.order; ++k)
    if (options_.tuple_order == all_faces || options_.tuple_order == k)
      tuples.push_back(faces_of(items, k).to(placement_.device));
  batch.tuples = tuples.size() == 1 ? tuples.front() : torch::cat(tuples, 1);
  batch.targets = dataset_.labels.index_select(0, item_tensor(items)).to(placement_.device, placement_.type);
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

Prediction SimplexPrediction::predict(Model& model) const {
  require_fit(model, shape(), dataset_.name);
  const int k = dataset_.order;
  Items asked = parts_.split.test;
  if (!dataset_.is_made_of_values) {
    asked.clear();
    for (std::int64_t i = 0; i < dataset_.complex.count(k); ++i)
      if (dataset_.is_candidate[static_cast<std::size_t>(i)]) asked.push_back(i);
  }
  const Tensor found = EvaluationPass(model)
                           .output(batch_of(asked))
                           .values.squeeze(-1)
                           .to(torch::kCPU, torch::kFloat64)
                           .sigmoid();
  const auto all = named_simplices(dataset_.complex, k, dataset_.vertex_names);
  Prediction prediction{vertex_columns(k), {}, found.unsqueeze(1)};
  for (const std::int64_t row : asked) prediction.rows.push_back(all[static_cast<std::size_t>(row)]);
  add_column(prediction, "probability", found);
  add_column(prediction, "known", dataset_.labels.index_select(0, item_tensor(asked)).ne(unknown_label));
  auto of_run = this->parts();
  if (!parts_.split.train.empty()) of_run.emplace_back(name_of(Phase::train), parts_.message);
  add_part_and_truth(prediction, of_run, label_texts(dataset_.labels, {"0", "1"}), asked);
  return prediction;
}

std::vector<std::string> SimplexPrediction::notes() const {
  std::vector<std::string> all;
  std::string counts;
  for (int k = 0; k <= complex().order(); ++k)
    counts += concat(k == 0 ? "" : ", ", complex().count(k), " of order ", k);
  all.push_back(concat("The complex has these simplices: ", counts, "; ",
                       parts_.message.empty() ? "no candidate is among them"
                                              : concat(parts_.message.size(),
                                                       " of them are candidates known to "
                                                       "belong to it"),
                       "."));
  std::string bare;
  for (int k = 0; k < dataset_.order; ++k)
    if (!given_[static_cast<std::size_t>(k)].defined()) bare += concat(bare.empty() ? "" : ", ", k);
  if (!bare.empty())
    all.push_back(concat("Without features of their own: order ", bare, "; their simplices carry ",
                         options_.structure == StructureChoice::none
                             ? "1"
                             : "the logarithms of the numbers of larger simplices that contain them",
                         " (simplex-prediction.structure)."));
  return all;
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

}  // namespace gsan
