#include "gsan/nn/batch_norm.h"

#include <ostream>
#include <vector>

#include "gsan/core/check.h"

namespace gsan {

void RowStatistics::add(const Tensor& rows) {
  const Tensor x = rows.detach().to(torch::kFloat64);
  const Tensor mean = x.mean(0), squares = (x - mean).square().sum(0);
  if (count_ == 0) {
    count_ = x.size(0), mean_ = mean, squares_ = squares;
    return;
  }
  const auto before = static_cast<double>(count_), more = static_cast<double>(x.size(0));
  const Tensor apart = mean - mean_;
  mean_ = mean_ + apart * (more / (before + more));
  squares_ = squares_ + squares + apart.square() * (before * more / (before + more));
  count_ += x.size(0);
}

Tensor RowStatistics::variance() const {
  GSAN_CHECK(count_ >= 2, "RowStatistics: a variance needs at least 2 rows, got ", count_);
  return squares_ / static_cast<double>(count_ - 1);
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
  if (x.numel() == 0) return x;
  const Tensor rows = x.reshape({-1, x.size(-1)});
  if (measured_) measured_->add(rows);
  const bool from_batch = is_training() && !measured_ && rows.size(0) >= 2;
  return torch::batch_norm(rows, weight, bias, running_mean, running_var, from_batch, /*momentum=*/0.1,
                           /*eps=*/1e-5, /*cudnn_enabled=*/true)
      .view(x.sizes());
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

void measure_batch_norms(torch::nn::Module& module, const std::function<void()>& passes) {
  std::vector<BatchNormImpl*> norms;
  for (const auto& part : module.modules())
    if (auto* norm = part->as<BatchNormImpl>()) norms.push_back(norm);
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
      if (norm->measured_->count() < 2) continue;
      has_changed |= replace(norm->running_mean, norm->measured_->mean());
      has_changed |= replace(norm->running_var, norm->measured_->variance());
    }
  }
}

}  // namespace gsan
