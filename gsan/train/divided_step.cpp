#include "gsan/train/divided_step.h"

#include <cmath>
#include <cstring>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// The slot of a micro-batch that has no item says so by its first number.
constexpr double is_empty = -1, is_there = 1;
constexpr std::size_t head_bytes = 2 * sizeof(double), alignment = 16;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

std::vector<int> micro_batches_of(int rank, int size, int count) {
  std::vector<int> own;
  for (int i = rank; i < count; i += size) own.push_back(i);
  return own;
}

DividedStep::DividedStep(Trainable& trainable, Optimizer& optimizer, Ranks* ranks)
    : trainable_(trainable), optimizer_(optimizer), ranks_(ranks), count_(trainable.micro_batches()) {
  if (ranks_ != nullptr) rank_ = ranks_->rank(), size_ = ranks_->size();
  for (const Tensor& parameter : trainable.module().parameters())
    if (parameter.requires_grad()) parameters_.push_back(parameter);
  slot_bytes_ = aligned(head_bytes + parameters_.size());
  for (const Tensor& parameter : parameters_) {
    places_.push_back(slot_bytes_);
    slot_bytes_ += aligned(parameter.nbytes());
  }
  slots_ = static_cast<std::size_t>((count_ + size_ - 1) / size_);
}

StepNumbers DividedStep::run(std::int64_t epoch, std::int64_t step, double factor,
                             const RandomStream& dropout) {
  own_.assign(slots_ * slot_bytes_, std::byte{0});
  std::byte* slot = own_.data();
  for (const int i : micro_batches_of(rank_, size_, count_)) {
    compute(epoch, step, i, dropout, slot);
    slot += slot_bytes_;
  }
  double loss = 0;
  if (size_ == 1) {
    loss = sum(own_.data());
  } else {
    const std::vector<std::byte> all = ranks_->all_gather(own_);
    loss = sum(all.data());
  }
  if (!std::isfinite(loss)) return {loss, 0};
  return {loss, optimizer_.step(factor)};
}

void DividedStep::compute(std::int64_t epoch, std::int64_t step, int micro_batch, const RandomStream& dropout,
                          std::byte* slot) {
  optimizer_.zero_grad();
  const Tensor loss = trainable_.micro_loss(epoch, step, micro_batch, dropout);
  double head[2] = {loss.defined() ? is_there : is_empty, 0};
  if (loss.defined()) {
    GSAN_CHECK(loss.numel() == 1,
               "Trainer: the loss of a micro-batch must be one number, got a tensor of shape ", loss.sizes());
    head[1] = loss.item<double>();
    if (std::isfinite(head[1]) && loss.requires_grad()) loss.backward();
  }
  std::memcpy(slot, head, head_bytes);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const Tensor& gradient = parameters_[p].grad();
    if (!gradient.defined()) continue;
    slot[head_bytes + p] = std::byte{1};
    const Tensor here = gradient.cpu().contiguous();
    std::memcpy(slot + places_[p], here.const_data_ptr(), here.nbytes());
  }
}

// Gradients of the step into the parameters; its loss. A parameter that no micro-batch reached has none.
double DividedStep::sum(const std::byte* slots) {
  double loss = 0;
  std::vector<Tensor> sums(parameters_.size());
  for (int i = 0; i < count_; ++i) {
    const std::byte* slot = slots + (static_cast<std::size_t>(i % size_) * slots_ + i / size_) * slot_bytes_;
    double head[2];
    std::memcpy(head, slot, head_bytes);
    if (head[0] == is_empty) continue;
    loss += head[1];
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      if (slot[head_bytes + p] == std::byte{0}) continue;
      const Tensor gradient =
          torch::from_blob(const_cast<std::byte*>(slot + places_[p]), parameters_[p].sizes(),
                           torch::TensorOptions(parameters_[p].scalar_type()));
      if (sums[p].defined())
        sums[p].add_(gradient);
      else
        sums[p] = gradient.clone();
    }
  }
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    parameters_[p].mutable_grad() = sums[p].defined() ? sums[p].to(parameters_[p].device()) : Tensor();
  return loss;
}

}  // namespace gsan
