// Task::predict: what a model answers for every item of the data.

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/tasks/graph_classification/task.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/shared/item_split.h"
#include "gsan/tasks/simplex_classification/task.h"
#include "gsan/tasks/simplex_prediction/task.h"
#include "gsan/tasks/trajectory/task.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

Items all(std::int64_t count) {
  Items items(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items[static_cast<std::size_t>(i)] = i;
  return items;
}

Model model_for(const Task& task, const std::string& readout) {
  return Model(small("gsan", readout), task.shape(), RandomStream(2, "weights"));
}

const RandomStream stream(1, "batches");

SignalDataset without_labels(SignalDataset dataset) {
  dataset.labels = torch::full_like(dataset.labels, unknown_label);
  return dataset;
}

// No part is needed to be asked.
Tensor predicted(Model& model, const SignalDataset& dataset, int batch_size = 64) {
  return Trajectory(dataset, {}, stream, {.batch_size = batch_size}).predict(model).numbers;
}

Tensor predicted(Model& model, const ComplexDataset& dataset, int batch_size = 36) {
  return GraphClassification(dataset, {}, stream, {.batch_size = batch_size}).predict(model).numbers;
}

TEST(PredictSignals, AloneAndInABatchAgreeAndLabelsDoNotMatter) {
  const SignalDataset dataset = gradients_and_curls();
  Model model = model_for(Trajectory(dataset, {all(20), {}, {}}, stream), "pooled");
  const Tensor together = predicted(model, without_labels(dataset));
  ASSERT_EQ(together.sizes(), (torch::IntArrayRef{20, 2}));
  EXPECT_TRUE(torch::allclose(together.sum(1), torch::ones({20}, torch::kFloat64)));
  EXPECT_GT(together.select(1, 0).std().item<double>(), 1e-6);
  EXPECT_TRUE(torch::equal(together, predicted(model, dataset)));
  for (const int size : {1, 3, 7})
    EXPECT_LT((predicted(model, dataset, size) - together).abs().max().item<double>(), 1e-6);
  for (const std::int64_t i : {0, 13}) {
    SignalDataset one = dataset;
    one.signals = dataset.signals.narrow(0, i, 1);
    one.labels = dataset.labels.narrow(0, i, 1);
    EXPECT_LT((predicted(model, one)[0] - together[i]).abs().max().item<double>(), 1e-6);
  }
}

TEST(PredictSignals, AreWhatTheTaskMeasures) {
  const SignalDataset dataset = gradients_and_curls();
  const Trajectory task(dataset, {all(20), {}, all(20)}, stream);
  Model model = model_for(task, "pooled");
  const Metrics measured = evaluate(task, model, Phase::test);
  ClassMeter meter(2);
  meter.add(task.predict(model).numbers.log(), dataset.labels);
  const Metrics found = meter.value();
  ASSERT_EQ(found.size(), measured.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].first, measured[i].first);
    EXPECT_NEAR(found[i].second, measured[i].second, 1e-5);
  }
}

TEST(PredictSignals, ARowHasItsNameItsClassAndTheProbabilities) {
  SignalDataset dataset = gradients_and_curls(3);
  dataset.class_names = {"gradient", "curl"};
  dataset.item_names = {"one", "two", "three"};
  const Trajectory task(dataset, {}, stream);
  Model model = model_for(task, "pooled");
  const Prediction prediction = task.predict(model);
  EXPECT_EQ(prediction.columns,
            (std::vector<std::string>{"name", "predicted", "p_gradient", "p_curl", "part", "truth"}));
  ASSERT_EQ(prediction.rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& row = prediction.rows[i];
    const Tensor p = prediction.numbers[static_cast<std::int64_t>(i)];
    ASSERT_EQ(row.size(), 6u);
    EXPECT_EQ(row[0], dataset.item_names[i]);
    EXPECT_EQ(row[1], dataset.class_names[static_cast<std::size_t>(p.argmax().item<std::int64_t>())]);
    for (const int c : {0, 1})
      EXPECT_EQ(std::stod(row[2 + static_cast<std::size_t>(c)]), p[c].item<double>());
  }
}

TEST(PredictComplexes, AloneAndInABatchAgree) {
  const ComplexDataset dataset = cycles_and_paths();
  Model model = model_for(GraphClassification(dataset, {all(24), {}, {}}, stream), "pooled");
  const Tensor together = predicted(model, dataset);
  ASSERT_EQ(together.sizes(), (torch::IntArrayRef{24, 2}));
  for (const int size : {1, 5})
    EXPECT_LT((predicted(model, dataset, size) - together).abs().max().item<double>(), 1e-6);
  ComplexDataset points;  // no edges: the order that the model knows is empty
  points.name = "points";
  ComplexBuilder builder;
  builder.add_vertices(3);
  points.complexes = {builder.build(), dataset.complexes[0]};
  points.features = {{torch::ones({3, 1}), torch::zeros({0, 1})}, dataset.features[0]};
  points.widths = {1, 1};
  points.labels = torch::full({2}, unknown_label, torch::kInt64);
  EXPECT_LT((predicted(model, points)[1] - together[0]).abs().max().item<double>(), 1e-6);
}

TEST(PredictSimplices, ClassesAreNeverAnInput) {
  ValueDataset dataset = coface_counts_dataset();
  dataset.class_names = {"a", "b", "c"};
  dataset.features = {Tensor(), torch::ones({dataset.complex.count(1), 1}, torch::kFloat64), Tensor()};
  ValueDataset unknown = dataset;
  unknown.values[1] = torch::full_like(dataset.values[1], NAN);
  dataset.values[1] = dataset.values[1].nan_to_num(1) - 1;
  const SimplexClassificationOptions options{.order = 1};
  Model model =
      model_for(SimplexClassification(dataset, {all(dataset.complex.count(1)), {}, {}}, options), "simplex");
  const Tensor found = SimplexClassification(dataset, {}, options).predict(model).numbers;
  ASSERT_EQ(found.sizes(), (torch::IntArrayRef{dataset.complex.count(1), 3}));
  EXPECT_TRUE(torch::equal(found, SimplexClassification(unknown, {}, options).predict(model).numbers));
}

TEST(PredictValues, UseEveryKnownValueInTheUnitsOfTheData) {
  const ValueDataset dataset = coface_counts_dataset();
  for (const ScaleChoice scale : {ScaleChoice::none, ScaleChoice::standard}) {
    ImputationOptions options;
    options.scale = scale;
    Model model = model_for(Imputation(dataset, {0, 1}, stream, options), "simplex");
    const auto found_in = [&](const ValueDataset& data) {  // of a model that was trained on others
      return Imputation(data, {0, 1}, stream, options, {}, true).predict(model).numbers.select(1, 1);
    };
    const Tensor found = found_in(dataset);
    ASSERT_EQ(found.sizes(), (torch::IntArrayRef{dataset.complex.count(1)}));
    EXPECT_TRUE(found.isfinite().all().item<bool>());
    ValueDataset changed = dataset;
    changed.values[1] = dataset.values[1].clone();
    changed.values[1][0] += 1;
    EXPECT_FALSE(torch::allclose(found, found_in(changed)));
    if (scale == ScaleChoice::none) continue;
    changed.values[1] = 3 * dataset.values[1] + 100;  // other units: other fill and scale, the same pattern
    EXPECT_TRUE(torch::allclose(found_in(changed), 3 * found + 100, 1e-4));
  }
}

TEST(PredictValues, KnownOnesStayAndTheRunsOwnAreFoundFromItsInput) {
  const ValueDataset dataset = coface_counts_dataset();  // the value of edge 3 is unknown
  const Imputation task(dataset, {0, 1}, stream, {.order = 1}),
      new_data(dataset, {0, 1}, stream, {.order = 1}, {}, true);
  Model model = model_for(task, "simplex");
  const Prediction of_run = task.predict(model), of_new = new_data.predict(model);
  EXPECT_EQ(of_run.columns,
            (std::vector<std::string>{"v0", "v1", "value", "known", "predicted", "part", "truth"}));
  const Tensor known = dataset.values[1].isnan().logical_not();
  for (const Prediction& prediction : {of_run, of_new}) {
    const Tensor value = prediction.numbers.select(1, 0);
    EXPECT_TRUE(value.masked_select(known).equal(dataset.values[1].masked_select(known)));
    EXPECT_EQ(value[3].item<double>(), of_new.numbers[3][1].item<double>());  // with all that is known
  }
  // What the run had to find was not in its input.
  EXPECT_FALSE(of_run.numbers.select(1, 1).equal(of_new.numbers.select(1, 1)));
  ValueDataset changed = dataset;
  changed.values[1] = dataset.values[1].clone();
  changed.values[1][0] += 5;
  const Imputation of_changed(changed, {0, 1}, stream, {.order = 1});
  EXPECT_TRUE(of_changed.predict(model).numbers.select(1, 1).equal(of_run.numbers.select(1, 1)));
}

std::string part_and_truth(const Prediction& prediction, std::size_t row) {
  const auto& texts = prediction.rows[row];
  return texts[texts.size() - 2] + "|" + texts.back();
}

TEST(PredictedRows, HaveThePartAndTheTruthWhereItIsKnown) {
  SignalDataset signals = gradients_and_curls(4);
  signals.class_names = {"gradient", "curl"};
  signals.labels[3] = unknown_label;
  const Trajectory trajectory(signals, {{0}, {1}, {2}}, stream), published(signals, {{0}, {2}, {2}}, stream);
  Model model = model_for(trajectory, "pooled");
  const Prediction of_signals = trajectory.predict(model);
  EXPECT_EQ(part_and_truth(of_signals, 0), "train|gradient");
  EXPECT_EQ(part_and_truth(of_signals, 1), "validation|curl");
  EXPECT_EQ(part_and_truth(of_signals, 2), "test|gradient");
  EXPECT_EQ(part_and_truth(of_signals, 3), "|");
  EXPECT_EQ(part_and_truth(published.predict(model), 2), "test|gradient");  // of several parts the last

  const ValueDataset values = coface_counts_dataset();  // the value of edge 3 is unknown
  const Imputation imputation(values, {0, 1}, stream, {.order = 1}),
      new_data(values, {0, 1}, stream, {.order = 1}, {}, true);
  Model of_edges = model_for(imputation, "simplex");
  const Prediction of_values = imputation.predict(of_edges);
  const std::string first = concat("|", values.values[1][0].item<double>());
  EXPECT_EQ(part_and_truth(of_values, 0), "test" + first);
  EXPECT_EQ(part_and_truth(of_values, 3), "|");
  EXPECT_EQ(part_and_truth(new_data.predict(of_edges), 0), first);  // an input there: nobody judges by it
}

CandidateDataset disc_candidates() {
  CandidateDataset dataset;
  dataset.name = "disc";
  dataset.complex = example_complex("disc").complex;
  const auto count = static_cast<std::size_t>(dataset.complex.count(2));
  dataset.is_candidate.assign(count, true);
  dataset.is_candidate[0] = false;
  std::vector<std::int64_t> labels(count, unknown_label);
  labels[1] = 1;
  labels[2] = 0;
  dataset.labels = torch::tensor(labels, torch::kInt64);
  dataset.features = {Tensor(), random_signal(dataset.complex.count(1), 1, "edges", torch::kFloat64)};
  return dataset;
}

TEST(PredictCandidates, DoNotDependOnWhichOthersAreAsked) {
  const CandidateDataset dataset = disc_candidates();
  SimplexPredictionOptions options;
  CandidateParts parts{{{1, 2}, {}, {}}, {}, {}};
  const SimplexPrediction task(dataset, parts, options);
  Model model = model_for(task, "tuple");
  const auto found_in = [&](const CandidateDataset& data) {
    return SimplexPrediction(data, parts, options).predict(model).numbers.squeeze(1);
  };
  const Prediction prediction = task.predict(model);
  const Tensor found = found_in(dataset);
  const std::int64_t candidates = dataset.complex.count(2) - 1;  // the first is none
  ASSERT_EQ(found.size(0), candidates);
  ASSERT_EQ(prediction.rows.size(), static_cast<std::size_t>(candidates));
  for (std::int64_t i = 0; i < candidates; ++i)
    for (std::size_t v = 0; v < 3; ++v)
      EXPECT_EQ(prediction.rows[static_cast<std::size_t>(i)][v],
                std::to_string(dataset.complex.vertices(2, static_cast<Index>(i) + 1)[v]));
  EXPECT_TRUE(found.gt(0).all().item<bool>());
  EXPECT_EQ(part_and_truth(prediction, 0), "train|1");  // rows are the candidates: the first simplex is none
  EXPECT_EQ(part_and_truth(prediction, 1), "train|0");
  EXPECT_EQ(part_and_truth(prediction, 2), "|");
  // Without one unknown candidate, whose faces stay.
  CandidateDataset fewer = dataset;
  ComplexBuilder builder;
  for (Index i = 0; i < dataset.complex.count(1); ++i) builder.add(dataset.complex.vertices(1, i));
  const Index last = dataset.complex.count(2) - 1;
  for (Index i = 0; i < last; ++i) builder.add(dataset.complex.vertices(2, i));
  fewer.complex = builder.build();
  fewer.is_candidate.pop_back();
  fewer.labels = dataset.labels.narrow(0, 0, last);
  EXPECT_TRUE(torch::allclose(found_in(fewer), found.narrow(0, 0, candidates - 1), 0, 1e-6));
  // No label is an input, be it 0 or 1.
  CandidateDataset other = dataset;
  other.labels = torch::full_like(dataset.labels, unknown_label);
  EXPECT_TRUE(found_in(other).equal(found));
  other.labels = 1 - dataset.labels.clamp_min(0);
  EXPECT_TRUE(found_in(other).equal(found));
}

TEST(PredictCandidates, OfNewDataAreAllJudgedAndNoneIsInTheComplex) {
  const CandidateDataset dataset = disc_candidates();
  const CandidateParts parts = judged_candidates(dataset);
  EXPECT_EQ(parts.split.test, (Items{1, 2}));  // those of known label
  EXPECT_TRUE(parts.message.empty() && parts.split.train.empty() && parts.split.validation.empty());
  const SimplexPrediction task(dataset, parts, {});
  EXPECT_EQ(task.complex().count(2), 1);  // the one that is no candidate
  EXPECT_NE(task.notes().front().find("no candidate is among them"), std::string::npos);
}

TEST(Predict, DataThatDoNotFitAreAnErrorWithBothValues) {
  const SignalDataset dataset = gradients_and_curls();
  Model model = model_for(Trajectory(dataset, {all(20), {}, {}}, stream), "pooled");
  SignalDataset wide = dataset;
  wide.signals = dataset.signals.repeat({1, 1, 3});
  expect_error(Fault::argument, {"features per order", "[0, 1, 0] in the model", "[0, 3, 0] for the data"},
               [&] { predicted(model, wide); });
  SignalDataset more = dataset;
  more.classes = 3;
  expect_error(Fault::argument, {"numbers of an answer", "2 in the model", "3 for the data"},
               [&] { predicted(model, more); });
}

TEST(MatchClasses, NumbersThemAsTheRunDid) {
  SignalDataset dataset = gradients_and_curls(3);
  dataset.class_names = {"curl", "gradient"};
  dataset.labels = torch::tensor({0, -1, 1}, torch::kInt64);
  match_classes(dataset, {"gradient", "other", "curl"});
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({2, -1, 0}, torch::kInt64)));
  EXPECT_EQ(dataset.classes, 3);
  expect_error(Fault::argument, {"'other'", "gradient, curl"}, [&] {
    match_classes(dataset, {"gradient", "curl"});
  });
  ValueDataset values{.name = "values",
                      .complex = dataset.complex,
                      .values = {torch::tensor({1., double{NAN}, 0.}, torch::kFloat64)}};
  values.class_names = {"x", "y"};
  match_classes(values, {"y", "x"});
  EXPECT_EQ(values.values[0][0].item<double>(), 0);
  EXPECT_EQ(values.values[0][2].item<double>(), 1);
}

TEST(ClassNames, AreThoseOfTheDataOrTheNumbers) {
  SignalDataset dataset = gradients_and_curls(4);
  EXPECT_EQ(Trajectory(dataset, {all(4), {}, {}}, stream).class_names(),
            (std::vector<std::string>{"0", "1"}));
  dataset.class_names = {"a", "b"};
  EXPECT_EQ(Trajectory(dataset, {all(4), {}, {}}, stream).class_names(), dataset.class_names);
}

}  // namespace
}  // namespace gsan
