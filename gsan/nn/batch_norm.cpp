#include "gsan/nn/batch_norm.h"

#include <ostream>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/ops/column_sums.h"
#include "gsan/ops/row_norm.h"

namespace gsan {

RowStatistics::RowStatistics(const Tensor& rows) : count_(rows.size(0)) {
  if (count_ == 0) return;
  const Tensor x = rows.detach().to(torch::kFloat64);
  mean_ = ops::column_sums(x) / static_cast<double>(count_);
  squares_ = ops::column_sums((x - mean_).square());
}

void RowStatistics::add(const RowStatistics& more) {
  if (more.count_ == 0) return;
  if (count_ == 0) {
    *this = more;
    return;
  }
  const auto before = static_cast<double>(count_), added = static_cast<double>(more.count_);
  const Tensor apart = more.mean_ - mean_;
  mean_ = mean_ + apart * (added / (before + added));
  squares_ = squares_ + more.squares_ + apart.square() * (before * added / (before + added));
  count_ += more.count_;
}

Tensor RowStatistics::variance() const {
  GSAN_CHECK(count_ >= 2, "RowStatistics: a variance needs at least 2 rows, got ", count_);
  return squares_ / static_cast<double>(count_ - 1);
}

Tensor RowStatistics::packed(std::int64_t channels) const {
  const Tensor count = torch::full({1}, static_cast<double>(count_), torch::kFloat64);
  if (count_ == 0) return torch::cat({count, torch::zeros({2 * channels}, torch::kFloat64)});
  return torch::cat({count, mean_.cpu(), squares_.cpu()});
}

RowStatistics RowStatistics::unpacked(const Tensor& numbers) {
  const std::int64_t channels = (numbers.size(0) - 1) / 2;
  RowStatistics found;
  found.count_ = static_cast<std::int64_t>(numbers[0].item<double>());
  found.mean_ = numbers.narrow(0, 1, channels);
  found.squares_ = numbers.narrow(0, 1 + channels, channels);
  return found;
}

BatchNormImpl::BatchNormImpl(int channels) : torch::nn::Module("gsan::BatchNorm") {
  GSAN_CHECK(channels >= 1, "BatchNorm: channels must be at least 1, got ", channels);
  weight = register_parameter("weight", torch::empty({channels}));
  bias = register_parameter("bias", torch::empty({channels}));
  running_mean = register_buffer("running_mean", torch::empty({channels}));
  running_var = register_buffer("running_var", torch::empty({channels}));
  reset_parameters();
}

Tensor BatchNormImpl::forward(const Tensor& x) {
  GSAN_CHECK(x.dim() >= 2 && x.size(-1) == weight.size(0), "BatchNorm: x must be [..., N, ", weight.size(0),
             "], got ", x.sizes());
  const Tensor rows = x.reshape({-1, x.size(-1)});
  if (measured_) measured_->emplace_back(rows);
  if (divided_ != nullptr && is_training() && !measured_)
    return divided_->normalised(*this, rows).view(x.sizes());
  if (x.numel() == 0) return x;
  const bool from_batch = is_training() && !measured_ && rows.size(0) >= 2;
  const Tensor y = from_batch
                       ? ops::row_norm(rows, weight, bias, running_mean, running_var, momentum, epsilon)
                       : torch::batch_norm(rows, weight, bias, running_mean, running_var, /*training=*/false,
                                           momentum, epsilon, /*cudnn_enabled=*/true);
  return y.view(x.sizes());
}

void BatchNormImpl::update_running(const RowStatistics& batch) {
  const torch::NoGradGuard no_grad;
  const auto move = [](const Tensor& kept, const Tensor& now) {
    kept.copy_(kept.to(torch::kFloat64) * (1 - momentum) + now.to(kept.device()) * momentum);
  };
  move(running_mean, batch.mean());
  move(running_var, batch.variance());
}

void BatchNormImpl::reset_parameters() {
  const torch::NoGradGuard no_grad;
  weight.fill_(1);
  bias.zero_();
  running_mean.zero_();
  running_var.fill_(1);
}

void BatchNormImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::BatchNorm(" << weight.size(0) << ")";
}

std::vector<BatchNormImpl*> batch_norms_of(const torch::nn::Module& module) {
  std::vector<BatchNormImpl*> norms;
  for (const auto& part : module.modules())
    if (auto* norm = part->as<BatchNormImpl>()) norms.push_back(norm);
  return norms;
}

void measure_batch_norms(torch::nn::Module& module, const std::function<void()>& passes,
                         const ShareStatistics& share) {
  const std::vector<BatchNormImpl*> norms = batch_norms_of(module);
  if (norms.empty()) return;

  const torch::NoGradGuard no_grad;
  struct Measuring {  // ends with the scope, also by an error in a pass
    explicit Measuring(const std::vector<BatchNormImpl*>& all) : norms(all) {
      for (BatchNormImpl* norm : norms) norm->measured_.emplace();
    }
    ~Measuring() {
      for (BatchNormImpl* norm : norms) norm->measured_.reset();
    }
    const std::vector<BatchNormImpl*>& norms;
  };
  const auto replace = [](const Tensor& kept, const Tensor& found) {
    const Tensor now = found.to(kept.options());
    const bool is_new = !kept.equal(now);
    kept.detach().copy_(now);
    return is_new;
  };
  // What a norm sees is right once the norms before it are: one sweep for each in a row, no more than there
  // are.
  bool has_changed = true;
  for (std::size_t sweep = 0; sweep < norms.size() && has_changed; ++sweep) {
    const Measuring measuring(norms);
    passes();
    has_changed = false;
    for (BatchNormImpl* norm : norms) {
      std::vector<RowStatistics> calls = std::move(*norm->measured_);
      if (share) calls = share(std::move(calls), static_cast<int>(norm->weight.size(0)));
      RowStatistics all;
      for (const RowStatistics& call : calls) all.add(call);
      if (all.count() < 2) continue;
      has_changed |= replace(norm->running_mean, all.mean());
      has_changed |= replace(norm->running_var, all.variance());
    }
  }
}

}  // namespace gsan
