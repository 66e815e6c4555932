// The memory of a training step on one large complex, and the allocations of a step on a batch of small ones.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <tuple>

#include "gsan/core/process_memory.h"
#include "gsan/models/backbones/layers.h"
#include "gsan/nn/layer_cost.h"
#include "gsan/ops/block_pool.h"
#include "gsan/topology/hex_grid.h"

#include "apps/gsan/bench/allocation_count.h"
#include "apps/gsan/bench/bench.h"
#include "apps/gsan/bench/gpu.h"
#include "apps/gsan/bench/inputs.h"
#include "apps/gsan/bench/protein_training.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/model_options.h"
#include "apps/gsan/runner/retained_memory.h"

namespace gsan::app {
namespace {

// Two layers of width 16 with J = 2 on orders 0, 1, 2, signals on all of them.
Model two_layers(std::uint64_t seed) {
  ModelSpec spec = model_spec("gsan", "none", {.length = 2});
  spec.backbone.as<LayersOptions>().hidden_channels = 16;
  return Model(std::move(spec), ModelShape{.in_channels = {16, 16, 16}}, RandomStream(seed, "bench model"));
}

struct StepOptions {
  Index edges = 1'000'000;
  bool recompute = false;
  InputOptions own;
  std::string model = "gsan";
  ModelChoice choice;
};

// What the process holds before and at most while it works; on a GPU, what its allocator does there.
DeviceMemory memory_of(const BenchSuite& suite, const std::function<void()>& work) {
  if (suite.on_gpu()) return device_memory(suite.options().place, work);
  forget_peak_memory();
  DeviceMemory memory{.before = resident_memory()};
  work();
  memory.peak = peak_resident_memory();
  return memory;
}

// One layer on a complex of the user's, forward and backward: what it takes, and what nn/layer_cost.h says.
void run_own(BenchSuite& suite, const StepOptions& options) {
  const Input input = options.own.read();
  const ComplexOperators operators = operators_of(input.file.listed.complex, suite.options());
  const ModelEntry entry = options.choice.find(options.model, operators.order());
  GSAN_CHECK(entry.layer, "bench memory: ", options.model, " is not a setting of the layer");
  const ComplexSize size(operators.complex(), operators.order());
  const double estimate = forward_cost(*entry.layer, size).memory();
  const DeviceMemory memory = memory_of(suite, [&] {
    LayerCase layer(*entry.layer, operators, suite.options());
    layer.forward_backward();
  });
  const auto measured = static_cast<double>(memory.peak - memory.before);
  suite.tell(concat("layer/", input.source, ", ", options.model),
             {{"device", suite.options().place.str()},
              {"simplices", size.simplices},
              {"before_bytes", memory.before},
              {"measured_bytes", measured},
              {"estimated_bytes", estimate},
              {"estimate_over_measured", estimate / measured}});
}

void run_step(BenchSuite& suite, const StepOptions& options) {
  const Index edges = options.edges;
  const std::string name =
      concat("step/hexagonal grid, ", edges, " edges", options.recompute ? ", recomputed" : "");
  if (!suite.wants(name)) return;
  if (options.recompute) return_large_blocks();
  // About three edges a vertex.
  const auto side = static_cast<Index>(std::lround(std::sqrt(edges / 3.0))) + 1;
  const ComplexOperators operators =
      operators_of(hex_grid(side, side, {}, {.max_memory = physical_memory()}).complex, suite.options());
  Json simplices = Json::array();
  Cochains signals;
  for (int k = 0; k <= 2; ++k) {
    simplices.push_back(operators.count(k));
    signals.push_back(random_tensor({operators.count(k), 16}, suite.options(), concat("input ", k)));
  }
  Model model = two_layers(suite.options().seed);
  model->to(suite.options().place);
  Optimizer optimizer({}, *model);
  const std::size_t before = resident_memory(), peak_before = peak_resident_memory();
  ForwardContext context;
  context.recompute = options.recompute;
  const auto step = [&] {
    optimizer.zero_grad();
    const Cochains output = model->forward(operators, signals, context).backbone.layers.back();
    Tensor loss;
    for (const Tensor& y : output) loss = loss.defined() ? loss + y.square().mean() : y.square().mean();
    loss.backward();
    optimizer.step();
  };
  if (suite.on_gpu()) {
    const DeviceMemory memory = device_memory(suite.options().place, step);
    return suite.tell(name, {{"device", suite.options().place.str()},
                             {"simplices", simplices},
                             {"complex_and_signals_bytes", memory.before},
                             {"peak_bytes", memory.peak}});
  }
  step();
  suite.tell(name, {{"simplices", simplices},
                    {"complex_and_signals_bytes", before},
                    {"peak_before_step_bytes", peak_before},
                    {"peak_bytes", peak_resident_memory()}});
}

void run_allocations(BenchSuite& suite) {
  const std::string name = "allocations/proteins, batch of 36";
  if (!suite.wants(name)) return;
  if (suite.on_gpu()) return suite.skip(name, "counts allocations of the CPU");
  const DataPlace place = find_data("proteins", suite.options());
  if (!place.folder) return suite.skip(name, place.reason);
  const GraphClassification task = protein_task(*place.folder, suite.options());
  Model model = protein_model(task, HarmonicKind::skip, suite.options());
  Optimizer optimizer({}, *model);
  const Batch batch = task.batch(Phase::train, 0, 0);
  const auto step = [&] { training_step(task, model, optimizer, batch); };
  for (int i = 0; i < 3; ++i) step();  // what is made on first use is there
  const std::int64_t blocks_before = ops::fresh_blocks();
  std::vector<AllocationCount> counts;
  for (int i = 0; i < 20; ++i) counts.push_back(count_allocations(step));
  const auto [least, most] =
      std::minmax_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return std::tie(a.objects, a.tensors) < std::tie(b.objects, b.tensors);
      });
  suite.tell(name, {{"steps", counts.size()},
                    {"objects", least->objects},
                    {"most_objects", most->objects},
                    {"tensors", least->tensors},
                    {"most_tensors", most->tensors},
                    {"tensor_bytes", least->tensor_bytes},
                    {"fresh_blocks", ops::fresh_blocks() - blocks_before},
                    {"constant", *least == *most}});
}

}  // namespace

Benchmark add_memory_bench(CLI::App& command) {
  auto options = std::make_shared<StepOptions>();
  command.add_option("--edges", options->edges, "size of the hexagonal grid, about so many edges")
      ->check(CLI::Range(100, 300'000'000))
      ->capture_default_str();
  command.add_flag("--recompute", options->recompute,
                   "layers keep their input alone for the backward pass, as with train.recompute");
  options->own.add_optional_to(command);
  command.add_option("--model", options->model, "whose layer, with --complex")->capture_default_str();
  options->choice.add_to(command);
  return [options](BenchSuite& suite) {
    if (options->own.is_given()) return run_own(suite, *options);
    run_allocations(suite);
    run_step(suite, *options);
  };
}

}  // namespace gsan::app
