#include "gsan/tasks/prediction.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gsan/models/presets.h"

#include "support/expect_error.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

ModelOptions small(int order) {
  ModelOptions options;
  options.network.layer = presets::gsan({.in_channels = 1, .out_channels = 8, .order = order});
  options.network.widths = {8, 8};
  options.pooled.hidden_channels = 8;
  return options;
}

Items all(std::int64_t count) {
  Items items(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items[static_cast<std::size_t>(i)] = i;
  return items;
}

template <class TaskType>
Model model_for(const TaskType& task, int order) {
  return Model(task.complete(small(order)), RandomStream(2, "weights"));
}

const RandomStream stream(1, "batches");

SignalDataset without_labels(SignalDataset dataset) {
  dataset.labels = torch::full_like(dataset.labels, unknown_label);
  return dataset;
}

TEST(PredictSignals, AloneAndInABatchAgreeAndLabelsDoNotMatter) {
  const SignalDataset dataset = gradients_and_curls();
  Model model = model_for(TrajectoryClassification(dataset, {all(20), {}, {}}, stream), 2);
  const Tensor together = predict_classes(model, without_labels(dataset), {.batch_size = 64}, stream);
  ASSERT_EQ(together.sizes(), (torch::IntArrayRef{20, 2}));
  EXPECT_TRUE(torch::allclose(together.sum(1), torch::ones({20}, torch::kFloat64)));
  EXPECT_GT(together.select(1, 0).std().item<double>(), 1e-6);
  EXPECT_TRUE(torch::equal(together, predict_classes(model, dataset, {.batch_size = 64}, stream)));
  for (const int size : {1, 3, 7})
    EXPECT_LT(
        (predict_classes(model, dataset, {.batch_size = size}, stream) - together).abs().max().item<double>(),
        1e-6);
  for (const std::int64_t i : {0, 13}) {
    SignalDataset one = dataset;
    one.signals = dataset.signals.narrow(0, i, 1);
    one.labels = dataset.labels.narrow(0, i, 1);
    EXPECT_LT((predict_classes(model, one, {}, stream)[0] - together[i]).abs().max().item<double>(), 1e-6);
  }
}

TEST(PredictSignals, AreWhatTheTaskMeasures) {
  const SignalDataset dataset = gradients_and_curls();
  const TrajectoryClassification task(dataset, {all(20), {}, all(20)}, stream, {});
  Model model = model_for(task, 2);
  const Metrics measured = evaluate(task, model, Phase::test);
  ClassMeter meter(2);
  meter.add(predict_classes(model, dataset, {}, stream).log(), dataset.labels);
  const Metrics found = meter.value();
  ASSERT_EQ(found.size(), measured.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].first, measured[i].first);
    EXPECT_NEAR(found[i].second, measured[i].second, 1e-5);
  }
}

TEST(PredictComplexes, AloneAndInABatchAgree) {
  const ComplexDataset dataset = cycles_and_paths();
  Model model = model_for(GraphClassification(dataset, {all(24), {}, {}}, stream), 1);
  const Tensor together = predict_classes(model, dataset, {});
  ASSERT_EQ(together.sizes(), (torch::IntArrayRef{24, 2}));
  for (const int size : {1, 5})
    EXPECT_LT((predict_classes(model, dataset, {.batch_size = size}) - together).abs().max().item<double>(),
              1e-6);
  ComplexDataset points;  // no edges: the order that the model knows is empty
  points.name = "points";
  ComplexBuilder builder;
  builder.add_vertices(3);
  points.complexes = {builder.build(), dataset.complexes[0]};
  points.features = {{torch::ones({3, 1}), torch::zeros({0, 1})}, dataset.features[0]};
  points.widths = {1, 1};
  points.labels = torch::full({2}, unknown_label, torch::kInt64);
  EXPECT_LT((predict_classes(model, points, {})[1] - together[0]).abs().max().item<double>(), 1e-6);
  points.complexes.pop_back();
  points.features = {{torch::ones({3, 1})}};
  points.widths = {1};
  points.labels = points.labels.narrow(0, 0, 1);
  EXPECT_EQ(predict_classes(model, points, {}).size(0), 1);
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
      model_for(SimplexClassification(dataset, {all(dataset.complex.count(1)), {}, {}}, options), 2);
  const Tensor found = predict_classes(model, dataset, options);
  ASSERT_EQ(found.sizes(), (torch::IntArrayRef{dataset.complex.count(1), 3}));
  EXPECT_TRUE(torch::equal(found, predict_classes(model, unknown, options)));
}

TEST(PredictValues, UseEveryKnownValueInTheUnitsOfTheData) {
  const ValueDataset dataset = coface_counts_dataset();
  for (const ScaleChoice scale : {ScaleChoice::none, ScaleChoice::standard}) {
    ImputationOptions options;
    options.scale = scale;
    Model model = model_for(Imputation(dataset, {0, 1}, stream, options), 2);
    const Tensor found = predict_values(model, dataset, options);
    ASSERT_EQ(found.sizes(), (torch::IntArrayRef{dataset.complex.count(1)}));
    EXPECT_TRUE(found.isfinite().all().item<bool>());
    ValueDataset changed = dataset;
    changed.values[1] = dataset.values[1].clone();
    changed.values[1][0] += 1;
    EXPECT_FALSE(torch::allclose(found, predict_values(model, changed, options)));
    if (scale == ScaleChoice::none) continue;
    changed.values[1] = 3 * dataset.values[1] + 100;  // other units: other fill and scale, the same pattern
    EXPECT_TRUE(torch::allclose(predict_values(model, changed, options), 3 * found + 100, 1e-4));
  }
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
  Model model = model_for(SimplexPrediction(dataset, parts, options), 2);
  const Tensor found = predict_candidates(model, dataset, options);
  ASSERT_EQ(found.size(0), dataset.complex.count(2));
  EXPECT_TRUE(std::isnan(found[0].item<double>()));
  EXPECT_TRUE(found.narrow(0, 1, found.size(0) - 1).gt(0).all().item<bool>());
  // Without one unknown candidate, whose faces stay.
  CandidateDataset fewer = dataset;
  ComplexBuilder builder;
  for (Index i = 0; i < dataset.complex.count(1); ++i) builder.add(dataset.complex.vertices(1, i));
  const Index last = dataset.complex.count(2) - 1;
  for (Index i = 0; i < last; ++i) builder.add(dataset.complex.vertices(2, i));
  fewer.complex = builder.build();
  fewer.is_candidate.pop_back();
  fewer.labels = dataset.labels.narrow(0, 0, last);
  EXPECT_TRUE(
      torch::allclose(predict_candidates(model, fewer, options), found.narrow(0, 0, last), 0, 1e-6, true));
  // A label 0 is no input either; a 1 is: the simplex belongs to the complex.
  CandidateDataset other = dataset;
  other.labels = dataset.labels.clone();
  other.labels[2] = unknown_label;
  EXPECT_TRUE(torch::allclose(predict_candidates(model, other, options), found, 0, 0, true));
}

TEST(Predict, DataThatDoNotFitAreAnErrorWithBothValues) {
  const SignalDataset dataset = gradients_and_curls();
  Model model = model_for(TrajectoryClassification(dataset, {all(20), {}, {}}, stream), 2);
  SignalDataset wide = dataset;
  wide.signals = dataset.signals.repeat({1, 1, 3});
  expect_error(Fault::argument, {"in_channels", "[0, 1, 0] in the model", "[0, 3, 0] for the data"},
               [&] { predict_classes(model, wide, {}, stream); });
  SignalDataset more = dataset;
  more.classes = 3;
  expect_error(Fault::argument, {"out_channels", "2 in the model", "3 for the data"},
               [&] { predict_classes(model, more, {}, stream); });
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
  EXPECT_EQ(class_names_of(TrajectoryClassification(dataset, {all(4), {}, {}}, stream)),
            (std::vector<std::string>{"0", "1"}));
  dataset.class_names = {"a", "b"};
  EXPECT_EQ(class_names_of(TrajectoryClassification(dataset, {all(4), {}, {}}, stream)), dataset.class_names);
}

}  // namespace
}  // namespace gsan
