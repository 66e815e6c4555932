#pragma once
// What a trained model says of data, labelled or not: the inputs are those that the task gives at test time,
// with everything that is known of the data; no label of an item that is predicted is among them. Results are
// float64 on the CPU.
//
// Data that the model was not made for (other widths, orders, classes) are an error with both values.

#include "gsan/tasks/task_settings.h"

namespace gsan {

/// The names of the classes of a task; the numbers where the data have no names. Empty for tasks without
/// classes.
std::vector<std::string> class_names_of(const Task& task);

/// Numbers the classes of new data as the run did: by their names, `classes` in the order of the model. A
/// class that is none of them is an error; so is another number of classes where the data have no names.
void match_classes(SignalDataset& dataset, const std::vector<std::string>& classes);
void match_classes(ComplexDataset& dataset, const std::vector<std::string>& classes);
void match_classes(ValueDataset& dataset, const std::vector<std::string>& classes);

/// Orders that no complex of the dataset has, but a model with these input widths reads: empty.
void add_empty_orders(ComplexDataset& dataset, const std::vector<int>& widths);

/// The input widths of a model, per order.
const std::vector<int>& input_widths(const ModelOptions& options);

/// [signals, classes]: probabilities. `stream` is that of make_task, for random orientations.
Tensor predict_classes(Model& model, SignalDataset dataset, const TrajectoryOptions& options,
                       const RandomStream& stream);

/// [complexes, classes]. Orders that no complex has, but the model knows, are empty.
Tensor predict_classes(Model& model, ComplexDataset dataset, const GraphClassificationOptions& options);

/// [N_order, classes].
Tensor predict_classes(Model& model, ValueDataset dataset, const SimplexClassificationOptions& options);

/// [N_order]: what the model finds, also where a value is known. Fill and scale come from the known values.
Tensor predict_values(Model& model, ValueDataset dataset, const ImputationOptions& options);

/// [N_order]: the probability that a candidate belongs to the complex; NaN where a simplex is none. The
/// candidates that are known to belong to it stand in it.
Tensor predict_candidates(Model& model, CandidateDataset dataset, const SimplexPredictionOptions& options);

/// [N_order]: what the model finds from the input that it had at the end of its run: without the values to
/// choose by and to test.
Tensor found_values(Model& model, const Imputation& task);

/// [candidates of the test part]: their probabilities in the complex of the run.
Tensor found_probabilities(Model& model, const SimplexPrediction& task);

}  // namespace gsan
