// gsan plot confusion: which class a trained model gives to the items of each class.

#include "gsan/tasks/shared/confusion.h"

#include <memory>

#include "gsan/core/long_work.h"
#include "gsan/plot/matrix_chart.h"
#include "gsan/report/metric_values.h"
#include "gsan/train/experiment.h"
#include "gsan/train/loaded_run.h"

#include "apps/gsan/console/options.h"
#include "apps/gsan/plots/picture_output.h"
#include "apps/gsan/plots/plot.h"
#include "apps/gsan/plots/run_layer.h"

namespace gsan::app {
namespace {

struct ConfusionPlotWords {
  std::string run, data, phase, weights = "best";
  bool shares = false;
  MachineOptions machine;
  PictureOptions picture;
};

// Counts, or what share of its row a cell has, in per cent; a class without items has none.
std::vector<double> cells(const ConfusionMatrix& matrix, bool shares) {
  std::vector<double> values(matrix.counts.begin(), matrix.counts.end());
  const std::size_t classes = matrix.classes.size();
  for (std::size_t truth = 0; shares && truth < classes; ++truth) {
    double row = 0;
    for (std::size_t answer = 0; answer < classes; ++answer) row += values[truth * classes + answer];
    for (std::size_t answer = 0; answer < classes; ++answer) values[truth * classes + answer] *= 100 / row;
  }
  return values;
}

ExitCode run(const ConfusionPlotWords& options) {
  options.picture.format();
  const bool is_over = is_finished(options.run);
  const Phase phase = !options.phase.empty() ? parse_enum<Phase>(options.phase, "--phase")
                      : is_over              ? Phase::test
                                             : Phase::validation;
  LoadedRun loaded = load_run(options.run, {.device = options.machine.apply(),
                                            .weights = parse_enum<RunWeights>(options.weights, "--weights"),
                                            .data = options.data});
  Experiment& experiment = loaded.experiment;
  const ConfusionMatrix matrix = [&] {
    const LongWork work("answers of the model");
    return confusion_matrix(*experiment.task, experiment.model, phase);
  }();
  const double accuracy = 100.0 * static_cast<double>(matrix.correct()) /
                          static_cast<double>(std::max<std::int64_t>(1, matrix.total()));
  Json rows = Json::array();
  for (std::size_t truth = 0; truth < matrix.classes.size(); ++truth) {
    rows.push_back(Json::array());
    for (std::size_t answer = 0; answer < matrix.classes.size(); ++answer)
      rows.back().push_back(matrix.count(truth, answer));
  }
  const std::string words = concat(matrix.correct(), " of ", matrix.total(), " items correct, ",
                                   report::show_metric(accuracy), " %");
  const std::string title = !options.picture.title.empty() ? options.picture.title
                                                           : concat(experiment.settings.model.name, ", ",
                                                                    name_of(phase), " set: ", words);
  const std::string svg =
      matrix_chart(matrix.classes, matrix.classes, cells(matrix, options.shares),
                   {.title = title,
                    .x_label = "answer",
                    .y_label = options.shares ? "true class (per cent of a row)" : "true class",
                    .width = options.picture.width > 0 ? options.picture.width : 480});
  options.picture.write(
      svg,
      {{"command", "plot"},
       {"kind", "confusion"},
       {"run", options.run},
       {"phase", name_of(phase)},
       {"classes", matrix.classes},
       {"counts", rows},
       {"accuracy", accuracy}},
      concat(is_over ? "" : "the run is not finished; ", name_of(phase), " set: ", words, "\n"));
  return ExitCode::success;
}

}  // namespace

Plot add_plot_confusion(CLI::App& app) {
  auto options = std::make_shared<ConfusionPlotWords>();
  CLI::App* kind = app.add_subcommand("confusion", "True classes against the answers of a trained model");
  kind->footer("Example:\n  gsan plot confusion runs/flow --phase validation --output confusion.svg");
  kind->add_option("RUN", options->run, "run folder of `gsan train`")->required();
  kind->add_option(
      "--phase", options->phase,
      "which part: test, validation or train (default: test; validation of a run that is not finished)");
  add_weights_option(*kind, options->weights);
  kind->add_option("--data", options->data, "a folder of other data of the same kind, as in `gsan eval`")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
  kind->add_flag("--shares", options->shares, "per cent of each true class instead of counts");
  options->machine.add_to(*kind);
  options->picture.add_to(*kind);
  return {kind, [options] { return run(*options); }};
}

}  // namespace gsan::app
