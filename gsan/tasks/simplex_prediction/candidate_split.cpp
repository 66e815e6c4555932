#include "gsan/tasks/simplex_prediction/candidate_split.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {
namespace {

constexpr std::uint64_t max_draws = 200;  // of the sources, until every part has both classes

// The sources of simplex i of order k; none where nothing is known of them.
std::span<const std::int32_t> sources_of(const CandidateDataset& dataset, int k, std::int64_t i) {
  if (k >= static_cast<int>(dataset.sources.size()) || !dataset.sources[k].defined()) return {};
  const auto* offsets = dataset.source_offsets[k].const_data_ptr<std::int64_t>();
  const auto* sources = dataset.sources[k].const_data_ptr<std::int32_t>();
  return {sources + offsets[i], sources + offsets[i + 1]};
}

// Sources in random order go to test, then to validation, until their candidates are as many as asked for.
void split_by_source(const CandidateDataset& dataset, const Items& candidates, double validation, double test,
                     RandomStream stream, CandidateParts& parts) {
  const int k = dataset.order;
  GSAN_CHECK(
      k < static_cast<int>(dataset.sources.size()) && dataset.sources[k].defined(),
      "simplex-prediction: split = by-group needs the sources of the simplices, but nothing is known of "
      "those of order ",
      k, " in ", dataset.name, "; set simplex-prediction.split=random");
  std::vector<int> part(static_cast<std::size_t>(dataset.complex.count(k)),
                        0);  // 0 train, 1 validation, 2 test
  const std::vector<int> order = stream.permutation(dataset.source_count);
  std::size_t next = 0;
  for (const auto& [which, share] : {std::pair{2, test}, std::pair{1, validation}}) {
    std::int64_t taken = 0;
    while (next < order.size() &&
           static_cast<double>(taken) < share * static_cast<double>(candidates.size())) {
      const std::int32_t source = order[next++];
      parts.held_out[source] = true;
      for (const std::int64_t i : candidates) {
        const auto of = sources_of(dataset, k, i);
        if (part[i] != 0 || std::find(of.begin(), of.end(), source) == of.end()) continue;
        part[i] = which;
        ++taken;
      }
    }
  }
  for (const std::int64_t i : candidates)
    (part[i] == 0   ? parts.split.train
     : part[i] == 1 ? parts.split.validation
                    : parts.split.test)
        .push_back(i);
}

// Every part that has any candidates has some of both classes.
bool have_both_classes(const Split& split, const std::int64_t* label) {
  for (const Items* part : {&split.train, &split.validation, &split.test}) {
    const auto positives = std::count_if(part->begin(), part->end(), [&](auto i) { return label[i] == 1; });
    if (!part->empty() && (positives == 0 || positives == std::ssize(*part))) return false;
  }
  return true;
}

CandidateParts undivided(const CandidateDataset& dataset) {
  return {.split = {}, .message = {}, .held_out = std::vector<bool>(dataset.source_count)};
}

void hold_out_sources(const CandidateDataset& dataset, CandidateParts& parts) {
  for (const Items* part : {&parts.split.validation, &parts.split.test})
    for (const std::int64_t i : *part)
      for (const std::int32_t source : sources_of(dataset, dataset.order, i)) parts.held_out[source] = true;
}

// Moves a share of the positives to train on into the complex.
void take_message(const CandidateDataset& dataset, double message, const RandomStream& stream,
                  CandidateParts& parts) {
  GSAN_CHECK(message >= 0 && message <= 1, "simplex-prediction.message must lie in 0 ... 1, got ", message);
  const Tensor of_all = dataset.labels.to(torch::kCPU, torch::kInt64).contiguous();
  const auto* label = of_all.const_data_ptr<std::int64_t>();
  Items positives, others;
  for (const std::int64_t i : parts.split.train) (label[i] == 1 ? positives : others).push_back(i);
  RandomStream of_message = stream.substream("message");
  of_message.shuffle(positives);
  const auto count = static_cast<std::ptrdiff_t>(message * static_cast<double>(positives.size()));
  parts.message.assign(positives.begin(), positives.begin() + count);
  std::sort(parts.message.begin(), parts.message.end());
  others.insert(others.end(), positives.begin() + count, positives.end());
  std::sort(others.begin(), others.end());
  parts.split.train = std::move(others);
}

}  // namespace

CandidateDataset candidates_of(const ValueDataset& dataset, int order, double threshold) {
  GSAN_CHECK(order >= 1 && order <= dataset.complex.order() &&
                 order < static_cast<int>(dataset.values.size()) && dataset.values[order].defined(),
             "simplex-prediction: ", dataset.name, " has no values of order ", order,
             "; set simplex-prediction.order");
  CandidateDataset result;
  result.name = dataset.name;
  result.order = order;
  result.complex = skeleton(dataset.complex, order).complex;
  const Tensor& values = dataset.values[order];
  result.is_candidate.assign(static_cast<std::size_t>(values.size(0)), true);
  result.labels = torch::where(values.isnan(), torch::full_like(values, unknown_label), values.gt(threshold))
                      .to(torch::kInt64);
  for (int k = 0; k < order; ++k)
    result.features.push_back(
        dataset.values[k].defined() ? dataset.values[k].to(torch::kFloat64).unsqueeze(-1) : Tensor());
  for (int k = 0; k <= order && k < static_cast<int>(dataset.sources.size()); ++k) {
    result.source_offsets.push_back(dataset.source_offsets[k]);
    result.sources.push_back(dataset.sources[k]);
  }
  result.source_count = dataset.source_count;
  result.source_values = dataset.source_values;
  result.is_made_of_values = true;
  if (static_cast<std::size_t>(order) < dataset.marks.size()) result.marks = dataset.marks[order];
  result.remarks = dataset.remarks;
  return result;
}

CandidateParts divide_candidates(const CandidateDataset& dataset, CandidateSplit how, double validation,
                                 double test, double message, const RandomStream& stream) {
  GSAN_CHECK(
      validation >= 0 && test >= 0 && validation + test < 1,
      "simplex-prediction: validation and test must not be negative and leave something to train on, got ",
      validation, " and ", test);
  const Tensor of_all = dataset.labels.to(torch::kCPU, torch::kInt64).contiguous();
  const auto* label = of_all.const_data_ptr<std::int64_t>();
  Items candidates;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < of_all.numel(); ++i) {
    if (!dataset.is_candidate[i] || label[i] == unknown_label) continue;
    candidates.push_back(i);
    labels.push_back(label[i]);
  }
  const RandomStream of_split = stream.substream("split");
  const CandidateParts none = undivided(dataset);
  CandidateParts parts = none;
  if (how == CandidateSplit::by_source) {
    split_by_source(dataset, candidates, validation, test, of_split, parts);
    for (std::uint64_t draw = 1; draw < max_draws && !have_both_classes(parts.split, label); ++draw) {
      parts = none;
      split_by_source(dataset, candidates, validation, test, of_split.substream(draw), parts);
    }
  } else {
    parts.split = at_items(stratified_split(labels, validation, test, of_split), candidates);
    hold_out_sources(dataset, parts);
  }
  take_message(dataset, message, stream, parts);
  return parts;
}

CandidateParts divide_candidates(const CandidateDataset& dataset, Split split, double message,
                                 const RandomStream& stream) {
  CandidateParts parts = undivided(dataset);
  parts.split = std::move(split);
  hold_out_sources(dataset, parts);
  take_message(dataset, message, stream, parts);
  return parts;
}

CandidateParts judged_candidates(const CandidateDataset& dataset, bool uses_positives) {
  CandidateParts parts;
  parts.held_out.resize(static_cast<std::size_t>(dataset.source_count));
  const Tensor labels = dataset.labels.to(torch::kCPU, torch::kInt64).contiguous();
  for (std::int64_t i = 0; i < labels.numel(); ++i) {
    const std::int64_t label = labels.const_data_ptr<std::int64_t>()[i];
    if (!dataset.is_candidate[static_cast<std::size_t>(i)] || label == unknown_label) continue;
    (label == 1 && uses_positives ? parts.message : parts.split.test).push_back(i);
  }
  return parts;
}

}  // namespace gsan
