// A build without CUDA captures nothing.

#include "gsan/core/check.h"
#include "gsan/ops/branches.h"
#include "gsan/ops/step_graph.h"

namespace gsan::ops {

struct StepGraphs::State {};

std::string why_no_graphs(at::Device device) {
  return concat("steps are captured on CUDA devices alone, and these run on ", device.str());
}

bool allows_padding(at::Device) { return false; }

StepGraphs::StepGraphs(at::Device device) { fail(Fault::argument, "StepGraphs: ", why_no_graphs(device)); }
StepGraphs::~StepGraphs() = default;
void StepGraphs::run(const std::function<void()>& work) { work(); }
StepGraphs::Captured StepGraphs::capture(const std::function<void()>&, const at::Tensor&) { return {}; }
void StepGraphs::replay(std::size_t) {}

struct Branches::State {};
Branches::Branches() = default;
Branches::~Branches() = default;
void Branches::run(at::TensorList, const std::function<void()>& work) { work(); }
void Branches::join() {}

}  // namespace gsan::ops
