#include "gsan/train/captured_steps.h"

#include <cmath>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// The first bytes of a buffer, as keys.
Tensor keys_in(const Tensor& buffer) {
  return buffer.narrow(0, 0, PackedStep::key_bytes).view(torch::kInt64);
}

// Without what torch adds about itself.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

StepNumbers numbers_of(const Tensor& loss_and_norm) {
  const Tensor here = loss_and_norm.cpu();
  return {here.const_data_ptr<double>()[0], here.const_data_ptr<double>()[1]};
}

CapturedSteps::CapturedSteps(torch::Device device, QueueStep queue)
    : device_(device),
      queue_(std::move(queue)),
      graphs_(device),
      numbers_(torch::zeros({2}, torch::TensorOptions().dtype(torch::kFloat64).device(device))) {}

std::optional<StepNumbers> CapturedSteps::run(PackedStep& step, const RandomStream& dropout) {
  const auto [found, is_new] = shapes_.try_emplace(step.shape());
  Shape& shape = found->second;
  if (shape.is_captured) return replay(step, dropout, shape);
  if (is_new || captured_ == most_graphs) return std::nullopt;
  return begin(step, dropout, shape);
}

StepNumbers CapturedSteps::begin(PackedStep& step, const RandomStream& dropout, Shape& shape) {
  shape.buffer = step.bytes().to(device_);
  graphs_.run([&] { numbers_.copy_(queue_(step, shape.buffer, dropout)); });
  const StepNumbers numbers = numbers_of(numbers_);
  const bool is_sound = std::isfinite(numbers.loss) && std::isfinite(numbers.norm);  // else the run ends here
  if (!is_sound || !step.is_complete()) return numbers;
  try {
    capture(step, dropout, shape);
  } catch (const std::exception& error) {
    refusal_ = first_line(error.what());
  }
  return numbers;
}

// Nothing is computed: the weights stay what the step before has made of them.
void CapturedSteps::capture(PackedStep& step, const RandomStream& dropout, Shape& shape) {
  const StreamRecord record;
  const ops::StepGraphs::Captured captured =
      graphs_.capture([&] { numbers_.copy_(queue_(step, shape.buffer, dropout)); }, keys_in(shape.buffer));
  for (const std::int64_t stream : captured.streams) {
    const auto path = record.path(dropout.key(), static_cast<std::uint64_t>(stream));
    GSAN_CHECK(path, "CapturedSteps: a mask is drawn from a random stream that is not one of the step");
    shape.keys.push_back(*path);
  }
  shape.graph = captured.graph;
  shape.is_captured = true;
  ++captured_;
}

StepNumbers CapturedSteps::replay(PackedStep& step, const RandomStream& dropout, const Shape& shape) {
  auto* keys = keys_in(step.bytes()).mutable_data_ptr<std::int64_t>();
  for (const StreamPath& path : shape.keys) *keys++ = static_cast<std::int64_t>(follow(dropout, path).key());
  shape.buffer.copy_(step.bytes(), /*non_blocking=*/true);
  graphs_.replay(shape.graph);
  return numbers_of(numbers_);
}

}  // namespace gsan
