#include "gsan/tasks/imputation/task.h"

#include <algorithm>
#include <cmath>

#include "gsan/models/backbones/layers.h"
#include "gsan/tasks/imputation/missing_rows.h"
#include "gsan/tasks/shared/neighbor_rules.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"
#include "tasks/task_samples.h"

namespace gsan {
namespace {

TEST(Imputation, HiddenValuesNeverReachAnInput) {
  const ValueDataset dataset = coface_counts_dataset();
  const std::int64_t rows = dataset.values[1].size(0);
  const auto missing = random_mask(rows, 20, RandomStream(4, "mask"));
  ValueDataset changed = dataset;
  changed.values[1] = dataset.values[1].clone();
  const Imputation first(dataset, missing, RandomStream(0, "task"), {.order = 1});
  for (const std::int64_t row : missing) changed.values[1][row] = 1e6;
  const Imputation second(changed, missing, RandomStream(0, "task"), {.order = 1});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(first, phase), inputs_of(second, phase));
  // Values to choose by stand as the fill in every input until the epoch is chosen.
  ValueDataset moved = dataset;
  moved.values[1] = dataset.values[1].clone();
  moved.values[1].index_fill_(0, first.rows(Phase::validation), -1e6);
  const Imputation third(moved, missing, RandomStream(0, "task"), {.order = 1});
  for (const Phase phase : {Phase::train, Phase::validation})
    expect_same(inputs_of(first, phase), inputs_of(third, phase));
  const auto withheld = [&](const ValueDataset& data) {
    return inputs_of(
        Imputation(data, missing, RandomStream(0, "task"), {.order = 1, .validation_at_test = false}),
        Phase::test);
  };
  expect_same(withheld(dataset), withheld(moved));
}

TEST(Imputation, ValuesThatChoseTheEpochAreKnownToTheTestPart) {
  const ValueDataset dataset = coface_counts_dataset();
  const auto missing = random_mask(dataset.values[1].size(0), 20, RandomStream(4, "mask"));
  const Imputation task(dataset, missing, RandomStream(0, "task"), {.order = 1, .mark = true});
  const Tensor marks = task.batch(Phase::test, 0, 0).signals[1].select(-1, 1);
  const Tensor given = marks.nonzero().squeeze(1), &train = task.rows(Phase::train),
               &chosen_by = task.rows(Phase::validation);
  ASSERT_GT(chosen_by.numel(), 0);
  EXPECT_TRUE(given.equal(std::get<0>(torch::cat({train, chosen_by}).sort())));
}

TEST(Imputation, TheFacetRuleAddsTheLeastOfEachFacet) {
  // Triangle 0 1 2 and edge 2 3; the vertex 2 is in both.
  const auto complex =
      SimplicialComplex::from_sorted_tables({{0, 1, 2, 3}, {0, 1, 0, 2, 1, 2, 2, 3}, {0, 1, 2}});
  const ComplexOperators operators(complex);
  const Tensor values = torch::tensor({5.0, 9.0, 100.0, 7.0}, torch::kFloat64);
  const auto rule = [&](std::vector<std::int64_t> known) {
    return facet_sum_rule(operators, 0, values, torch::tensor(known, torch::kInt64), -1);
  };
  EXPECT_TRUE(rule({0, 1, 3}).equal(torch::tensor({9.0, 5.0, 12.0, -1.0}, torch::kFloat64)));
  EXPECT_TRUE(rule({3}).equal(torch::tensor({-1.0, -1.0, 7.0, -1.0}, torch::kFloat64)));
}

TEST(Imputation, EveryStepHidesOthersAndTheLossIsOnThem) {
  const ValueDataset dataset = coface_counts_dataset();
  const Imputation task(dataset, {}, RandomStream(0, "task"), {.order = 1});
  const Batch batch = task.batch(Phase::train, 0, 0);
  EXPECT_FALSE(batch.rows.equal(task.batch(Phase::train, 0, 1).rows));
  EXPECT_TRUE(batch.rows.equal(task.batch(Phase::train, 0, 0).rows));
  EXPECT_TRUE((batch.signals[1].squeeze(-1).index_select(0, batch.rows) == task.fill()).all().item<bool>());
  EXPECT_FALSE(batch.targets.isnan().any().item<bool>());
}

TEST(Imputation, CopyingTheDamagedInputHasAClosedForm) {
  const ValueDataset dataset = coface_counts_dataset();
  const Tensor values = (dataset.values[1].nan_to_num(1)).clone();
  const std::int64_t rows = values.size(0);
  const auto mask = random_mask(rows, 30, RandomStream(2, "mask"));
  std::vector<std::int64_t> known;
  for (std::int64_t i = 0; i < rows; ++i)
    if (!std::binary_search(mask.begin(), mask.end(), i)) known.push_back(i);
  const double fill = 3;
  ValueMeter meter;
  meter.add(fill_rule(values, torch::tensor(known, torch::kInt64), fill), values);
  double right = static_cast<double>(known.size());
  for (const std::int64_t i : mask)
    right += std::abs(values[i].item<double>() - fill) <= 0.05 * values[i].item<double>();
  EXPECT_DOUBLE_EQ(meter.value().front().second, 100 * right / static_cast<double>(rows));
}

TEST(Imputation, NeighborModeTakesTheSmallestOfEquals) {
  // Two triangles with a common edge: the edge's upper neighbours are the four others.
  ComplexBuilder builder;
  builder.add({0, 1, 2}).add({1, 2, 3});
  const SimplicialComplex complex = builder.build();
  const Tensor values = torch::tensor({5.0, 4.0, 9.0, 5.0, 4.0}, torch::kFloat64);  // 01 02 12 13 23
  const Tensor known = torch::tensor({0, 1, 3, 4}, torch::kInt64);
  EXPECT_EQ(neighbor_mode_rule(complex, 1, values, known, 7)[2].item<double>(), 4);
  EXPECT_EQ(neighbor_mode_rule(complex, 1, values, torch::empty({0}, torch::kInt64), 7)[2].item<double>(), 7);
}

TEST(Imputation, RefusesWhatIsNotThere) {
  const ValueDataset dataset = coface_counts_dataset();
  expect_error(Fault::argument, {"has no values of order 0"},
               [&] { Imputation(dataset, {}, RandomStream(0, "t"), {.order = 0}); });
  expect_error(Fault::argument, {"row -1"},
               [&] { Imputation(dataset, {-1}, RandomStream(0, "t"), {.order = 1}); });
}

TEST(Imputation, EveryBackboneWorks) {
  const Imputation task(coface_counts_dataset(), {1, 5, 9}, RandomStream(0, "task"), {.order = 1});
  expect_models_work(task, one_of_each("simplex", 1));
  const PublishedImputation published(coface_counts_dataset(), {1, 5, 9}, RandomStream(0, "task"),
                                      {.order = 1});
  expect_models_work(published, one_of_each("none", 1));
  expect_error(Fault::argument, {"gin", "[0, 1, 0]", "the orders [0]"},
               [&] { Model(small("gin", "simplex"), task.shape()); });
}

TEST(Imputation, PublishedCountsKnownAndMissingWithTheMedianOfAll) {
  const ValueDataset dataset = coface_counts_dataset();
  const auto missing = random_mask(dataset.values[1].size(0), 30, RandomStream(4, "mask"));
  const PublishedImputation task(dataset, missing, RandomStream(0, "task"), {.order = 1});
  const Tensor all = dataset.values[1].isnan().logical_not().nonzero().squeeze(1);
  EXPECT_EQ(task.fill(), median_of(dataset.values[1].index_select(0, all)));
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test}) {
    EXPECT_EQ(task.batch_count(phase, 0), 1);
    EXPECT_TRUE(task.batch(phase, 0, 0).rows.equal(all));
    EXPECT_TRUE(task.batch(phase, 5, 0).signals[1].equal(task.batch(Phase::test, 0, 0).signals[1]));
  }
  const Tensor input = task.batch(Phase::test, 0, 0).signals[1].squeeze(-1);
  for (const std::int64_t row : missing) EXPECT_EQ(input[row].item<double>(), task.fill());
  EXPECT_EQ(task.choosing_metric(), "within_5_percent");
  EXPECT_TRUE(task.more_is_better());
  EXPECT_EQ(task.parts().back(), (std::pair<std::string, Items>{"missing", missing}));
  EXPECT_GE(task.remarks().size(), 3u);

  // The rule that copies what it is given, exactly for this mask: 1 − (m/N)(1 − q of the mask).
  double right = static_cast<double>(all.numel());
  for (const std::int64_t row : missing) {
    const double value = dataset.values[1][row].item<double>();
    if (!std::isnan(value)) right -= std::abs(value - task.fill()) > 0.05 * std::abs(value);
  }
  EXPECT_DOUBLE_EQ(rule(task, "copy of the damaged input", "within_5_percent"),
                   100 * right / static_cast<double>(all.numel()));

  // The last layer, one wide, is the output.
  const auto options = small("san", "none", {.signal_order = 1}).backbone.as<LayersOptions>();
  EXPECT_EQ(network_options(options, task.shape(), true).widths, (std::vector<int>{8, 1}));
}

TEST(Imputation, PublishedLossMayBeOnTheKnownAlone) {
  const ValueDataset dataset = coface_counts_dataset();
  const auto missing = random_mask(dataset.values[1].size(0), 30, RandomStream(4, "mask"));
  const PublishedImputation all(dataset, missing, RandomStream(0, "task"), {.order = 1}),
      known(dataset, missing, RandomStream(0, "task"), {.order = 1, .loss = LossChoice::known});
  std::vector<std::int64_t> rows;
  const Items with_missing = all.parts().front().second;
  for (const std::int64_t row : with_missing)
    if (!std::binary_search(missing.begin(), missing.end(), row)) rows.push_back(row);
  ASSERT_LT(rows.size(), with_missing.size());
  EXPECT_TRUE(known.batch(Phase::train, 0, 0).rows.equal(item_tensor(rows)));
  // All else stays: the input with its median of all, and what is reported.
  EXPECT_EQ(known.fill(), all.fill());
  EXPECT_TRUE(known.batch(Phase::train, 0, 0).signals[1].equal(all.batch(Phase::train, 0, 0).signals[1]));
  EXPECT_TRUE(known.rows(Phase::test).equal(all.rows(Phase::test)));
  EXPECT_TRUE(known.rows(Phase::validation).equal(all.rows(Phase::validation)));
  EXPECT_NE(known.remarks(), all.remarks());
}

TEST(Imputation, FillAndScaleComeFromTheValuesToTrainOn) {
  ValueDataset dataset = coface_counts_dataset();
  dataset.values[1] = 1000 + 50 * dataset.values[1];
  const Imputation task(dataset, {0, 1, 2}, RandomStream(0, "task"),
                        {.order = 1, .fill = FillChoice::mean, .scale = ScaleChoice::standard});
  const Tensor train = dataset.values[1].index_select(0, task.rows(Phase::train));
  EXPECT_DOUBLE_EQ(task.fill(), train.mean().item<double>());
  const Tensor input = task.batch(Phase::test, 0, 0).signals[1].squeeze(-1).to(torch::kFloat64);
  EXPECT_NEAR(input.index_select(0, task.rows(Phase::train)).square().mean().item<double>(), 1, 1e-5);
  EXPECT_EQ(input[0].item<double>(), 0);  // what is not given
  // Found values are in the units of the dataset.
  EXPECT_NEAR(task.found({input.unsqueeze(-1), {}})
                  .index_select(0, task.rows(Phase::train))
                  .sub(train)
                  .abs()
                  .max()
                  .item<double>(),
              0, 1e-3);
  const Imputation flow(dataset, {0}, RandomStream(0, "task"), {.order = 1, .fill = FillChoice::zero});
  EXPECT_EQ(flow.fill(), 0);
}

TEST(Imputation, LogarithmsAreUnitsOfTheModelAlone) {
  const ValueDataset dataset = coface_counts_dataset();
  const Imputation task(dataset, {0, 1, 2}, RandomStream(0, "task"), {.order = 1, .scale = ScaleChoice::log});
  const Tensor train = dataset.values[1].index_select(0, task.rows(Phase::train));
  const Batch batch = task.batch(Phase::test, 0, 0);
  const Tensor input = batch.signals[1].squeeze(-1).to(torch::kFloat64);
  EXPECT_EQ(input[0].item<double>(), 0);  // the fill
  const Tensor logs = train.log(), deviation = (logs - logs.mean()).square().mean().sqrt();
  EXPECT_TRUE(torch::allclose(input.index_select(0, task.rows(Phase::train)),
                              (logs - std::log(task.fill())) / deviation, 1e-5, 1e-6));
  // An output equal to the input is the value itself, and costs nothing.
  const ModelOutput copy{input.unsqueeze(-1), {}};
  EXPECT_TRUE(torch::allclose(task.found(copy).index_select(0, task.rows(Phase::train)), train));
  Batch known = batch;
  known.rows = task.rows(Phase::train);
  known.targets = train;
  EXPECT_NEAR(task.loss(copy, known).item<double>(), 0, 1e-6);

  ValueDataset negative = dataset;
  negative.values[1] = dataset.values[1] - 100;
  expect_error(Fault::argument, {"imputation.scale = log", "above 0"}, [&] {
    Imputation(negative, {}, RandomStream(0, "t"), {.order = 1, .scale = ScaleChoice::log});
  });
  // Not to train on, but judged by: its logarithm would make the loss infinite.
  ValueDataset missing_zero = dataset;
  missing_zero.values[1] = dataset.values[1].clone();
  missing_zero.values[1][0] = 0;
  expect_error(Fault::argument, {"imputation.scale = log", "smallest is 0"}, [&] {
    Imputation(missing_zero, {0}, RandomStream(0, "t"), {.order = 1, .scale = ScaleChoice::log});
  });
}

TEST(Imputation, TheEpochIsChosenByWhatTheOptionsName) {
  using Chosen = std::tuple<std::string, std::string, bool>;
  const auto choosing_of = [](const Task& task) {
    return Chosen(task.choosing_metric(), task.tie_metric(), task.more_is_better());
  };
  const auto choosing = [&](ChooseBy by) {
    return choosing_of(
        Imputation(coface_counts_dataset(), {0, 1}, RandomStream(0, "task"), {.order = 1, .choose_by = by}));
  };
  EXPECT_EQ(choosing(ChooseBy::mae), Chosen("mae", "", false));
  EXPECT_EQ(choosing(ChooseBy::loss), Chosen("loss", "", false));
  EXPECT_EQ(choosing(ChooseBy::within), Chosen("within_5_percent", "loss", true));
  EXPECT_EQ(choosing_of(PublishedImputation(coface_counts_dataset(), {0, 1}, RandomStream(0, "task"),
                                            {.order = 1, .choose_by = ChooseBy::mae})),
            Chosen("within_5_percent", "", true));
}

TEST(Imputation, TheLossOfTheMeterIsThatOfTheSteps) {
  for (const ScaleChoice scale : {ScaleChoice::none, ScaleChoice::log}) {
    const Imputation task(coface_counts_dataset(), {0, 1}, RandomStream(0, "task"),
                          {.order = 1, .scale = scale, .snap = true});
    const Batch batch = task.batch(Phase::validation, 0, 0);
    const ModelOutput output{batch.signals[1].narrow(-1, 0, 1) + 0.25, {}};
    const auto meter = task.meter(Phase::validation);
    meter->add(output, batch);
    const Metrics metrics = meter->value();
    ASSERT_EQ(metrics.back().first, "loss");
    EXPECT_NEAR(metrics.back().second, task.loss(output, batch).item<double>(), 1e-6);
    // A value that nobody knows counts in none of the numbers.
    Batch unknown = batch;
    unknown.targets = torch::full_like(batch.targets, std::nan(""));
    meter->add(output, unknown);
    EXPECT_EQ(meter->value(), metrics);
  }
}

TEST(Imputation, TheMarkTellsGivenValuesFromTheFill) {
  const Imputation task(coface_counts_dataset(), {0, 1}, RandomStream(0, "task"), {.order = 1, .mark = true});
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test}) {
    const Batch batch = task.batch(phase, 0, 0);
    ASSERT_EQ(batch.signals[1].size(-1), 2);
    const Tensor mark = batch.signals[1].select(-1, 1);
    EXPECT_FALSE(mark.index_select(0, batch.rows).any().item<bool>());  // what is sought is not given
    auto given = task.rows(Phase::train).numel();
    if (phase == Phase::train) given -= batch.rows.numel();
    if (phase == Phase::test) given += task.rows(Phase::validation).numel();
    EXPECT_EQ(mark.sum().item<double>(), static_cast<double>(given));
  }
  expect_models_work(task, one_of_each("simplex", 1));
}

TEST(Imputation, SnappedValuesAreTheNearestOfThoseToTrainOn) {
  ValueDataset dataset = coface_counts_dataset();
  Tensor& values = dataset.values[1];
  values = torch::arange(values.numel(), torch::kFloat64).remainder(3) * 10 + 10;  // 10, 20, 30
  values[0] = 1000;                                                                // missing: no level
  const Tensor asked = torch::full_like(values, 12).unsqueeze(-1);
  for (const auto& [y, nearest] :
       {std::pair{-5.0, 10.0}, {14.9, 10.0}, {15.1, 20.0}, {20.0, 20.0}, {999.0, 30.0}}) {
    const Imputation task(dataset, {0}, RandomStream(0, "task"), {.order = 1, .snap = true});
    EXPECT_EQ(task.found({torch::full_like(asked, y), {}})[1].item<double>(), nearest) << y;
  }
  // The loss is on what the model says: snapping has no gradient.
  const Imputation task(dataset, {0}, RandomStream(0, "task"), {.order = 1, .snap = true});
  const Batch batch = task.batch(Phase::train, 0, 0);
  const Tensor output = asked.clone().requires_grad_();
  task.loss({output, {}}, batch).backward();
  EXPECT_GT(output.grad().abs().sum().item<double>(), 0);
}

TEST(Imputation, FeaturesStandBesideTheValue) {
  ValueDataset dataset = coface_counts_dataset();
  dataset.features = {torch::ones({dataset.complex.count(0), 2}, torch::kFloat64),
                      torch::ones({dataset.complex.count(1), 3}, torch::kFloat64)};
  const Imputation task(dataset, {0, 1}, RandomStream(0, "task"), {.order = 1});
  const Batch batch = task.batch(Phase::train, 0, 0);
  EXPECT_EQ(batch.signals[0].size(-1), 2);
  EXPECT_EQ(batch.signals[1].size(-1), 4);
  expect_models_work(task, one_of_each("simplex", 1));
}

TEST(Imputation, RulesAnswerTheTestPartFromAllThatIsKnown) {
  ValueDataset dataset = coface_counts_dataset();
  dataset.values[1] = torch::arange(1, dataset.values[1].size(0) + 1, torch::kFloat64).square();
  const auto rules = [&](double validation) {
    const Imputation task(dataset, {0, 2, 5, 7}, RandomStream(1, "steps"),
                          {.order = 1, .validation = validation});
    EXPECT_EQ(task.rows(Phase::validation).numel() > 0, validation > 0);
    std::vector<Metrics> found;
    for (const RuleResult& one : task.rules(Phase::test)) found.push_back(one.metrics);
    return found;
  };
  EXPECT_EQ(rules(0).size(), 3);
  EXPECT_EQ(rules(0), rules(0.7));
}

TEST(Imputation, TheComplexIsKeptUpToTheCofacesOrWhole) {
  ComplexBuilder builder;
  builder.add({0, 1, 2, 3, 4});
  ValueDataset dataset{.name = "simplex", .complex = builder.build(), .values = {}};
  for (int k = 0; k <= 4; ++k)
    dataset.values.push_back(torch::ones({dataset.complex.count(k)}, torch::kFloat64));
  const Imputation task(dataset, {0}, RandomStream(0, "task"), {.order = 1});
  EXPECT_EQ(task.dataset().complex.order(), 2);
  EXPECT_EQ(task.dataset().complex.count(1), 10);
  const Imputation whole(dataset, {0}, RandomStream(0, "task"), {.order = 1, .all_orders = true});
  EXPECT_EQ(whole.dataset().complex.order(), 4);
  EXPECT_EQ(rule(whole, "sum over facets of the least", "within_5_percent"), 100);
}

}  // namespace
}  // namespace gsan
