// Epochs: many small complexes in batches (PROTEINS), many signals on one complex (the synthetic flow), one
// wide signal on one complex (imputation).

#include <cstdlib>
#include <memory>

#include "gsan/core/text.h"
#include "gsan/nn/weights.h"
#include "gsan/topology/delaunay.h"
#include "gsan/train/experiment.h"
#include "gsan/train/step_runner.h"
#include "gsan/train/task_training.h"

#include "apps/gsan/bench/bench.h"
#include "apps/gsan/bench/inputs.h"
#include "apps/gsan/bench/protein_training.h"

namespace gsan::app {
namespace {

// Epochs as the training loop does them, one after the other: every step asks for its batch.
class EpochsOnTheWay {
 public:
  EpochsOnTheWay(const Task& task, Model& model, Optimizer& optimizer, const BenchOptions& options,
                 bool capture = true)
      : training_(task, model),
        runner_(training_, optimizer, {.capture = capture}),
        dropout_(options.seed, "bench dropout") {}

  void run_next() {
    for (std::int64_t step = 0; step < training_.steps_per_epoch(epoch_); ++step)
      runner_.run(epoch_, step, 1, dropout_);
    ++epoch_;
  }

 private:
  TaskTraining training_;
  StepRunner runner_;
  RandomStream dropout_;
  std::int64_t epoch_ = 0;
};

// batch.B.faces.K, batch.B.input.K, batch.B.parts.K (offsets of the complexes), batch.B.labels,
// batch.B.output (of the weights weight.NAME).
NamedTensors tensors_of(const std::vector<Batch>& batches, Model& model) {
  const torch::NoGradGuard no_grad;
  NamedTensors tensors;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const std::string prefix = concat("batch.", b, ".");
    add_faces(tensors, batches[b].operators, prefix);
    for (std::size_t k = 0; k < batches[b].signals.size(); ++k) {
      tensors.emplace_back(concat(prefix, "input.", k), batches[b].signals[k]);
      tensors.emplace_back(concat(prefix, "parts.", k),
                           batches[b].operators.part_offsets(static_cast<int>(k)));
    }
    tensors.emplace_back(prefix + "labels", batches[b].targets);
    tensors.emplace_back(prefix + "output", model->forward(batches[b].operators, batches[b].signals).values);
  }
  for (const auto& [name, tensor] : weights_of(*model))
    tensors.emplace_back("weight." + name, tensor.clone());
  return tensors;
}

void run_proteins(BenchSuite& suite) {
  const std::string ahead = "proteins/batches made beforehand", along = "proteins/batches made on the way",
                    uncaptured = along + ", not captured",
                    projector = "proteins/with projector, batches made beforehand";
  if (!suite.wants_any({ahead, along, uncaptured, projector})) return;
  const DataPlace place = find_data("proteins", suite.options());
  if (!place.folder) return suite.skip("proteins", place.reason);
  const GraphClassification task = protein_task(*place.folder, suite.options());
  const std::vector<Batch> batches = training_batches(task);
  Json simplices = Json::array();
  for (int k = 0; k <= task.dataset().order(); ++k) {
    std::int64_t count = 0;
    for (const SimplicialComplex& complex : task.dataset().complexes) count += complex.count(k);
    simplices.push_back(count);
  }
  const Json facts{
      {"complexes", task.dataset().complexes.size()}, {"steps", batches.size()}, {"simplices", simplices}};
  for (const HarmonicKind harmonic : {HarmonicKind::skip, HarmonicKind::projector}) {
    Model model = protein_model(task, harmonic, suite.options());
    const bool is_skip = harmonic == HarmonicKind::skip;
    if (is_skip && suite.exports()) suite.export_tensors("train/proteins", tensors_of(batches, model));
    Work work;
    for (const Batch& batch : batches) work += network_work(*model, batch.operators.complex(), Passes::both);
    Optimizer optimizer({}, *model);
    suite.time(is_skip ? ahead : projector, facts, work, [&] {
      for (const Batch& batch : batches) training_step(task, model, optimizer, batch);
    });
    if (!is_skip) continue;
    for (const bool capture : {true, false}) {
      if (!capture && !suite.on_gpu()) continue;
      EpochsOnTheWay epochs(task, model, optimizer, suite.options(), capture);
      suite.time(capture ? along : uncaptured, facts, work, [&] { epochs.run_next(); });
    }
  }
}

// Epochs of a recipe, timed as the training loop does them.
void run_recipe(BenchSuite& suite, const std::string& name, RunSettings settings) {
  settings.seed = suite.options().seed;
  Experiment experiment = make_experiment(settings, suite.options().place);
  Optimizer optimizer(settings.train.optimizer, *experiment.model);
  EpochsOnTheWay epochs(*experiment.task, experiment.model, optimizer, suite.options());
  Work work;
  std::int64_t signals = 0;
  const std::vector<Batch> batches = training_batches(*experiment.task);
  for (const Batch& batch : batches) {
    const std::int64_t of_batch = batch.signal_keys.defined() ? batch.targets.size(0) : 1;
    signals += of_batch;
    work += network_work(*experiment.model, batch.operators.complex(), Passes::both, of_batch);
  }
  const SimplicialComplex& complex = batches.front().operators.complex();
  Json simplices = Json::array();
  for (int k = 0; k <= complex.order(); ++k) simplices.push_back(complex.count(k));
  suite.time(name,
             {{"signals", signals},
              {"steps", batches.size()},
              {"edges", complex.count(1)},
              {"simplices", simplices},
              {"parameters", experiment.model->parameter_count()}},
             work, [&] { epochs.run_next(); });
}

void run_flow(BenchSuite& suite) {
  const std::string name = "flow/epoch";
  if (!suite.wants(name)) return;
  if (!has_delaunay()) return suite.skip(name, "this gsan was built without Qhull");
  run_recipe(suite, name, recipe_settings("trajectory", Protocol::strict, {"data.name=flow"}));
}

// The paper's largest step: four layers, 256 wide, on the simplices of order 4 of the citation complex.
void run_imputation(BenchSuite& suite) {
  const std::string name = "imputation/order 4, a step of the published recipe";
  if (!suite.wants(name)) return;
  const DataPlace place = find_data("citation", suite.options());
  if (!place.folder) return suite.skip(name, place.reason);
  const char* const usual = std::getenv("GSAN_DATA");  // where recipes look for data
  ::setenv("GSAN_DATA", concat(joined(suite.options().look_in, ":"), ":", usual ? usual : "").c_str(), 1);
  run_recipe(suite, name,
             recipe_settings("imputation", Protocol::published,
                             {"imputation.order=4", "imputation.missing=10", "model.length=2"}));
}

}  // namespace

Benchmark add_train_bench(CLI::App&) {
  return [](BenchSuite& suite) {
    run_proteins(suite);
    run_flow(suite);
    run_imputation(suite);
  };
}

}  // namespace gsan::app
