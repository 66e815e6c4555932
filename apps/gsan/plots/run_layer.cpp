#include "apps/gsan/plots/run_layer.h"

#include <algorithm>
#include <filesystem>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/options.h"

namespace gsan::app {
namespace {

// The phase that was asked for, or the first one with items: test (of a finished run), validation, train.
Phase phase_with_items(const Task& task, const std::string& asked, bool has_results) {
  if (!asked.empty()) return parse_enum<Phase>(asked, "--phase");
  for (const Phase phase : {Phase::test, Phase::validation})
    if ((has_results || phase != Phase::test) && task.has_items(phase)) return phase;
  return Phase::train;
}

// Edges where the layer is given a signal of them, else the first order that has one.
int drawn_order(const LayerView& view, int asked) {
  std::vector<int> orders;
  for (int k = 0; k < static_cast<int>(view.input.size()); ++k)
    if (view.input[k].defined() && view.input[k].numel() > 0) orders.push_back(k);
  GSAN_CHECK(!orders.empty(), "plot: the item has no simplices with a signal, there is nothing to draw");
  const auto has = [&](int k) { return std::find(orders.begin(), orders.end(), k) != orders.end(); };
  if (asked < 0) return has(1) ? 1 : orders.front();
  GSAN_CHECK(has(asked), "--order: the layer is given signals of the orders ", options::to_text(orders),
             ", got ", asked);
  return asked;
}

}  // namespace

bool is_finished(const std::string& run) { return std::filesystem::exists(record_file(run)); }

void RunLayerOptions::add_to(CLI::App& command, bool is_required) {
  CLI::Option* folder = command.add_option("RUN", run, "run folder of `gsan train`");
  if (is_required) folder->required();
  command.add_option("--layer", layer, "of the model, from 1")->capture_default_str();
  command.add_option("--order", order, "of the simplices (default: 1, or the first that has a signal)")
      ->check(not_negative());
  command.add_option(
      "--phase", phase,
      "the item is of this part: test, validation or train (default: the first of them with items; "
      "a run that is not finished starts with validation)");
  command.add_option("--item", item, "which item of the part, from 0")
      ->check(not_negative())
      ->capture_default_str();
  add_weights_option(command, weights);
  command.add_option("--data", data, "a folder of other data of the same kind, as in `gsan eval`")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
}

RunLayer RunLayerOptions::load(torch::Device device) const {
  RunLayer made{
      load_run(run,
               {.device = device, .weights = parse_enum<RunWeights>(weights, "--weights"), .data = data}),
      {ComplexOperators(SimplicialComplex()), {}},
      {},
      0,
      {}};
  Experiment& experiment = made.run.experiment;
  const Phase chosen = phase_with_items(*experiment.task, phase, is_finished(run));
  made.item = experiment.task->example(chosen, item);
  const LongWork work("layers of the model");
  made.view = view_layer(experiment.model, made.item.operators, made.item.signals, layer, made.item.tuples);
  made.order = drawn_order(made.view, order);
  made.name = concat(experiment.settings.model.name, ", layer ", layer, " on ", name_of(chosen), " item ",
                     item, is_finished(run) ? "" : " of an unfinished run");
  return made;
}

}  // namespace gsan::app
