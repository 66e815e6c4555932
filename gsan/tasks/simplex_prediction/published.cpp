// What stands behind the printed numbers: docs/tasks.md.

#include <algorithm>

#include "gsan/tasks/simplex_prediction/task.h"

namespace gsan {
namespace {

CandidateParts divide(const CandidateDataset& dataset, const RandomStream& stream,
                      const SimplexPredictionOptions& options, const std::optional<Split>& own) {
  constexpr double message = 1;
  CandidateParts parts = own ? divide_candidates(dataset, *own, message, stream)
                             : divide_candidates(dataset, CandidateSplit::random, options.validation,
                                                 options.test, message, stream);
  Items& train = parts.split.train;  // the loss is on the positives of the complex, too
  train.insert(train.end(), parts.message.begin(), parts.message.end());
  std::sort(train.begin(), train.end());
  if (options.leak == CandidateLeak::none) return parts;
  const Tensor labels = dataset.labels.to(torch::kCPU, torch::kInt64).contiguous();
  const auto* label = labels.const_data_ptr<std::int64_t>();
  parts.message.clear();
  for (const std::int64_t i : parts.split.test)
    if (label[i] == 1) parts.message.push_back(i);
  return parts;
}

}  // namespace

PublishedSimplexPrediction::PublishedSimplexPrediction(CandidateDataset dataset, const RandomStream& stream,
                                                       const SimplexPredictionOptions& options,
                                                       const Placement& placement,
                                                       const std::optional<Split>& own)
    : SimplexPrediction(dataset, divide(dataset, stream, options, own), options, placement) {}

std::vector<std::string> PublishedSimplexPrediction::remarks() const {
  const bool leaks = options().leak == CandidateLeak::test_positives;
  std::vector<std::string> all{
      leaks
          ? "The complex of all phases holds exactly the positive candidates of the test part "
            "(simplex-prediction.leak): the answers are in the input, and an untrained count of cofaces "
            "finds them."
          : "The complex of all phases holds the positive training candidates, so the loss is on candidates "
            "whose answer is in the input; a number below the count rule has learned nothing."};
  all.insert(all.end(), dataset().remarks.begin(), dataset().remarks.end());
  if (!leaks && !dataset().remarks.empty() && dataset().order == 2)
    all.emplace_back(
        "The complex behind the printed GSAN rows of 2-simplices held exactly the positive test triangles, "
        "so that an untrained count of triangles on the edges gives the answer. This run does not repeat "
        "that (simplex-prediction.leak=test-positives does): its complex holds the training positives.");
  return all;
}

}  // namespace gsan
