#include <gtest/gtest.h>

#include "gsan/nn/simplex_head.h"
#include "gsan/nn/tuple_head.h"

#include "hodge/dense_reference.h"
#include "sample_batch.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

HeadOptions sample_options() {
  HeadOptions options;
  options.order = 1;
  options.widths = {3, 2};
  options.hidden = {4};
  options.out_channels = 2;
  options.activation = Activation::tanh;
  return options;
}

// Layers of widths 3 and 2 on the orders 0 and 1.
std::vector<Cochains> layers_of(const Cochains& x) {
  Cochains second;
  for (const Tensor& signal : x) second.push_back(signal.narrow(-1, 0, 2).cos());
  return {x, second};
}

Tensor naive_mlp(torch::nn::Module& head, const Tensor& row) {
  const auto p = head.named_parameters();
  const Tensor hidden = torch::tanh(p["mlp.linear0.weight"].mv(row) + p["mlp.linear0.bias"]);
  return p["mlp.linear1.weight"].mv(hidden) + p["mlp.linear1.bias"];
}

template <class Head, class Options>
Head make_head(const Options& options) {
  Head head(options, RandomStream(2, "head"));
  head->to(torch::kFloat64);
  return head;
}

TEST(SimplexHead, IsTheMlpOfEachSimplex) {
  const SampleBatch batch = sample_batch(1, {3, 3});
  const auto layers = layers_of(batch.signals);
  for (const bool all_layers : {false, true}) {
    for (const bool absolute : {false, true}) {
      HeadOptions options = sample_options();
      options.all_layers = all_layers;
      options.absolute = absolute;
      auto head = make_head<SimplexHead>(options);
      const Tensor y = head->forward(batch.operators, layers);
      ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{batch.operators.count(1), 2}));
      for (std::int64_t i = 0; i < y.size(0); ++i) {
        Tensor row = all_layers ? torch::cat({layers[0][1][i], layers[1][1][i]}) : layers[1][1][i];
        if (absolute) row = row.abs();
        EXPECT_LT(distance(y[i], naive_mlp(*head, row)), 1e-12);
      }
    }
  }
}

TEST(SimplexHead, BatchIsItsParts) {
  const SampleBatch batch = sample_batch(2, {3, 3}, {2});
  auto head = make_head<SimplexHead>(sample_options());
  const Tensor y = head->forward(batch.operators, layers_of(batch.signals));
  const auto offsets = batch.operators.parts(1);
  for (std::size_t p = 0; p < batch.parts.size(); ++p) {
    const Tensor alone = head->forward(ComplexOperators(batch.parts[p]), layers_of(batch.part_signals[p]));
    EXPECT_LT(distance(y.narrow(-2, offsets[p], offsets[p + 1] - offsets[p]), alone), 1e-12);
  }
}

TEST(SimplexHead, AnOrderThatDoesNotExistHasNoRows) {
  const SampleBatch batch = sample_batch(1, {3, 3});
  HeadOptions options = sample_options();
  options.order = 7;
  auto head = make_head<SimplexHead>(options);
  EXPECT_EQ(head->forward(batch.operators, layers_of(batch.signals)).sizes(),
            (std::vector<std::int64_t>{0, 2}));
}

TEST(SimplexHead, OneLinearWithoutHiddenWidths) {
  HeadOptions options = sample_options();
  options.hidden = {};
  EXPECT_EQ(make_head<SimplexHead>(options)->parameters().size(), 2u);
}

TEST(TupleHead, IsTheMlpOfTheConcatenatedRows) {
  const SampleBatch batch = sample_batch(1, {3, 3}, {2});
  const auto layers = layers_of(batch.signals);
  TupleHeadOptions options{sample_options(), 3};
  options.head.all_layers = true;
  auto head = make_head<TupleHead>(options);
  ASSERT_GE(batch.operators.count(1), 5);
  const Tensor tuples = torch::tensor({0, 3, 1, 4, 4, 2, 1, 3, 0}, torch::kInt64).view({3, 3});
  const Tensor y = head->forward(batch.operators, layers, tuples);
  ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{2, 3, 2}));
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t m = 0; m < 3; ++m) {
      std::vector<Tensor> parts;
      for (std::int64_t j = 0; j < 3; ++j) {
        const auto row = tuples[m][j].item<std::int64_t>();
        parts.push_back(layers[0][1][b][row]);
        parts.push_back(layers[1][1][b][row]);
      }
      EXPECT_LT(distance(y[b][m], naive_mlp(*head, torch::cat(parts))), 1e-12);
    }
  }
}

TEST(TupleHead, NoTuplesGiveNoRows) {
  const SampleBatch batch = sample_batch(1, {3, 3});
  auto head = make_head<TupleHead>(TupleHeadOptions{sample_options(), 3});
  const Tensor none = torch::zeros({0, 3}, torch::kInt64);
  EXPECT_EQ(head->forward(batch.operators, layers_of(batch.signals), none).sizes(),
            (std::vector<std::int64_t>{0, 2}));
  const ComplexOperators empty{SimplicialComplex()};
  EXPECT_EQ(head->forward(empty, {{}, {}}, none).sizes(), (std::vector<std::int64_t>{0, 2}));
}

TEST(TupleHead, GradientsReachTheGatheredRows) {
  const SampleBatch batch = sample_batch(1, {3, 3});
  TupleHeadOptions options{sample_options(), 2};
  options.head.widths = {3};
  auto head = make_head<TupleHead>(options);
  const Tensor tuples = torch::tensor({0, 3, 3, 1}, torch::kInt64).view({2, 2});
  expect_gradients([&](const Tensors& x) { return head->forward(batch.operators, {x}, tuples); },
                   batch.signals);
}

TEST(TupleHead, NamesTheEntryThatIsOutOfRange) {
  const SampleBatch batch = sample_batch(1, {3, 3});
  const auto layers = layers_of(batch.signals);
  auto head = make_head<TupleHead>(TupleHeadOptions{sample_options(), 2});
  const std::int64_t rows = batch.operators.count(1);
  const auto forward = [&](const Tensor& tuples) { head->forward(batch.operators, layers, tuples); };
  const std::string count = std::to_string(rows);
  expect_error(Fault::argument, {"entry 1 of tuple 0", count, count + " rows"}, [&] {
    forward(torch::tensor({std::int64_t{0}, rows}, torch::kInt64).view({1, 2}));
  });
  expect_error(Fault::argument, {"entry 0 of tuple 1", "is -1"}, [&] {
    forward(torch::tensor({0, 0, -1, 0}, torch::kInt64).view({2, 2}));
  });
  expect_error(Fault::argument, {"[M, 2]", "[2, 3]"}, [&] { forward(torch::zeros({2, 3}, torch::kInt64)); });
  expect_error(Fault::argument, {"int64", "Int"}, [&] { forward(torch::zeros({2, 2}, torch::kInt32)); });
  expect_error(Fault::argument, {"[M, 2]"}, [&] { forward(Tensor()); });
  TupleHeadOptions bad;
  bad.tuple_size = 0;
  bad.head.order = -1;
  expect_error(Fault::argument, {"tuple_size", "head.order"}, [&] { TupleHead{bad}; });
}

}  // namespace
}  // namespace gsan
