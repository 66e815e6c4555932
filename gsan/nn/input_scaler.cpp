#include "gsan/nn/input_scaler.h"

#include "gsan/core/check.h"
#include "gsan/ops/column_sums.h"

namespace gsan {
namespace {

// Σ over everything but the features, [F] float64.
Tensor sum_rows(const Tensor& x) { return ops::column_sums(x.dim() < 2 ? x.unsqueeze(0) : x); }

}  // namespace

InputScalerImpl::InputScalerImpl(const std::vector<int>& channels, bool subtracts_mean)
    : torch::nn::Module("InputScaler"), subtracts_mean_(subtracts_mean) {
  mean_.resize(channels.size()), scale_.resize(channels.size());
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k] == 0) continue;
    if (subtracts_mean_) mean_[k] = register_buffer(concat("mean_", k), torch::zeros({channels[k]}));
    scale_[k] = register_buffer(concat("scale_", k), torch::ones({channels[k]}));
  }
}

Cochains InputScalerImpl::forward(const Cochains& signals) const {
  Cochains scaled = signals;
  for (std::size_t k = 0; k < scaled.size() && k < scale_.size(); ++k) {
    if (!scaled[k].defined() || !scale_[k].defined()) continue;
    const Tensor x = subtracts_mean_ ? scaled[k] - mean_[k] : scaled[k];
    scaled[k] = x / scale_[k];
  }
  return scaled;
}

void InputScalerImpl::fit(const std::function<void(const std::function<void(const Cochains&)>&)>& visit) {
  const torch::NoGradGuard no_grad;
  const std::size_t orders = scale_.size();
  std::vector<Tensor> sum(orders), squares(orders);
  std::vector<double> rows(orders, 0);
  const auto checked = [&](std::size_t k, const Tensor& x) -> const Tensor& {
    GSAN_CHECK(x.size(-1) == scale_[k].size(0), "standardize: the signals of order ", k, " must have ",
               scale_[k].size(0), " features, got shape ", x.sizes());
    return x;
  };
  // Calls add(k, x in float64) for every signal that is scaled.
  const auto each = [&](const auto& add) {
    visit([&](const Cochains& signals) {
      for (std::size_t k = 0; k < signals.size() && k < orders; ++k)
        if (signals[k].defined() && scale_[k].defined() && signals[k].numel() > 0)
          add(k, checked(k, signals[k]).to(torch::kFloat64));
    });
  };
  each([&](std::size_t k, const Tensor& x) {
    const Tensor more = sum_rows(x);
    if (!more.isfinite().all().item<bool>())
      fail(Fault::numeric, "standardize: the inputs of order ", k, " of the training set are not finite");
    sum[k] = sum[k].defined() ? sum[k] + more : more;
    rows[k] += static_cast<double>(x.numel() / x.size(-1));
  });
  std::vector<Tensor> mean(orders);
  for (std::size_t k = 0; k < orders; ++k)
    if (sum[k].defined()) mean[k] = subtracts_mean_ ? sum[k] / rows[k] : torch::zeros_like(sum[k]);
  each([&](std::size_t k, const Tensor& x) {
    const Tensor more = sum_rows((x - mean[k]).square());
    squares[k] = squares[k].defined() ? squares[k] + more : more;
  });
  for (std::size_t k = 0; k < orders; ++k) {
    if (!sum[k].defined()) continue;
    const Tensor spread = (squares[k] / rows[k]).sqrt();
    const Tensor smallest = 1e-12 * mean[k].abs().clamp_min(1e-30);  // rounding of a constant
    const Tensor varies = spread > smallest;
    scale_[k].copy_(torch::where(varies, spread, torch::ones_like(spread)));
    if (subtracts_mean_) mean_[k].copy_(torch::where(varies, mean[k], torch::zeros_like(mean[k])));
  }
}

}  // namespace gsan
