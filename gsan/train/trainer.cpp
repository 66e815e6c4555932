#include "gsan/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <ATen/CPUGeneratorImpl.h>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"
#include "gsan/nn/weights.h"
#include "gsan/train/tensor_message.h"

namespace gsan {
namespace {

constexpr const char* generator_name = "random.torch_cpu";
constexpr const char* seed_key = "random.seed";

// For models that draw from torch's own generator.
Tensor torch_generator_state() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return generator.get_state();
}

void restore_torch_generator(const Tensor& state) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(state);
}

NamedTensors copy_of(const NamedTensors& tensors) {
  NamedTensors copy;
  for (const auto& [name, tensor] : tensors) copy.emplace_back(name, tensor.detach().clone());
  return copy;
}

// Names of stored and wanted options that differ, with both values.
void compare_options(const OptionMap& stored, const OptionMap& wanted, std::vector<std::string>& faults) {
  for (const auto& [name, value] : wanted) {
    const auto found = stored.find(name);
    const std::string then = found == stored.end() ? "missing" : found->second;
    if (then != value) faults.push_back(concat(name, " is ", then, " in the checkpoint, ", value, " now"));
  }
}

}  // namespace

std::vector<std::string> TrainOptions::faults() const {
  std::vector<std::string> faults;
  if (epochs < 1) faults.push_back(concat("epochs must be >= 1, got ", epochs));
  if (least_steps < 0) faults.push_back(concat("least_steps must be >= 0, got ", least_steps));
  if (validate_every < 1) faults.push_back(concat("validate_every must be >= 1, got ", validate_every));
  if (patience < 0) faults.push_back(concat("patience must be >= 0 (0: never stop early), got ", patience));
  if (micro_batches < 0)
    faults.push_back(concat("micro_batches must be >= 0 (0: as many as usual), got ", micro_batches));
  if (!(checkpoint_seconds >= 0))
    faults.push_back(concat("checkpoint_seconds must be >= 0, got ", checkpoint_seconds));
  if (patience > 0 && choose == EpochChoice::last)
    faults.push_back(
        concat("patience waits for a better epoch: with choose = last it must be 0, got ", patience));
  for (const std::string& fault : optimizer.faults()) faults.push_back("optimizer." + fault);
  for (const std::string& fault : schedule.faults()) faults.push_back("schedule." + fault);
  return faults;
}

void TrainOptions::validate() const { options::report("TrainOptions", faults()); }

Trainer::Trainer(Trainable& trainable, TrainOptions options, std::uint64_t seed, TrainServices services)
    : trainable_(trainable),
      options_((options.validate(), options)),
      seed_(seed),
      services_(services),
      optimizer_(options.optimizer, trainable.module()),
      runner_(trainable, optimizer_,
              {options.capture, services.ranks,
               [observer = services.observer](const std::string& message) {
                 if (observer != nullptr) observer->on_message(message);
               },
               [stop = services.stop] { return stop != nullptr && stop->load(); }}),
      schedule_(options.schedule, options.epochs, trainable.more_is_better()) {
  GSAN_CHECK(!trainable.choosing_metric().empty() ||
                 (options.patience == 0 && options.schedule.kind != ScheduleKind::plateau),
             "Trainer: early stopping (patience = ", options.patience, ") and the schedule ",
             name_of(options.schedule.kind), " need a metric that chooses, but the task names none");
}

TrainResult Trainer::run() {
  if (services_.folder != nullptr) {
    GSAN_CHECK(no_checkpoint(services_.folder->last_checkpoint()), "Trainer::run: ", services_.folder->path(),
               " holds a checkpoint already; resume it or choose another folder");
  }
  return session();
}

TrainResult Trainer::resume() {
  GSAN_CHECK(services_.folder != nullptr, "Trainer::resume: there is no run folder to resume from");
  const auto path = services_.folder->last_checkpoint();
  if (no_checkpoint(path)) {
    if (services_.observer != nullptr)
      services_.observer->on_message("no checkpoint was written yet: the run starts from its beginning");
    return session();
  }
  const CheckpointFile file = read_checkpoint(path);
  restore(file);
  if (!file.remark.empty()) {
    set_damaged_aside(path);
    if (services_.observer != nullptr) services_.observer->on_message(file.remark);
  }
  return session();
}

TrainResult Trainer::session() {
  RunFolder* const folder = services_.folder;
  share_state();
  if (folder != nullptr) {
    const SlowWork writes(services_.ranks);
    const std::string loss = folder->begin_session(state_.epoch);
    if (!loss.empty() && services_.observer != nullptr) services_.observer->on_message(loss);
  }
  saved_at_ = std::chrono::steady_clock::now();
  if (services_.observer != nullptr)
    services_.observer->on_begin(static_cast<double>(state_.epoch) / options_.epochs);
  try {
    const TrainResult result = loop();
    if (folder != nullptr) {
      save();
      const SlowWork writes(services_.ranks);
      folder->end_session(result.end == TrainEnd::interrupted ? "interrupted" : "finished");
    }
    if (services_.observer != nullptr) services_.observer->on_end();
    return result;
  } catch (...) {
    if (services_.observer != nullptr) services_.observer->on_end();
    try {
      if (folder != nullptr) folder->end_session("failed");
    } catch (const Error&) {
      // What stopped the training matters more than that the manifest does not say so.
    }
    throw;
  }
}

// All ranks begin with the bits of rank 0, whether it resumes or not.
void Trainer::share_state() {
  if (services_.ranks == nullptr || services_.ranks->size() == 1) return;
  const std::string message = services_.ranks->broadcast(
      services_.ranks->is_first() ? to_message({checkpoint().tensors, checkpoint().metadata}) : "");
  if (services_.ranks->is_first()) return;
  SafetensorsFile state = from_message(message);
  restore({{std::move(state.tensors), std::move(state.metadata)}, services_.ranks->name(0), ""});
}

// Ranks stop before the same step. `has_stepped`: in this session.
bool Trainer::is_asked_to_stop(bool has_stepped) {
  const bool is_asked = services_.stop != nullptr && services_.stop->load();
  if (services_.ranks == nullptr || services_.ranks->size() == 1) return is_asked;
  // The exchange of gradients has brought the requests; one of its own before every step would cost as much.
  const std::optional<bool> known = has_stepped ? runner_.is_asked_to_stop() : std::nullopt;
  return known ? *known : services_.ranks->any(is_asked);
}

TrainResult Trainer::loop() {
  TrainEnd end = TrainEnd::finished;
  bool has_stepped = false;
  while (state_.epoch < options_.epochs && end == TrainEnd::finished) {
    if (options_.patience > 0 && state_.patience.waited >= options_.patience) {
      end = TrainEnd::early_stopped;
      break;
    }
    const std::int64_t steps = trainable_.steps_per_epoch(state_.epoch);
    GSAN_CHECK(steps >= 1, "Trainer: epoch ", state_.epoch + 1, " has ", steps,
               " steps; there must be at least 1");
    trainable_.module().train();
    while (state_.step < steps) {
      if (is_asked_to_stop(has_stepped)) {
        end = TrainEnd::interrupted;
        break;
      }
      do_step(steps);
      has_stepped = true;
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - saved_at_;
      if (services_.folder != nullptr && since.count() >= options_.checkpoint_seconds) save();
    }
    if (end == TrainEnd::finished) end_epoch(steps);
  }
  return {end, state_.epoch, state_.best_epoch, state_.patience.best, last_metrics_};
}

void Trainer::do_step(std::int64_t steps) {
  may_lack_memory("train.step");
  const RandomStream stream = RandomStream(seed_, "dropout")
                                  .substream(static_cast<std::uint64_t>(state_.epoch))
                                  .substream(static_cast<std::uint64_t>(state_.step));
  const StepNumbers numbers =
      runner_.run(state_.epoch, state_.step, schedule_.factor(state_.epoch, state_.step, steps), stream);
  if (!std::isfinite(numbers.loss)) stop_numeric(concat("the loss is ", numbers.loss));
  if (!std::isfinite(numbers.norm)) stop_numeric(concat("the norm of the gradient is ", numbers.norm));
  if (services_.observer != nullptr)
    services_.observer->on_step({state_.epoch, options_.epochs, state_.step, steps, numbers.loss});
  state_.loss_sum += numbers.loss;
  ++state_.step;
}

void Trainer::end_epoch(std::int64_t steps) {
  const double rate = options_.optimizer.learning_rate * schedule_.factor(state_.epoch, steps - 1, steps);
  EpochMetrics line{state_.epoch,
                    {{"learning_rate", rate}, {"train.loss", state_.loss_sum / static_cast<double>(steps)}}};
  const bool is_last = state_.epoch + 1 == options_.epochs;
  bool is_best = false;
  if (is_last || (state_.epoch + 1) % options_.validate_every == 0) is_best = validate_epoch(line.values);
  if (is_best) {
    state_.best_epoch = state_.epoch;
    best_ = copy_of(weights_of(trainable_.module()));
    best_is_saved_ = false;
  }
  if (services_.folder != nullptr) {
    const SlowWork writes(services_.ranks);
    services_.folder->add_epoch(line);
  }
  if (services_.observer != nullptr)
    services_.observer->on_epoch({state_.epoch, options_.epochs, line.values, is_best});
  last_metrics_ = std::move(line.values);
  ++state_.epoch;
  state_.step = 0;
  state_.loss_sum = 0;
}

// Appends the metrics of validation; true when they choose this epoch.
bool Trainer::validate_epoch(Metrics& metrics) {
  trainable_.module().eval();
  const torch::NoGradGuard no_grad;
  trainable_.prepare_evaluation();
  const Metrics validation = trainable_.validate();
  for (const auto& [name, value] : validation) metrics.emplace_back("validation." + name, value);
  const std::string chooser = trainable_.choosing_metric();
  if (chooser.empty()) return true;
  const auto reported = [&](const std::string& name) {
    const auto found = std::find_if(validation.begin(), validation.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    GSAN_CHECK(found != validation.end(), "Trainer: validation did not report '", name,
               "', which chooses the epoch");
    return found->second;
  };
  const double value = reported(chooser);
  schedule_.observe(value);
  if (options_.choose == EpochChoice::last) {
    state_.patience.best = value;
    return true;
  }
  const std::string tie = trainable_.tie_metric();
  return state_.patience.observe(value, trainable_.more_is_better(), 0,
                                 tie.empty() ? std::numeric_limits<double>::infinity() : reported(tie));
}

Checkpoint Trainer::checkpoint() const {
  Checkpoint checkpoint;
  checkpoint.metadata = weight_metadata(trainable_.kind(), trainable_.options());
  checkpoint.add("train.", to_map(options_));
  checkpoint.add("state.", to_map(state_));
  checkpoint.add("schedule.", to_map(schedule_.state()));
  checkpoint.metadata[seed_key] = std::to_string(seed_);
  checkpoint.add("model.", weights_of(trainable_.module()));
  checkpoint.add("best.", best_);
  checkpoint.add("optimizer.", optimizer_.state());
  checkpoint.tensors.emplace_back(generator_name, torch_generator_state());
  return checkpoint;
}

void Trainer::save() {
  const NamedTensors weights = weights_of(trainable_.module());
  for (const auto& [name, tensor] : weights)
    if (tensor.is_floating_point() && !tensor.detach().isfinite().all().item<bool>())
      stop_numeric(concat("'", name, "' holds numbers that are not finite"));

  const SlowWork writes(services_.ranks);
  try {
    services_.folder->synchronize();
    write_checkpoint(services_.folder->last_checkpoint(), checkpoint());
    if (!best_is_saved_) write_best();
  } catch (const Error& error) {
    if (error.fault() != Fault::io) throw;
    const std::string before =
        last_saved_.empty() ? "" : concat("; the checkpoint of ", last_saved_, " is intact");
    fail(error.fault(), error.what(), before, "; make room, then resume the run");
  }
  last_saved_ = where();
  saved_at_ = std::chrono::steady_clock::now();
}

void Trainer::write_best() {
  if (best_.empty()) return;
  Checkpoint best;
  best.metadata = weight_metadata(trainable_.kind(), trainable_.options());
  best.metadata["best.epoch"] = std::to_string(state_.best_epoch);
  best.metadata["best.value"] = options::to_text(state_.patience.best);
  best.add("", best_);
  write_checkpoint(services_.folder->best_checkpoint(), best);
  best_is_saved_ = true;
}

void Trainer::restore(const CheckpointFile& file) {
  const Checkpoint& checkpoint = file.checkpoint;
  const std::string source = file.path.string();
  OptionMap then = checkpoint.settings("train."), now = to_map(options_);
  const auto ignore = [&](const std::string& name) { then.erase(name), now.erase(name); };
  then.emplace("precision", name_of(Precision::float32));  // of runs that could have no other
  then.emplace("micro_batches", "0");
  ignore("capture");
  ignore("checkpoint_seconds");
  ignore("patience");
  if (options_.schedule.kind != ScheduleKind::cosine) ignore("epochs");
  then["seed"] = checkpoint.settings("random.")["seed"];
  now["seed"] = std::to_string(seed_);
  std::vector<std::string> faults;
  compare_options(then, now, faults);
  options::report(concat("Trainer::resume: ", source, " is of another run"), faults);

  const auto state = from_map<TrainState>(checkpoint.settings("state."), source);
  const auto schedule = from_map<ScheduleState>(checkpoint.settings("schedule."), source);
  load_weights({checkpoint.part("model."), checkpoint.metadata}, source, trainable_.module(),
               trainable_.kind(), trainable_.options());
  optimizer_.restore(checkpoint.part("optimizer."));
  schedule_.restore(schedule);
  best_ = checkpoint.part("best.");
  best_is_saved_ = false;  // the file beside it may be that of a later epoch, which is to come again
  if (const NamedTensors generator = checkpoint.part(generator_name); !generator.empty())
    restore_torch_generator(generator.front().second);
  state_ = state;
  last_saved_ = where();
}

void Trainer::load_best() {
  GSAN_CHECK(!best_.empty(), "Trainer::load_best: no epoch was validated yet");
  const torch::NoGradGuard no_grad;
  const SafetensorsFile file{best_, {}};
  for (const auto& [name, tensor] : weights_of(trainable_.module())) tensor.detach().copy_(*file.find(name));
}

std::string Trainer::where() const { return concat("epoch ", state_.epoch + 1, ", step ", state_.step + 1); }

void Trainer::stop_numeric(const std::string& what) const {
  std::string last = "there is no checkpoint";
  if (services_.folder != nullptr && !last_saved_.empty())
    last = concat("the last good checkpoint is ", services_.folder->last_checkpoint().string(), " (",
                  last_saved_, ")");
  fail(Fault::numeric, "training stopped at ", where(), ": ", what, "; ", last,
       "; try a smaller optimizer.learning_rate (", options_.optimizer.learning_rate,
       " now), optimizer.clip_norm = 1 or schedule.warmup_epochs, and look for inputs that are not finite");
}

}  // namespace gsan
