#include "gsan/tasks/simplex_prediction.h"

#include <algorithm>

#include "gsan/models/harmonic_mean.h"
#include "gsan/tasks/auc.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {
namespace {

// Whether simplex i has one of the sources.
bool has_source(const ValueDataset& dataset, int k, std::int64_t i, const std::vector<bool>& wanted) {
  const auto* offsets = dataset.source_offsets[k].const_data_ptr<std::int64_t>();
  const auto* sources = dataset.sources[k].const_data_ptr<std::int32_t>();
  return std::any_of(sources + offsets[i], sources + offsets[i + 1],
                     [&](std::int32_t s) { return wanted[s]; });
}

// The sources of simplex i, where any are known.
void mark_sources(const ValueDataset& dataset, int k, std::int64_t i, std::vector<bool>& marked) {
  if (k >= static_cast<int>(dataset.sources.size()) || !dataset.sources[k].defined()) return;
  const auto* offsets = dataset.source_offsets[k].const_data_ptr<std::int64_t>();
  const auto* sources = dataset.sources[k].const_data_ptr<std::int32_t>();
  for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e) marked[sources[e]] = true;
}

struct SourceSplit {
  Split split;
  std::vector<bool> held_out;  // per source
};

// Sources in random order go to test, then to validation, until their candidates are as many as asked for.
SourceSplit split_by_source(const ValueDataset& dataset, int k, const SimplexPredictionOptions& options,
                            RandomStream stream) {
  GSAN_CHECK(k < static_cast<int>(dataset.sources.size()) && dataset.sources[k].defined(),
             "SimplexPrediction: split by-paper needs the sources of the simplices, but nothing is known of "
             "those of order ",
             k, " in ", dataset.name);
  const std::int64_t rows = dataset.complex.count(k);
  std::vector<int> part(static_cast<std::size_t>(rows), 0);  // 0 train, 1 validation, 2 test
  SourceSplit result{{}, std::vector<bool>(static_cast<std::size_t>(dataset.source_count))};
  const std::vector<int> order = stream.permutation(dataset.source_count);
  std::size_t next = 0;
  for (const auto& [which, share] : {std::pair{2, options.test}, std::pair{1, options.validation}}) {
    std::int64_t taken = 0;
    while (next < order.size() && static_cast<double>(taken) < share * static_cast<double>(rows)) {
      std::vector<bool> one(result.held_out.size());
      one[order[next]] = result.held_out[order[next]] = true;
      ++next;
      for (std::int64_t i = 0; i < rows; ++i) {
        if (part[i] != 0 || !has_source(dataset, k, i, one)) continue;
        part[i] = which;
        ++taken;
      }
    }
  }
  for (std::int64_t i = 0; i < rows; ++i)
    (part[i] == 0   ? result.split.train
     : part[i] == 1 ? result.split.validation
                    : result.split.test)
        .push_back(i);
  return result;
}

}  // namespace

SimplexPrediction::SimplexPrediction(const ValueDataset& dataset, const RandomStream& stream,
                                     SimplexPredictionOptions options)
    : options_(options) {
  const int k = options_.order;
  GSAN_CHECK(k >= 1 && k <= dataset.complex.order() && k < static_cast<int>(dataset.values.size()) &&
                 dataset.values[k].defined(),
             "SimplexPrediction: ", dataset.name, " has no values of order ", k);
  GSAN_CHECK(options_.tuple_order >= 0 && options_.tuple_order < k,
             "SimplexPrediction: tuple_order must lie in 0 ... order - 1 = ", k - 1, ", got ",
             options_.tuple_order);
  candidates_ = skeleton(dataset.complex, k).complex;
  positive_ = dataset.values[k].gt(options_.threshold).to(torch::kInt64);
  const std::vector<std::int64_t> all_labels(positive_.const_data_ptr<std::int64_t>(),
                                             positive_.const_data_ptr<std::int64_t>() + positive_.numel());
  std::vector<bool> held_out(static_cast<std::size_t>(dataset.source_count));
  if (options_.split == CandidateSplit::by_source) {
    SourceSplit by_source = split_by_source(dataset, k, options_, stream.substream("split"));
    split_ = std::move(by_source.split);
    held_out = std::move(by_source.held_out);
  } else {
    split_ = stratified_split(all_labels, options_.validation, options_.test, stream.substream("split"));
    for (const Items* part : {&split_.validation, &split_.test})
      for (const std::int64_t i : *part) mark_sources(dataset, k, i, held_out);
  }

  Items supervised, positives;
  for (const std::int64_t i : split_.train) (all_labels[i] == 1 ? positives : supervised).push_back(i);
  RandomStream of_message = stream.substream("message");
  of_message.shuffle(positives);
  const auto count = static_cast<std::ptrdiff_t>(options_.message * static_cast<double>(positives.size()));
  message_.assign(positives.begin(), positives.begin() + count);
  supervised.insert(supervised.end(), positives.begin() + count, positives.end());
  std::sort(message_.begin(), message_.end());
  std::sort(supervised.begin(), supervised.end());
  split_.train = std::move(supervised);

  ComplexBuilder builder;
  builder.add_vertices(candidates_.count(0));
  for (int lower = 1; lower < k; ++lower)
    for (Index i = 0; i < candidates_.count(lower); ++i) builder.add(candidates_.vertices(lower, i));
  for (const std::int64_t i : message_) builder.add(candidates_.vertices(k, static_cast<Index>(i)));
  operators_ = ComplexOperators(builder.build(), options_.device);

  for (int lower = 0; lower < k; ++lower) {
    const bool has_values =
        lower < static_cast<int>(dataset.values.size()) && dataset.values[lower].defined();
    Tensor values = torch::ones({candidates_.count(lower)}, torch::kFloat64);
    if (options_.features != CandidateFeatures::constant) {
      GSAN_CHECK(has_values, "SimplexPrediction: features = ", name_of(options_.features),
                 " need values of order ", lower);
      values = dataset.values[lower].to(torch::kFloat64).clone();
    }
    if (options_.features == CandidateFeatures::counts_without_held_out) {
      GSAN_CHECK(dataset.source_values.defined(),
                 "SimplexPrediction: features = ", name_of(options_.features),
                 " need the values of the sources, but ", dataset.name, " has none");
      const auto* offsets = dataset.source_offsets[lower].const_data_ptr<std::int64_t>();
      const auto* sources = dataset.sources[lower].const_data_ptr<std::int32_t>();
      const auto* of_source = dataset.source_values.const_data_ptr<double>();
      double* value = values.mutable_data_ptr<double>();
      for (Index i = 0; i < candidates_.count(lower); ++i)
        for (std::int64_t e = offsets[i]; e < offsets[i + 1]; ++e)
          if (held_out[sources[e]]) value[i] -= of_source[sources[e]];
    }
    values_.push_back(values);
  }
}

Tensor SimplexPrediction::tuples(Phase phase, int order) const {
  const int k = options_.order;
  std::vector<std::int64_t> rows;
  std::int64_t width = 0;
  for (const std::int64_t i : items_of(split_, phase)) {
    const auto vertices = candidates_.vertices(k, static_cast<Index>(i));
    // Every choice of order + 1 of the k + 1 vertices, in lexicographic order.
    std::vector<bool> chosen(static_cast<std::size_t>(k) + 1);
    std::fill(chosen.begin(), chosen.begin() + order + 1, true);
    const std::size_t before = rows.size();
    do {
      std::vector<Vertex> face;
      for (int v = 0; v <= k; ++v)
        if (chosen[v]) face.push_back(vertices[v]);
      rows.push_back(*candidates_.find(face));
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    width = static_cast<std::int64_t>(rows.size() - before);
  }
  return item_tensor(rows).view({static_cast<std::int64_t>(items_of(split_, phase).size()), width});
}

ModelOptions SimplexPrediction::complete(ModelOptions options) const {
  const int k = options_.order;
  options.network.layer.order = k;
  options.network.in_channels.assign(k + 1, 0);
  for (int lower = 0; lower < k; ++lower)
    if (options.network.layer.is_active(lower)) options.network.in_channels[lower] = 1;
  options.readout = ReadoutKind::tuple;
  options.head.order = options_.tuple_order;
  options.head.out_channels = 1;
  int size = 1;  // C(k + 1, tuple_order + 1)
  for (int i = 0; i <= options_.tuple_order; ++i) size = size * (k + 1 - i) / (i + 1);
  options.tuple_size = size;
  return options;
}

Batch SimplexPrediction::batch(Phase phase, std::int64_t, std::int64_t) const {
  Batch batch{operators_, Cochains(static_cast<std::size_t>(options_.order) + 1)};
  for (int lower = 0; lower < options_.order; ++lower)
    batch.signals[lower] = values_[lower].unsqueeze(-1).to(options_.device, options_.type);
  batch.tuples = tuples(phase, options_.tuple_order).to(options_.device);
  batch.targets = labels(phase).to(options_.device, options_.type);
  return batch;
}

Tensor SimplexPrediction::labels(Phase phase) const {
  return positive_.index_select(0, item_tensor(items_of(split_, phase)));
}

Tensor SimplexPrediction::loss(const ModelOutput& output, const Batch& batch) const {
  return torch::binary_cross_entropy_with_logits(output.values.squeeze(-1), batch.targets);
}

std::unique_ptr<Meter> SimplexPrediction::meter(Phase) const { return std::make_unique<CandidateMeter>(); }

Tensor SimplexPrediction::smallest_face_value(Phase phase) const {
  const Tensor rows = tuples(phase, options_.tuple_order);
  return values_[options_.tuple_order].index_select(0, rows.flatten()).view(rows.sizes()).amin(-1);
}

Tensor SimplexPrediction::harmonic_mean_score(Phase phase) const {
  return harmonic_mean(values_[options_.tuple_order].unsqueeze(-1), tuples(phase, options_.tuple_order))
      .squeeze(-1);
}

Tensor SimplexPrediction::message_coface_count(Phase phase) const {
  const Tensor rows = tuples(phase, options_.order - 1);
  return operators_.coface_counts(options_.order - 1)
      .cpu()
      .index_select(0, rows.flatten())
      .view(rows.sizes())
      .sum(-1);
}

void CandidateMeter::add(const ModelOutput& output, const Batch& batch) {
  scores_.push_back(output.values.squeeze(-1).detach().to(torch::kCPU, torch::kFloat64));
  labels_.push_back(batch.targets.to(torch::kCPU, torch::kFloat64));
}

Metrics CandidateMeter::value() const {
  const Tensor scores = torch::cat(scores_), labels = torch::cat(labels_);
  return {{"auc", 100 * area_under_curve(scores, labels)},
          {"loss", torch::binary_cross_entropy_with_logits(scores, labels).item<double>()}};
}

}  // namespace gsan
