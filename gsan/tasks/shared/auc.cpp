#include "gsan/tasks/shared/auc.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gsan/core/check.h"

namespace gsan {

double area_under_curve(const torch::Tensor& scores, const torch::Tensor& labels) {
  GSAN_CHECK(scores.dim() == 1 && scores.sizes() == labels.sizes(),
             "area_under_curve: scores and labels must be lists of one length, got ", scores.sizes(), " and ",
             labels.sizes());
  const torch::Tensor of = scores.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  const torch::Tensor is = labels.to(torch::kCPU, torch::kFloat64).contiguous();
  const double* score = of.const_data_ptr<double>();
  const double* label = is.const_data_ptr<double>();
  std::vector<std::int64_t> order(static_cast<std::size_t>(of.numel()));
  std::iota(order.begin(), order.end(), 0);
  GSAN_CHECK(of.isfinite().all().item<bool>(), "area_under_curve: every score must be finite");
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return score[a] < score[b]; });
  // Sum of the ranks of the positives, equal scores sharing their mean rank (Mann and Whitney).
  double positives = 0, ranks = 0;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && score[order[last]] == score[order[first]]) ++last;
    const double mean_rank = (static_cast<double>(first + last) + 1) / 2;
    for (std::size_t i = first; i < last; ++i) {
      if (label[order[i]] != 1) continue;
      ++positives;
      ranks += mean_rank;
    }
    first = last;
  }
  const double negatives = static_cast<double>(order.size()) - positives;
  GSAN_CHECK(positives > 0 && negatives > 0, "area_under_curve: both classes must occur, got ", positives,
             " positives and ", negatives, " negatives");
  return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

}  // namespace gsan
