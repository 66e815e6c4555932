#include "gsan/train/divided_step.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// The slot of a micro-batch that has no item says so by its first number.
constexpr double is_empty = -1, is_there = 1;
constexpr std::size_t request_at = 2 * sizeof(double), head_bytes = 3 * sizeof(double), alignment = 16;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

std::vector<int> micro_batches_of(int rank, int size, int count) {
  std::vector<int> own;
  for (int i = rank * count / size; i < (rank + 1) * count / size; ++i) own.push_back(i);
  return own;
}

DividedStep::DividedStep(Trainable& trainable, Optimizer& optimizer, Ranks* ranks, std::function<bool()> stop)
    : trainable_(trainable),
      optimizer_(optimizer),
      ranks_(ranks),
      count_(trainable.micro_batches()),
      stop_(std::move(stop)) {
  if (ranks_ != nullptr) rank_ = ranks_->rank(), size_ = ranks_->size();
  for (const Tensor& parameter : trainable.module().parameters()) {
    if (!parameter.requires_grad()) continue;
    parameters_.push_back(parameter);
    numbers_ += parameter.numel();
    GSAN_CHECK(parameter.scalar_type() == parameters_.front().scalar_type(),
               "DividedStep: parameters must be of one type, got ", parameters_.front().scalar_type(),
               " and ", parameter.scalar_type());
  }
  gradients_at_ = aligned(head_bytes + parameters_.size());
  slot_bytes_ = aligned(gradients_at_ + static_cast<std::size_t>(numbers_) * parameters_.at(0).itemsize());
  slots_ = static_cast<std::size_t>((count_ + size_ - 1) / size_);
  norms_ = std::make_unique<DividedNorms>(trainable.module(), parameters_, ranks);
}

StepNumbers DividedStep::run(std::int64_t epoch, std::int64_t step, double factor,
                             const RandomStream& dropout) {
  own_.assign(slots_ * slot_bytes_, std::byte{0});
  const std::vector<int> own = micro_batches_of(rank_, size_, count_);
  const auto loss = [&](int micro_batch) { return trainable_.micro_loss(epoch, step, micro_batch, dropout); };
  optimizer_.zero_grad();
  if (norms_->has_any()) {
    const std::vector<MicroGradients> found = norms_->run(own, count_, loss);
    for (std::size_t i = 0; i < own.size(); ++i) store(found[i], own_.data() + i * slot_bytes_);
  } else {
    for (std::size_t i = 0; i < own.size(); ++i) store(compute(loss, own[i]), own_.data() + i * slot_bytes_);
  }
  own_[request_at] = std::byte{stop_ && stop_()};
  std::vector<std::byte> all;
  if (size_ > 1) all = ranks_->all_gather(own_);
  const std::byte* const slots = size_ > 1 ? all.data() : own_.data();
  read_requests(slots);
  const double sum_of_losses = sum(slots);
  if (!std::isfinite(sum_of_losses)) return {sum_of_losses, 0};
  return {sum_of_losses, optimizer_.step(factor)};
}

MicroGradients DividedStep::compute(const std::function<Tensor(int)>& loss, int micro_batch) {
  MicroGradients found{loss(micro_batch), {}};
  if (!found.loss.defined()) return found;
  GSAN_CHECK(found.loss.numel() == 1,
             "Trainer: the loss of a micro-batch must be one number, got a tensor of shape ",
             found.loss.sizes());
  if (std::isfinite(found.loss.item<double>()) && found.loss.requires_grad()) found.loss.backward();
  for (const Tensor& parameter : parameters_)
    found.gradients.push_back(std::exchange(parameter.mutable_grad(), Tensor()));
  return found;
}

void DividedStep::store(const MicroGradients& found, std::byte* slot) {
  const double head[2] = {found.loss.defined() ? is_there : is_empty,
                          found.loss.defined() ? found.loss.item<double>() : 0};
  std::memcpy(slot, head, sizeof(head));
  if (!found.loss.defined()) return;
  std::vector<Tensor> flat;  // zeros where there is none
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const Tensor& gradient = found.gradients[p];
    slot[head_bytes + p] = std::byte{gradient.defined()};
    flat.push_back((gradient.defined() ? gradient : torch::zeros_like(parameters_[p])).reshape(-1));
  }
  const Tensor here = torch::cat(flat).cpu();  // by one copy from another device
  std::memcpy(slot + gradients_at_, here.const_data_ptr(), here.nbytes());
}

void DividedStep::read_requests(const std::byte* slots) {
  bool is_asked = false;
  for (int rank = 0; rank < size_; ++rank)
    is_asked |= slots[static_cast<std::size_t>(rank) * slots_ * slot_bytes_ + request_at] != std::byte{0};
  is_asked_ = is_asked;
}

// Gradients of the step into the parameters; its loss. A parameter that no micro-batch reached has none.
// Slots of ranks come in the order of the micro-batches, unused ones between them.
double DividedStep::sum(const std::byte* slots) {
  double loss = 0;
  Tensor sums;
  std::vector<bool> has_gradient(parameters_.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_) * slots_; ++i) {
    const std::byte* const slot = slots + i * slot_bytes_;
    double head[2];
    std::memcpy(head, slot, sizeof(head));
    if (head[0] != is_there) continue;
    loss += head[1];
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      if (slot[head_bytes + p] != std::byte{0}) has_gradient[p] = true;
    const Tensor gradients = torch::from_blob(const_cast<std::byte*>(slot + gradients_at_), {numbers_},
                                              torch::TensorOptions(parameters_.front().scalar_type()));
    if (sums.defined())
      sums.add_(gradients);
    else
      sums = gradients.clone();
  }
  if (!sums.defined()) return loss;
  sums = sums.to(parameters_.front().device());
  std::int64_t first = 0;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::int64_t count = parameters_[p].numel();
    parameters_[p].mutable_grad() =
        has_gradient[p] ? sums.narrow(0, first, count).view(parameters_[p].sizes()) : Tensor();
    first += count;
  }
  return loss;
}

}  // namespace gsan
