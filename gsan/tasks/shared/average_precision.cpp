#include "gsan/tasks/shared/average_precision.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gsan/core/check.h"

namespace gsan {

double average_precision(const torch::Tensor& scores, const torch::Tensor& labels) {
  GSAN_CHECK(scores.dim() == 1 && scores.sizes() == labels.sizes(),
             "average_precision: scores and labels must be lists of one length, got ", scores.sizes(),
             " and ", labels.sizes());
  const torch::Tensor of = scores.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  const torch::Tensor is = labels.to(torch::kCPU, torch::kFloat64).contiguous();
  GSAN_CHECK(of.isfinite().all().item<bool>(), "average_precision: every score must be finite");
  const double* score = of.const_data_ptr<double>();
  const double* label = is.const_data_ptr<double>();
  std::vector<std::int64_t> order(static_cast<std::size_t>(of.numel()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return score[a] > score[b]; });
  double positives = 0, sum = 0;  // sum: Σ (positives that t adds) P_t
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    double added = 0;
    for (; last < order.size() && score[order[last]] == score[order[first]]; ++last)
      added += label[order[last]] == 1 ? 1 : 0;
    positives += added;
    sum += added * positives / static_cast<double>(last);
    first = last;
  }
  GSAN_CHECK(positives > 0, "average_precision: at least one label must be 1");
  return sum / positives;
}

}  // namespace gsan
