// What a run starts with, per task and protocol: one table, and the few values that only some models have.

#include <filesystem>

#include "gsan/train/run_settings.h"

namespace gsan {
namespace {

struct StartingValues {
  TaskKind task;
  Protocol protocol;
  const char *data, *model;
  int hidden_channels, n_layers, epochs;
  double learning_rate, weight_decay;
};

constexpr StartingValues table[] = {
    {TaskKind::trajectory, Protocol::strict, "flow", "gsan", 8, 2, 25, 5e-3, 0},
    {TaskKind::trajectory, Protocol::published, "flow", "san", 4, 1, 50, 1e-2, 0},
    {TaskKind::imputation, Protocol::strict, "citation", "gsan", 32, 4, 60, 1e-3, 0},
    {TaskKind::imputation, Protocol::published, "citation", "san", 256, 4, 4000, 1e-3, 0},
    {TaskKind::simplex_classification, Protocol::strict, "own", "gsan", 32, 2, 200, 1e-2, 5e-4},
    {TaskKind::simplex_classification, Protocol::published, "own", "gsan", 32, 2, 200, 1e-2, 5e-4},
    {TaskKind::graph_classification, Protocol::strict, "proteins", "gsan", 32, 3, 100, 1e-3, 1e-4},
    {TaskKind::graph_classification, Protocol::published, "proteins", "gsan", 32, 3, 300, 1e-3, 1e-4},
    {TaskKind::simplex_prediction, Protocol::strict, "citation", "gsan", 32, 2, 200, 1e-3, 0},
    {TaskKind::simplex_prediction, Protocol::published, "citation", "gsan", 65, 2, 1000, 1e-3, 1e-4},
};

const StartingValues& values_of(TaskKind task, Protocol protocol) {
  for (const StartingValues& values : table)
    if (values.task == task && values.protocol == protocol) return values;
  fail(Fault::argument, "starting_settings: no values for ", name_of(task));
}

// The models of the paper; the others keep the options of their own publications.
bool is_of_the_paper(const std::string& model) { return model.starts_with("gsan") || model == "gsccn"; }

// The shortest filter with attention is enough for a label that belongs to the holes.
int length_of(const RunChoice& choice, const std::string& model) {
  if (choice.length > 0 || choice.task != TaskKind::trajectory || choice.protocol == Protocol::published)
    return choice.length;
  return is_of_the_paper(model) ? 2 : model == "san" ? 1 : 0;
}

// Chosen on validation: the exact harmonic part, since few steps of the projector keep much that is not
// harmonic, and a bias that tells a flow from its reverse under |x|. Over the flow's thousand edges the
// harmonic part of one walk is small everywhere: a gain brings it to where tanh bends, and the pools, which
// hardly differ between the classes, are normalised; a small step lets the running statistics follow.
void tune_strict_trajectory(RunSettings& settings) {
  const bool is_flow = settings.task.data.path.empty() && settings.task.data.name == "flow";
  settings.train.optimizer.clip_norm = 1;
  settings.train.schedule.kind = ScheduleKind::cosine;
  settings.task.trajectory.batch_size = is_flow ? 25 : 30;
  ModelSettings& model = settings.model;
  model.pooled.batch_norm = is_flow;
  if (is_flow) {
    model.hidden_channels = is_of_the_paper(model.name) ? 8 : 16;  // on three orders, on one
  } else {
    settings.train.epochs = 150;
    model.hidden_channels = 16;
  }
  if (model.backbone != BackboneKind::layers) return;
  SimplicialLayerOptions& layer = model.layer;
  if (is_flow) layer.gain = 24;
  if (!layer.is_signed) {
    layer.bias = true;
    layer.bias_range = is_flow ? 1 : 0.3;
  }
  if (layer.harmonic == HarmonicKind::projector && !layer.uses(ShiftKind::weighted))
    layer.harmonic = HarmonicKind::exact;
  if (layer.uses(ShiftKind::attention) && !is_flow) layer.attention_dropout = 0.3;
}

void tune_graph_classification(ModelSettings& model) {
  if (model.layer.uses(ShiftKind::attention)) {
    model.layer.heads = 2;
    model.layer.attention_dropout = 0.2;
    model.layer.negative_slope = 0.2;
  }
  if (!is_of_the_paper(model.name)) return;
  model.layer.activation = Activation::sigmoid;
  model.layer.harmonic = HarmonicKind::none;
  model.layer.set_filter_length(model.length > 0 ? model.length : 2);
}

void tune_published_imputation(ModelSettings& model) {
  model.widths = {256, 256, 256, 1};
  model.activate_last = false;
  model.layer.activation = Activation::relu;
  model.layer.negative_slope = 0.1;
  model.layer.harmonic = HarmonicKind::skip;
}

void tune_published_simplex_prediction(RunSettings& settings, int order) {
  ModelSettings& model = settings.model;
  if (!is_of_the_paper(model.name)) {
    model.hidden_channels = 32;
    settings.train.optimizer.weight_decay = 0;
    return;
  }
  const bool tetrahedra = order == 3;
  model.hidden_channels = tetrahedra ? 77 : 65;
  model.layer.attention_dropout = tetrahedra ? 0.037 : 0.495;
  model.layer.negative_slope = tetrahedra ? 0.051 : 0.072;
  model.layer.set_filter_length(model.length > 0 ? model.length : tetrahedra ? 1 : 3);
  if (tetrahedra) settings.train.optimizer.learning_rate = 0.0192;
}

std::string folder_name(const std::string& path) {
  const std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

// The readout that Task::complete() gives the model.
ReadoutKind readout_of(const TaskSettings& task) {
  switch (task.kind) {
    case TaskKind::trajectory:
      return task.protocol == Protocol::published ? ReadoutKind::flattened : ReadoutKind::pooled;
    case TaskKind::graph_classification:
      return ReadoutKind::pooled;
    case TaskKind::imputation:
      return task.protocol == Protocol::published ? ReadoutKind::none : ReadoutKind::simplex;
    case TaskKind::simplex_classification:
      return ReadoutKind::simplex;
    case TaskKind::simplex_prediction:
      return ReadoutKind::tuple;
  }
  return ReadoutKind::none;
}

// The order on which a model of one order works.
int signal_order_of(const TaskSettings& task) {
  switch (task.kind) {
    case TaskKind::trajectory:
      return 1;
    case TaskKind::imputation:
      return task.imputation.order;
    case TaskKind::simplex_classification:
      return task.simplex_classification.order;
    case TaskKind::graph_classification:
      return -1;
    case TaskKind::simplex_prediction:
      return task.simplex_prediction.tuple_order;
  }
  return -1;
}

}  // namespace

RunSettings starting_settings(const RunChoice& choice) {
  const StartingValues& values = values_of(choice.task, choice.protocol);
  RunSettings settings;
  if (choice.path.empty()) {
    settings.task =
        standard_settings(choice.task, choice.protocol, choice.data.empty() ? values.data : choice.data);
  } else {  // whatever it is called, it is none of the known datasets
    settings.task = standard_settings(choice.task, choice.protocol, "own");
    settings.task.data =
        data_settings(choice.data.empty() ? folder_name(choice.path) : choice.data, choice.path);
  }
  if (choice.order >= 0) {
    settings.task.imputation.order = choice.order;
    settings.task.simplex_classification.order = choice.order;
    settings.task.simplex_prediction.order = choice.order;
  }
  if (choice.tuple_order >= 0) settings.task.simplex_prediction.tuple_order = choice.tuple_order;

  settings.train.epochs = values.epochs;
  settings.train.optimizer.learning_rate = values.learning_rate;
  settings.train.optimizer.weight_decay = values.weight_decay;

  ModelSettings& model = settings.model;
  const std::string name = choice.model.empty() ? values.model : choice.model;
  model = standard_model(name, length_of(choice, name), signal_order_of(settings.task),
                         readout_of(settings.task));
  model.hidden_channels = values.hidden_channels;
  model.n_layers = values.n_layers;
  if (choice.task == TaskKind::trajectory) model.pooled.absolute = true;
  const bool has_layer = model.backbone == BackboneKind::layers;
  if (has_layer && choice.task == TaskKind::graph_classification) tune_graph_classification(model);
  if (choice.task == TaskKind::trajectory && choice.protocol == Protocol::strict)
    tune_strict_trajectory(settings);
  if (choice.protocol == Protocol::published) {
    if (has_layer && choice.task == TaskKind::imputation) tune_published_imputation(model);
    if (choice.task == TaskKind::simplex_prediction)
      tune_published_simplex_prediction(settings, settings.task.simplex_prediction.order);
  }
  return settings;
}

}  // namespace gsan
