#include "gsan/train/task_training.h"

#include <algorithm>
#include <utility>

#include "gsan/models/padding.h"
#include "gsan/nn/batch_norm.h"
#include "gsan/ops/device.h"
#include "gsan/ops/step_graph.h"
#include "gsan/train/divided_evaluation.h"

namespace gsan {
namespace {

// Whether a pass in training is one in eval mode: nothing is dropped, nothing depends on the rest of a batch.
bool is_same_in_training(const ModelImpl& model) {
  return !model.backbone().drops() && batch_norms_of(model).empty();
}

bool is_equal(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  return !a.defined() || a.is_same(b) || (a.scalar_type() == b.scalar_type() && a.equal(b));
}

// Whether a model sees no difference between them.
bool has_same_inputs(const Batch& a, const Batch& b) {
  return &a.operators.complex() == &b.operators.complex() &&  // copies of operators share it
         std::equal(a.signals.begin(), a.signals.end(), b.signals.begin(), b.signals.end(), is_equal) &&
         is_equal(a.tuples, b.tuples) && is_equal(a.signal_keys, b.signal_keys);
}

class TaskStep final : public PackedStep {
 public:
  using Loss = std::function<Tensor(const Batch&, const RandomStream&)>;
  TaskStep(std::shared_ptr<const PackedBatch> batch, Loss loss)
      : batch_(std::move(batch)), loss_(std::move(loss)) {}
  const Tensor& bytes() const override { return batch_->bytes(); }
  const std::string& shape() const override { return batch_->shape(); }
  Tensor loss(const Tensor& buffer, const RandomStream& dropout) override {
    const Batch batch = batch_->on(buffer);
    const Tensor loss = loss_(batch, dropout);
    is_complete_ = !batch.operators.copies_late();
    return loss;
  }
  bool is_complete() const override { return is_complete_; }

 private:
  std::shared_ptr<const PackedBatch> batch_;
  Loss loss_;
  bool is_complete_ = false;
};

// An optimizer, or a load of weights, changes parameters in place: each change counts one up.
std::vector<std::uint32_t> versions_of(const ModelImpl& model) {
  std::vector<std::uint32_t> versions;
  for (const Tensor& parameter : model.parameters()) versions.push_back(parameter._version());
  return versions;
}

}  // namespace

std::string why_not_divided(const Task& task) {
  if (task.divisible_items(0) > 0) return "";
  return concat(task.name(), " is on one complex, and what a step asks shares one pass over it");
}

int passes_of_epoch(const Task& task, int least_steps) {
  const std::int64_t steps = std::max<std::int64_t>(1, task.batch_count(Phase::train, 0));
  return static_cast<int>(std::max<std::int64_t>(1, (least_steps + steps - 1) / steps));
}

TaskTraining::TaskTraining(const Task& task, Model& model, const TaskTrainingOptions& options)
    : task_(task),
      model_(model),
      options_(options),
      may_share_(options.share_passes && can_validate() && is_same_in_training(*model) &&
                 task.batch_count(Phase::train, 0) == 1 && task.batch_count(Phase::validation, 0) == 1) {
  const std::vector<Tensor> parameters = model->parameters();
  if (!parameters.empty()) device_ = parameters.front().device();
  if (options.micro_batches > 1 && why_not_divided(task).empty()) {
    micro_batches_.emplace(task, options.micro_batches, options.ranks);
    if (options.prefetch && task.has_costly_batches())
      ahead_ = std::make_unique<BatchPrefetcher>(micro_batches_->sequence());
    return;
  }
  packs_ = options.pack.value_or(!ops::computes_on_host(device_)) && task.batch_sizes() != nullptr;
  pads_ = packs_ && options.pad.value_or(ops::allows_padding(device_)) && why_not_padded(*model).empty();
  if (!options.prefetch || !task.has_costly_batches()) return;
  if (packs_)
    ahead_ =
        std::make_unique<BatchPrefetcher>(task, [this](Batch batch) { return packed(std::move(batch)); });
  else
    ahead_ = std::make_unique<BatchPrefetcher>(task);
}

TaskTraining::Place TaskTraining::place_of(std::int64_t epoch, std::int64_t step) const {
  const std::int64_t steps = steps_per_pass();
  return {epoch * options_.passes + step / steps, step % steps};
}

Batch TaskTraining::batch(std::int64_t epoch, std::int64_t step) {
  const Place place = place_of(epoch, step);
  return ahead_ ? ahead_->get(place.epoch, place.step) : task_.batch(Phase::train, place.epoch, place.step);
}

std::shared_ptr<const PackedBatch> TaskTraining::packed(Batch batch) const {
  // One complex is scaled by one number, which the rows of a padding would share.
  if (pads_ && batch.operators.part_count() > 1) {
    const PaddedSizes sizes = task_.batch_sizes()->sizes_of(batch.operators);
    if (BatchSizes::pays(sizes, batch.operators.complex())) batch = padded(batch, sizes);
  }
  return std::make_shared<PackedBatch>(std::move(batch), device_, PackedStep::key_bytes);
}

std::unique_ptr<PackedStep> TaskTraining::packed_step(std::int64_t epoch, std::int64_t step) {
  if (!packs_) return nullptr;
  const Place place = place_of(epoch, step);
  return std::make_unique<TaskStep>(ahead_ ? ahead_->get_packed(place.epoch, place.step)
                                           : packed(*task_.host_batch(Phase::train, place.epoch, place.step)),
                                    [this](const Batch& now, const RandomStream& dropout) {
                                      const Tensor loss = task_.loss(forward(now, dropout), now);
                                      derive_ahead(now);
                                      return loss;
                                    });
}

// Batches differ in the orders that they have: what any of them asked for is made for all.
void TaskTraining::derive_ahead(const Batch& batch) {
  if (!ahead_) return;
  const std::vector<DerivedKey> keys = batch.operators.derived_keys();
  derived_.insert(keys.begin(), keys.end());
  ahead_->derive({derived_.begin(), derived_.end()});
}

std::string TaskTraining::why_not_captured() const {
  if (options_.recompute) return "layers compute again in the backward pass (train.recompute)";
  for (const SimplicialLayerOptions& layer : model_->backbone().simplicial_layers())
    if (layer.harmonic == HarmonicKind::projector && !layer.harmonic_epsilon.empty())
      return "model.harmonic_epsilon is compared with every batch";
  return pads_ ? "" : why_not_padded(*model_);
}

ModelOutput TaskTraining::forward(const Batch& batch, const std::optional<RandomStream>& dropout) {
  ForwardContext context;
  context.dropout = dropout;
  context.signal_keys = batch.signal_keys;
  context.recompute = options_.recompute;
  return model_->forward(batch.operators, batch.signals, context, batch.tuples);
}

Tensor TaskTraining::step_loss(std::int64_t epoch, std::int64_t step, const RandomStream& dropout) {
  const Batch now = batch(epoch, step);
  std::optional<Pass> kept = std::exchange(kept_, std::nullopt);
  const bool is_shared = kept && kept->versions == versions_of(*model_) && has_same_inputs(kept->batch, now);
  if (!is_shared) kept.reset();  // its graph goes before another one is made
  const ModelOutput output = is_shared ? std::move(kept->output) : forward(now, dropout);
  shared_passes_ += static_cast<std::int64_t>(is_shared);
  if (may_share_) trained_ = now;
  derive_ahead(now);
  return task_.loss(output, now);
}

Tensor TaskTraining::micro_loss(std::int64_t epoch, std::int64_t step, int micro_batch,
                                const RandomStream& dropout) {
  const Place place = place_of(epoch, step);
  const double share = micro_batches_->share(place.step, micro_batch);
  if (share == 0) return {};
  const std::int64_t number = micro_batches_->number(place.step, micro_batch);
  const Batch now = ahead_ ? ahead_->get(place.epoch, number) : micro_batches_->make(place.epoch, number);
  const Tensor loss = task_.loss(forward(now, dropout), now);
  derive_ahead(now);
  return loss * share;
}

void TaskTraining::prepare_evaluation() {
  if (!options_.measure_batch_norms) return;
  if (micro_batches_ && options_.ranks != nullptr && options_.ranks->size() > 1)
    measure_batch_norms(task_, model_, *options_.ranks);
  else
    measure_batch_norms(task_, model_);
}

Metrics TaskTraining::validate() {
  if (!can_validate()) return {};
  kept_.reset();
  if (options_.ranks != nullptr && options_.ranks->size() > 1) {
    if (micro_batches_) return evaluate(task_, model_, Phase::validation, *options_.ranks);
    // Every rank has the same model, but perhaps another processor: rank 0 decides for all.
    const bool is_first = options_.ranks->is_first();
    return broadcast(is_first ? evaluate(task_, model_, Phase::validation) : Metrics(), *options_.ranks);
  }
  if (!may_share_ || !trained_) return evaluate(task_, model_, Phase::validation);
  const Batch batch = task_.batch(Phase::validation, 0, 0);
  if (!has_same_inputs(*trained_, batch)) {
    may_share_ = false;  // another part of the data
    trained_.reset();
    return evaluate(task_, model_, Phase::validation);
  }
  {
    const torch::AutoGradMode for_the_next_step(true);
    kept_ = {batch, forward(batch, std::nullopt), versions_of(*model_)};
  }
  const auto meter = task_.meter(Phase::validation);
  meter->add(kept_->output, batch);
  return meter->value();
}

std::string TaskTraining::choosing_metric() const {
  return can_validate() ? task_.choosing_metric() : std::string();
}

bool TaskTraining::can_validate() const { return task_.has_items(Phase::validation); }

}  // namespace gsan
