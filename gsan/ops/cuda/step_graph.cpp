#include "gsan/ops/step_graph.h"

#include <algorithm>
#include <exception>

#include <ATen/Context.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "gsan/core/check.h"
#include "gsan/ops/branches.h"
#include "gsan/ops/detail/stream_slots.h"

namespace gsan::ops {
namespace {

bool is_capturing() {
  return c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None;
}

// `later` begins when what is queued on `earlier` now is done.
void wait_for(const c10::cuda::CUDAStream& later, const c10::cuda::CUDAStream& earlier) {
  at::cuda::CUDAEvent event;
  event.record(earlier);
  event.block(later);
}

using Streams = std::vector<c10::cuda::CUDAStream>;

// The streams of the branches of the step that this thread queues; none outside StepGraphs.
thread_local const Streams* branch_streams = nullptr;

struct WithBranches {
  explicit WithBranches(const Streams& streams) { branch_streams = &streams; }
  ~WithBranches() { branch_streams = nullptr; }
  WithBranches(const WithBranches&) = delete;
  WithBranches& operator=(const WithBranches&) = delete;
};

constexpr int branch_count = 8;

using Pool = decltype(at::cuda::graph_pool_handle());

// Whether this torch ends by itself what a broken capture began.
template <class Graph>
struct Cleanup : Graph {
  static constexpr bool is_done = requires(Cleanup & graph) { graph.capturing_to_pool_; };
};

// Where this torch has the warning.
template <class Context>
void set_warning(Context& context, bool enabled) {
  if constexpr (requires { context.setWarnOnAccumulateGradStreamMismatch(enabled); })
    context.setWarnOnAccumulateGradStreamMismatch(enabled);
}

// Tensors are no longer allocated for a broken capture.
void end_allocations(c10::DeviceIndex device, const Pool& pool) {
  if constexpr (!Cleanup<at::cuda::CUDAGraph>::is_done) {
    try {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(device, pool);
    } catch (const c10::Error&) {
      // They were not.
    }
  }
}

}  // namespace

struct StepGraphs::State {
  explicit State(at::Device on)
      : device(on),
        stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())),
        pool(at::cuda::graph_pool_handle()) {
    for (int i = 0; i < branch_count; ++i)
      branches.push_back(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index()));
  }

  at::Device device;
  c10::cuda::CUDAStream stream;
  Streams branches;
  Pool pool;
  std::vector<std::unique_ptr<at::cuda::CUDAGraph>> graphs;
};

std::string why_no_graphs(at::Device device) {
  return device.is_cuda()
             ? std::string()
             : concat("steps are captured on CUDA devices alone, and these run on ", device.str());
}

bool allows_padding(at::Device device) { return device.is_cuda(); }

StepGraphs::StepGraphs(at::Device device) {
  GSAN_CHECK(device.is_cuda(), "StepGraphs: ", why_no_graphs(device));
  // Weights that several branches share: torch orders the sums of their gradients, and would warn of it.
  set_warning(at::globalContext(), false);
  const auto index = device.has_index() ? device.index() : c10::cuda::current_device();
  state_ = std::make_unique<State>(at::Device(at::kCUDA, index));
}

// Graphs that are still running use the memory that they give back.
StepGraphs::~StepGraphs() {
  const c10::cuda::CUDAGuard guard(state_->device);
  try {
    c10::cuda::device_synchronize();
  } catch (const c10::Error&) {
    // The device has failed, and says so to whoever reads from it.
  }
}

void StepGraphs::run(const std::function<void()>& work) {
  const auto caller = c10::cuda::getCurrentCUDAStream(state_->device.index());
  wait_for(state_->stream, caller);
  {
    const c10::cuda::CUDAStreamGuard guard(state_->stream);
    const WithBranches branches(state_->branches);
    work();
  }
  wait_for(caller, state_->stream);
}

StepGraphs::Captured StepGraphs::capture(const std::function<void()>& work, const at::Tensor& keys) {
  const c10::cuda::CUDAStreamGuard guard(state_->stream);
  c10::cuda::device_synchronize();
  auto graph = std::make_unique<at::cuda::CUDAGraph>();
  const StreamSlots slots(keys.const_data_ptr<std::int64_t>(), static_cast<std::size_t>(keys.numel()),
                          is_capturing);
  // Threads that prepare batches may allocate pinned memory meanwhile: only this one is watched.
  graph->capture_begin(state_->pool, cudaStreamCaptureModeThreadLocal);
  std::exception_ptr error;
  try {
    const WithBranches branches(state_->branches);
    work();
  } catch (...) {
    error = std::current_exception();
  }
  try {
    graph->capture_end();
  } catch (...) {  // broken; what the work threw says why
    if (!error) error = std::current_exception();
    end_allocations(state_->device.index(), state_->pool);
  }
  if (error) {
    static_cast<void>(cudaGetLastError());  // forgotten, or the next launch would report it
    std::rethrow_exception(error);
  }
  state_->graphs.push_back(std::move(graph));
  return {state_->graphs.size() - 1, slots.streams()};
}

void StepGraphs::replay(std::size_t graph) {
  const c10::cuda::CUDAGuard guard(state_->device);
  state_->graphs[graph]->replay();
}

struct Branches::State {
  c10::cuda::CUDAStream trunk;
  const Streams& streams;
  std::size_t used = 0;  // runs since the last join
};

Branches::Branches() {
  if (branch_streams)
    state_ = std::make_unique<State>(
        State{c10::cuda::getCurrentCUDAStream(branch_streams->front().device_index()), *branch_streams});
}

Branches::~Branches() {
  try {
    join();
  } catch (const c10::Error&) {
    // The capture is broken, and its end says so.
  }
}

void Branches::run(at::TensorList inputs, const std::function<void()>& work) {
  if (!state_) return work();
  const c10::cuda::CUDAStream& stream = state_->streams[state_->used++ % state_->streams.size()];
  wait_for(stream, state_->trunk);
  for (const at::Tensor& input : inputs)  // memory is not given to others while a branch may read it
    if (input.defined()) input.record_stream(stream.unwrap());
  const c10::cuda::CUDAStreamGuard guard(stream);
  work();
}

void Branches::join() {
  if (!state_) return;
  for (std::size_t i = 0; i < std::min(state_->used, state_->streams.size()); ++i)
    wait_for(state_->trunk, state_->streams[i]);
  state_->used = 0;
}

}  // namespace gsan::ops
