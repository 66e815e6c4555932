#include "gsan/tasks/simplex_prediction/task.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "gsan/models/backbones/layers.h"
#include "gsan/nn/head_options.h"
#include "gsan/tasks/shared/auc.h"
#include "gsan/topology/builder.h"

#include "support/expect_error.h"
#include "tasks/task_probes.h"

namespace gsan {
namespace {

// Teams of 4 among 16 people, each a paper with some citations: a simplex's value is the sum over its papers.
ValueDataset papers(int count = 24) {
  RandomStream stream(3, "papers");
  ComplexBuilder builder;
  std::vector<std::vector<Vertex>> teams;
  std::vector<double> citations;
  for (int p = 0; p < count; ++p) {
    std::vector<Vertex> people = stream.permutation<Vertex>(16);
    people.resize(4);
    std::sort(people.begin(), people.end());
    teams.push_back(people);
    citations.push_back(1 + static_cast<double>(stream.below(12)));
    builder.add(people);
  }
  ValueDataset dataset{.name = "papers", .complex = builder.build(), .values = {}};
  for (int k = 0; k <= 3; ++k) {
    std::vector<double> values;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int32_t> sources;
    for (Index i = 0; i < dataset.complex.count(k); ++i) {
      const auto simplex = dataset.complex.vertices(k, i);
      double value = 0;
      for (int p = 0; p < count; ++p) {
        if (!std::includes(teams[p].begin(), teams[p].end(), simplex.begin(), simplex.end())) continue;
        value += citations[p];
        sources.push_back(p);
      }
      values.push_back(value);
      offsets.push_back(static_cast<std::int64_t>(sources.size()));
    }
    dataset.values.push_back(torch::tensor(values, torch::kFloat64));
    dataset.source_offsets.push_back(torch::tensor(offsets, torch::kInt64));
    dataset.sources.push_back(torch::tensor(sources, torch::kInt32));
  }
  dataset.source_count = count;
  dataset.source_values = torch::tensor(citations, torch::kFloat64);
  return dataset;
}

CandidateDataset candidates(const ValueDataset& dataset, int order = 2) {
  return candidates_of(dataset, order, SimplexPredictionOptions{}.threshold);
}

std::set<std::int64_t> sources_of(const ValueDataset& dataset, int k, const Items& items) {
  std::set<std::int64_t> all;
  for (const std::int64_t i : items)
    for (std::int64_t e = dataset.source_offsets[k][i].item<std::int64_t>();
         e < dataset.source_offsets[k][i + 1].item<std::int64_t>(); ++e)
      all.insert(dataset.sources[k][e].item<std::int64_t>());
  return all;
}

TEST(AreaUnderCurve, IsTheShareOfOrderedPairs) {
  const Tensor scores = torch::tensor({0.1, 0.4, 0.4, 0.8, 0.9}, torch::kFloat64);
  const Tensor labels = torch::tensor({0, 1, 0, 0, 1}, torch::kInt64);
  double pairs = 0;
  for (const int positive : {1, 4})
    for (const int negative : {0, 2, 3}) {
      const double difference = (scores[positive] - scores[negative]).item<double>();
      pairs += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
    }
  EXPECT_DOUBLE_EQ(area_under_curve(scores, labels), pairs / 6);
  expect_error(Fault::argument, {"both classes"},
               [&] { area_under_curve(scores, torch::ones_like(labels)); });
  expect_error(Fault::argument, {"finite"}, [&] { area_under_curve(scores / 0, labels); });
}

class SimplexPredictionCase : public testing::TestWithParam<CandidateSplit> {
 protected:
  static SimplexPredictionOptions options() { return {.order = 2, .split = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Splits, SimplexPredictionCase,
                         testing::Values(CandidateSplit::by_source, CandidateSplit::random));

TEST_P(SimplexPredictionCase, NothingHeldOutIsInTheComplexAndMessagesAreNotSupervised) {
  const ValueDataset dataset = papers();
  const SimplexPrediction task(candidates(dataset), RandomStream(1, "task"), options());
  EXPECT_EQ(task.complex().order(), 2);
  EXPECT_EQ(task.complex().count(2), static_cast<Index>(task.message().size()));
  for (const Items* part : {&task.split().train, &task.split().validation, &task.split().test}) {
    EXPECT_FALSE(part->empty());
    for (const std::int64_t i : *part)
      EXPECT_FALSE(task.complex().find(dataset.complex.vertices(2, static_cast<Index>(i))));
  }
  // Rows of the lower orders are those of the dataset.
  for (int k = 0; k < 2; ++k) EXPECT_EQ(task.complex().count(k), dataset.complex.count(k));
}

// The value of a simplex with the other label.
constexpr double turned = 15;  // v > 7 exactly when not 15 − v > 7

// Everything that the model and the loss are given, but the targets of held-out candidates.
void expect_same_inputs(const SimplexPrediction& a, const SimplexPrediction& b) {
  EXPECT_EQ(a.parts(), b.parts());
  EXPECT_EQ(a.message(), b.message());
  for (int k = 0; k <= 2; ++k)
    EXPECT_TRUE(std::ranges::equal(a.complex().vertex_table(k), b.complex().vertex_table(k)))
        << "order " << k;
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(a, phase), inputs_of(b, phase));  // with the targets of the part to train on
}

TEST(SimplexPrediction, HeldOutLabelsNeverReachAnInputOfASplitByPaper) {
  const ValueDataset dataset = papers();
  for (const CandidateFeatures features :
       {CandidateFeatures::counts, CandidateFeatures::counts_without_held_out, CandidateFeatures::constant}) {
    const SimplexPredictionOptions options{.order = 2, .features = features};
    const SimplexPrediction task(candidates(dataset), RandomStream(1, "task"), options);
    ValueDataset changed = dataset;
    changed.values[2] = dataset.values[2].clone();
    for (const Items* part : {&task.split().validation, &task.split().test})
      for (const std::int64_t i : *part) changed.values[2][i] = turned - changed.values[2][i];
    const SimplexPrediction other(candidates(changed), RandomStream(1, "task"), options);
    EXPECT_TRUE(other.labels(Phase::test).equal(1 - task.labels(Phase::test)));
    expect_same_inputs(task, other);
  }
}

// A stratified random split looks at the labels, by its nature: so it is drawn before.
TEST(SimplexPrediction, HeldOutLabelsNeverReachAnInputOfAGivenSplit) {
  const CandidateDataset dataset = candidates(papers());
  const CandidateParts parts =
      divide_candidates(dataset, CandidateSplit::random, 0.1, 0.1, 0.5, RandomStream(1, "task"));
  CandidateDataset changed = dataset;
  changed.labels = dataset.labels.clone();
  for (const Items* part : {&parts.split.validation, &parts.split.test})
    for (const std::int64_t i : *part) changed.labels[i] = 1 - changed.labels[i];
  const SimplexPrediction task(dataset, parts, {.order = 2}), other(changed, parts, {.order = 2});
  EXPECT_TRUE(other.labels(Phase::test).equal(1 - task.labels(Phase::test)));
  expect_same_inputs(task, other);
}

// A triangle per paper, positive ones first.
CandidateDataset triangles(int count, int positives) {
  CandidateDataset dataset;
  dataset.order = 2;
  ComplexBuilder builder;
  for (Vertex v = 0; v < 3 * count; v += 3) builder.add({v, v + 1, v + 2});
  dataset.complex = builder.build();
  dataset.is_candidate.assign(static_cast<std::size_t>(count), true);
  dataset.labels = torch::arange(count).lt(positives).to(torch::kInt64);
  dataset.source_count = count;
  dataset.source_offsets = {Tensor(), Tensor(), torch::arange(count + 1, torch::kInt64)};
  dataset.sources = {Tensor(), Tensor(), torch::arange(count, torch::kInt32)};
  return dataset;
}

TEST(SimplexPrediction, PapersAreDrawnAgainUntilEveryPartHasBothClasses) {
  const CandidateDataset dataset = triangles(12, 4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CandidateParts parts =
        divide_candidates(dataset, CandidateSplit::by_source, 0.2, 0.2, 0, RandomStream(seed, "split"));
    for (const Items* part : {&parts.split.train, &parts.split.validation, &parts.split.test}) {
      ASSERT_FALSE(part->empty());
      EXPECT_LT(part->front(), 4) << seed;
      EXPECT_GE(part->back(), 4) << seed;
      for (const std::int64_t i : *part) EXPECT_EQ(parts.held_out[i], part != &parts.split.train) << seed;
    }
  }
  // Where no draw can do it, one stands.
  const CandidateParts parts =
      divide_candidates(triangles(12, 1), CandidateSplit::by_source, 0.2, 0.2, 0, RandomStream(0, "split"));
  EXPECT_EQ(parts.split.train.size() + parts.split.validation.size() + parts.split.test.size(), 12u);
}

TEST(SimplexPrediction, SplitsByPaperShareNoPaper) {
  const ValueDataset dataset = papers();
  const SimplexPrediction task(candidates(dataset), RandomStream(2, "task"), {.order = 2});
  Items training = task.split().train;
  training.insert(training.end(), task.message().begin(), task.message().end());
  const auto train = sources_of(dataset, 2, training);
  // A held-out candidate may have further papers; what is trained on has none of the held-out ones, so every
  // test candidate has a paper that training never saw.
  for (const std::int64_t i : task.split().test) {
    const auto of = sources_of(dataset, 2, {i});
    EXPECT_TRUE(std::any_of(of.begin(), of.end(), [&](std::int64_t s) { return !train.contains(s); }));
  }
}

TEST(SimplexPrediction, FeaturesWithoutHeldOutPapersAreTheirSumsWithoutThem) {
  const ValueDataset dataset = papers();
  const SimplexPrediction all(candidates(dataset), RandomStream(2, "task"), {.order = 2});
  const SimplexPrediction without(candidates(dataset), RandomStream(2, "task"),
                                  {.order = 2, .features = CandidateFeatures::counts_without_held_out});
  const Tensor a = all.batch(Phase::test, 0, 0).signals[1], b = without.batch(Phase::test, 0, 0).signals[1];
  EXPECT_TRUE((b <= a).all().item<bool>());
  EXPECT_TRUE((b < a).any().item<bool>());
  EXPECT_TRUE((b >= 0).all().item<bool>());
}

TEST(SimplexPrediction, OnAlignedValuesTheMinimumRuleIsAlmostRight) {
  // A triangle's papers are papers of each of its edges: an edge is worth at least as much.
  const ValueDataset dataset = papers();
  const SimplexPrediction task(candidates(dataset), RandomStream(2, "task"),
                               {.order = 2, .split = CandidateSplit::random});
  EXPECT_GE(area_under_curve(task.smallest_face_value(Phase::train), task.labels(Phase::train)), 0.9);
  EXPECT_GE(area_under_curve(task.harmonic_mean_score(Phase::train), task.labels(Phase::train)), 0.7);
  EXPECT_EQ(task.message_coface_count(Phase::test).size(0),
            static_cast<std::int64_t>(task.split().test.size()));
}

TEST(SimplexPrediction, AModelRunsOnEveryTupleOrderOfTrianglesAndTetrahedra) {
  const ValueDataset dataset = papers();
  for (const int order : {2, 3}) {
    for (int tuple = 0; tuple < order; ++tuple) {
      const SimplexPrediction task(candidates(dataset, order), RandomStream(5, "task"),
                                   {.order = order, .tuple_order = tuple, .split = CandidateSplit::random});
      ModelSpec spec = model_spec("sccnn", "tuple");
      spec.backbone.as<LayersOptions>().widths = {4};
      spec.readout_options.as<HeadOptions>().hidden = {8};
      Model model(spec, task.shape(), RandomStream(0, "weights"));
      const Batch batch = task.batch(Phase::train, 0, 0);
      const Tensor loss = task.loss(model->forward(batch.operators, batch.signals, {}, batch.tuples), batch);
      loss.backward();
      EXPECT_TRUE(loss.isfinite().item<bool>());
      const Metrics metrics = evaluate(task, model, Phase::train);
      EXPECT_EQ(metrics.front().first, "auc");
    }
  }
}

TEST(SimplexPrediction, EveryBackboneWorks) {
  const SimplexPrediction task(candidates(papers()), RandomStream(1, "task"),
                               {.order = 2, .split = CandidateSplit::random});
  expect_models_work(task, one_of_each("tuple", 1));
  const SimplexPrediction of_vertices(candidates(papers()), RandomStream(1, "task"),
                                      {.order = 2, .tuple_order = 0, .split = CandidateSplit::random});
  expect_models_work(of_vertices, {small("gcn", "tuple")});
  expect_error(Fault::argument, {"readout tuple", "reads order 1", "[0]"},
               [&] { Model(small("gcn", "tuple"), task.shape()); });
}

TEST(SimplexPrediction, PublishedTrainsOnTheCandidatesThatStandInTheComplex) {
  const PublishedSimplexPrediction task(candidates(papers()), RandomStream(1, "task"), {.order = 2});
  std::int64_t positives = 0;
  for (const std::int64_t i : task.split().train) positives += task.dataset().labels[i].item<std::int64_t>();
  EXPECT_EQ(positives, static_cast<std::int64_t>(task.message().size()));
  EXPECT_EQ(task.complex().count(2), static_cast<Index>(task.message().size()));
  for (const Items* part : {&task.split().validation, &task.split().test})
    for (const std::int64_t i : *part)
      EXPECT_FALSE(task.complex().find(task.dataset().complex.vertices(2, static_cast<Index>(i))));
  EXPECT_EQ(task.remarks().size(), 1U);  // more is to say of the public data alone
  ValueDataset remarked = papers();
  remarked.remarks = {"Values are permuted."};
  const PublishedSimplexPrediction of_triangles(candidates(remarked), RandomStream(1, "task"), {.order = 2});
  ASSERT_EQ(of_triangles.remarks().size(), 3U);
  EXPECT_EQ(of_triangles.remarks()[1], "Values are permuted.");
  EXPECT_NE(of_triangles.remarks().back().find("positive test triangles"), std::string::npos);
  EXPECT_EQ(SimplexPrediction(candidates(remarked), RandomStream(1, "task"), {.order = 2}).remarks(),
            std::vector<std::string>{});
  // A candidate of the complex is not told by its own place in it.
  const Tensor counts = task.message_coface_count(Phase::train);
  EXPECT_TRUE((counts >= 0).all().item<bool>());
}

TEST(SimplexPrediction, TheLeakPutsExactlyTheTestPositivesIntoTheComplexAndSaysSo) {
  ValueDataset remarked = papers();
  remarked.remarks = {"Values are permuted."};
  const SimplexPredictionOptions honest{.order = 2},
      leaking{.order = 2, .leak = CandidateLeak::test_positives};
  const PublishedSimplexPrediction without(candidates(remarked), RandomStream(1, "task"), honest),
      with(candidates(remarked), RandomStream(1, "task"), leaking);
  EXPECT_EQ(with.split().train, without.split().train);
  EXPECT_EQ(with.split().test, without.split().test);
  Items positives;
  for (const std::int64_t i : with.split().test)
    if (with.dataset().labels[i].item<std::int64_t>() == 1) positives.push_back(i);
  EXPECT_EQ(with.message(), positives);
  EXPECT_EQ(with.complex().count(2), std::ssize(positives));
  ASSERT_EQ(with.remarks().size(), 2U);
  EXPECT_NE(with.remarks().front().find("simplex-prediction.leak"), std::string::npos);
  // The count of cofaces finds them, as the remark says: a positive is at each of its three edges itself.
  const Tensor counts = with.message_coface_count(Phase::test);
  for (std::size_t i = 0; i < with.split().test.size(); ++i)
    if (with.dataset().labels[with.split().test[i]].item<std::int64_t>() == 1) {
      EXPECT_GE(counts[static_cast<std::int64_t>(i)].item<double>(), 3);
    }
}

TEST(SimplexPrediction, OwnCandidatesKeepOtherSimplicesAndLeaveOutUnknownOnes) {
  CandidateDataset dataset = candidates(papers());
  dataset.is_candidate[0] = false;
  dataset.labels[1] = unknown_label;
  dataset.features.clear();  // nothing is known: a constant
  const SimplexPrediction task(dataset, RandomStream(1, "task"),
                               {.order = 2, .split = CandidateSplit::random});
  EXPECT_TRUE(task.complex().find(dataset.complex.vertices(2, 0)));
  for (const auto& [name, items] : task.parts())
    for (const std::int64_t i : items) EXPECT_GE(i, 2) << name;
  EXPECT_TRUE(task.batch(Phase::train, 0, 0).signals[1].eq(1).all().item<bool>());
  // All candidates may be asked for at once, with those that are known in the complex.
  CandidateParts asked{.split = {{}, {}, {1, 2, 3}}, .message = {5}, .held_out = {}};
  const SimplexPrediction open(dataset, asked, {.order = 2});
  EXPECT_EQ(open.batch(Phase::test, 0, 0).tuples.size(0), 3);
}

TEST(SimplexPrediction, EveryFaceIsReadWhateverTheNumbersOfTheVertices) {
  const ValueDataset dataset = papers();
  for (const int order : {1, 2, 3}) {
    const SimplexPrediction task(candidates(dataset, order), RandomStream(5, "task"),
                                 {.order = order, .tuple_order = all_faces, .split = CandidateSplit::random});
    EXPECT_EQ(task.shape().tuple_size, (2 << order) - 2);
    expect_models_work(task, {small("gsan", "faces"), small("mlp", "faces")});
    const Batch batch = task.batch(Phase::train, 0, 0);
    EXPECT_EQ(batch.tuples.size(1), (2 << order) - 2);
    const std::int64_t row = task.split().train.front();
    const auto vertices = dataset.complex.vertices(order, static_cast<Index>(row));
    for (int v = 0; v <= order; ++v) EXPECT_EQ(batch.tuples[0][v].item<std::int64_t>(), vertices[v]);
    for (const Vertex v : dataset.complex.vertices(order - 1, batch.tuples[0][-1].item<Index>()))
      EXPECT_NE(std::find(vertices.begin(), vertices.end(), v), vertices.end());
  }
}

TEST(SimplexPrediction, BatchesOfAnEpochAreTheTrainingSet) {
  const CandidateDataset dataset = candidates(papers());
  const SimplexPrediction all(dataset, RandomStream(1, "task"), {.order = 2}),
      task(dataset, RandomStream(1, "task"), {.order = 2, .batch_size = 7});
  const std::int64_t steps = task.batch_count(Phase::train, 0);
  EXPECT_EQ(steps, (std::ssize(task.split().train) + 6) / 7);
  EXPECT_EQ(task.batch_count(Phase::test, 0), 1);
  for (const std::int64_t epoch : {0, 1}) {
    std::vector<Tensor> tuples;
    for (std::int64_t step = 0; step < steps; ++step) {
      tuples.push_back(task.batch(Phase::train, epoch, step).tuples);
      EXPECT_LE(tuples.back().size(0), 7);
    }
    const auto sorted = [](const Tensor& rows) { return std::get<0>(at::unique_dim(rows, 0)); };
    EXPECT_TRUE(sorted(torch::cat(tuples)).equal(sorted(all.batch(Phase::train, 0, 0).tuples)));
  }
  EXPECT_FALSE(task.batch(Phase::train, 0, 0).tuples.equal(task.batch(Phase::train, 1, 0).tuples));
}

TEST(SimplexPrediction, SimplicesWithoutFeaturesCarryTheNumbersOfLargerOnes) {
  CandidateDataset dataset = candidates(papers());
  dataset.features[0] = Tensor();
  const auto inputs = [&](StructureChoice choice) {
    return SimplexPrediction(dataset, RandomStream(1, "task"), {.order = 2, .structure = choice})
        .batch(Phase::train, 0, 0)
        .signals;
  };
  const Cochains none = inputs(StructureChoice::none), missing = inputs(StructureChoice::missing),
                 all = inputs(StructureChoice::all);
  EXPECT_TRUE(none[0].eq(1).all().item<bool>());
  EXPECT_EQ(missing[0].size(1), 2);  // edges and triangles around a vertex
  EXPECT_TRUE(missing[1].equal(none[1]));
  EXPECT_EQ(all[1].size(1), 2);  // the value, and triangles on an edge
  EXPECT_TRUE(all[1].select(1, 0).equal(none[1].select(1, 0)));
}

TEST(SimplexPrediction, WhereOneClassIsAllThereIsNoArea) {
  CandidateMeter meter;
  meter.add(torch::tensor({0.5, 2.0}, torch::kFloat64), torch::tensor({1.0, 1.0}, torch::kFloat64));
  EXPECT_EQ(meter.value().size(), 1u);
  EXPECT_EQ(meter.value().front().first, "loss");
  meter.add(torch::tensor({0.7}, torch::kFloat64), torch::tensor({0.0}, torch::kFloat64));
  EXPECT_DOUBLE_EQ(metric(meter.value(), "auc"), 50);
}

TEST(SimplexPrediction, RefusesWhatIsNotThere) {
  ValueDataset dataset = papers();
  expect_error(Fault::argument, {"has no values of order 4"}, [&] { candidates(dataset, 4); });
  expect_error(Fault::argument, {"order is 3", "have order 2"},
               [&] { SimplexPrediction(candidates(dataset), RandomStream(0, "t"), {.order = 3}); });
  expect_error(Fault::argument, {"tuple_order", "got 2"}, [&] {
    SimplexPrediction(candidates(dataset), RandomStream(0, "t"), {.order = 2, .tuple_order = 2});
  });
  dataset.sources.clear();
  expect_error(Fault::argument, {"by-group", "papers"},
               [&] { SimplexPrediction(candidates(dataset), RandomStream(0, "t"), {.order = 2}); });
}

}  // namespace
}  // namespace gsan
