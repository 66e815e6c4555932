#include "gsan/nn/pooled_readout.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gsan/topology/orientation.h"

#include "hodge/dense_reference.h"
#include "sample_batch.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

const std::vector<int> widths{3, 3, 3};  // of the sample signals: orders 0 … 2

PooledReadoutOptions sample_options(Pooling pooling, bool absolute = false) {
  PooledReadoutOptions options;
  options.widths = {3, 3};
  options.hidden_channels = 5;
  options.out_channels = 4;
  options.pooling = pooling;
  options.absolute = absolute;
  options.activation = Activation::tanh;
  return options;
}

PooledReadout sample_readout(const PooledReadoutOptions& options) {
  PooledReadout readout(options, RandomStream(1, "readout"));
  readout->to(torch::kFloat64);
  return readout;
}

// A second layer of the same shape.
std::vector<Cochains> two_layers(const Cochains& x) {
  Cochains second;
  for (const Tensor& signal : x) second.push_back(signal.defined() ? signal.cos() : signal);
  return {x, second};
}

// One complex, [N_k, F] signals: written from the definition, row by row.
Tensor naive_readout(PooledReadout& readout, const std::vector<Cochains>& layers) {
  const PooledReadoutOptions& options = readout->options();
  const auto p = readout->named_parameters();
  Tensor sum = torch::zeros({options.hidden_channels}, torch::kFloat64);
  for (const int k : options.orders) {
    std::vector<Tensor> pools;
    for (const Cochains& layer : layers) {
      const Tensor& x = layer[k];
      Tensor pooled = torch::zeros({x.size(1)}, torch::kFloat64);
      for (std::int64_t c = 0; c < x.size(1); ++c) {
        double total = 0, largest = 0;
        for (std::int64_t i = 0; i < x.size(0); ++i) {
          double value = x[i][c].item<double>();
          if (options.absolute) value = std::abs(value);
          total += value;
          largest = i == 0 ? value : std::max(largest, value);
        }
        pooled[c] = options.pooling == Pooling::max ? largest : total;
        if (options.pooling == Pooling::mean && x.size(0) > 0) pooled[c] /= static_cast<double>(x.size(0));
      }
      pools.push_back(pooled);
    }
    const std::string order = "order" + std::to_string(k);
    sum += torch::tanh(p[order + ".weight"].mv(torch::cat(pools)) + p[order + ".bias"]);
  }
  return p["output.weight"].mv(sum) + p["output.bias"];
}

TEST(PooledReadout, IsItsDefinitionForEveryPartOfABatch) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const SampleBatch batch = sample_batch(seed, widths);
    for (const Pooling pooling : {Pooling::sum, Pooling::mean, Pooling::max}) {
      for (const bool absolute : {false, true}) {
        PooledReadout readout = sample_readout(sample_options(pooling, absolute));
        const Tensor y = readout->forward(batch.operators, two_layers(batch.signals));
        ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{8, 4}));
        for (std::size_t p = 0; p < batch.parts.size(); ++p) {
          const auto layers = two_layers(batch.part_signals[p]);
          const Tensor row = y[static_cast<std::int64_t>(p)];
          EXPECT_LT(distance(row, naive_readout(readout, layers)), 1e-12);
          const ComplexOperators alone(batch.parts[p]);
          EXPECT_LT(distance(row, readout->forward(alone, layers)[0]), 1e-12);
        }
      }
    }
  }
}

TEST(PooledReadout, ReadsLeadingDimensionsOneByOne) {
  const SampleBatch batch = sample_batch(1, widths, {2});
  for (const Pooling pooling : {Pooling::sum, Pooling::mean, Pooling::max}) {
    PooledReadout readout = sample_readout(sample_options(pooling));
    const Tensor y = readout->forward(batch.operators, two_layers(batch.signals));
    ASSERT_EQ(y.sizes(), (std::vector<std::int64_t>{2, 8, 4}));
    for (std::int64_t b = 0; b < 2; ++b) {
      Cochains one;
      for (const Tensor& x : batch.signals) one.push_back(x[b]);
      EXPECT_LT(distance(y[b], readout->forward(batch.operators, two_layers(one))), 1e-12);
    }
  }
}

TEST(PooledReadout, DoesNotSeeTheOrderOfTheSimplices) {
  const SimplicialComplex complex = random_complex(7);
  const ComplexOperators operators(complex);
  Cochains x = random_cochains(complex, 3), permuted;
  x.resize(3);
  for (const Tensor& signal : x) {
    const auto order = random_permutation(static_cast<Index>(signal.size(0)), 3);
    const Tensor rows = torch::tensor(std::vector<std::int64_t>(order.begin(), order.end()));
    permuted.push_back(signal.index_select(0, rows));
  }
  for (const Pooling pooling : {Pooling::sum, Pooling::mean, Pooling::max}) {
    PooledReadout readout = sample_readout(sample_options(pooling));
    const Tensor y = readout->forward(operators, two_layers(x));
    EXPECT_LT(distance(y, readout->forward(operators, two_layers(permuted))), 1e-12);
  }
}

TEST(PooledReadout, AbsolutePoolingDoesNotSeeTheOrientation) {
  const SimplicialComplex complex = random_complex(7);
  const ComplexOperators operators(complex);
  const Orientation orientation = Orientation::random(complex, RandomStream(1, "orientation"));
  Cochains x = random_cochains(complex, 3), turned;
  x.resize(3);
  for (int k = 0; k < 3; ++k) {
    turned.push_back(x[k].clone());
    orientation.apply(k, std::span<double>(turned[k].data_ptr<double>(), turned[k].numel()));
  }
  PooledReadoutOptions options = sample_options(Pooling::sum, true);
  options.widths = {3};
  PooledReadout invariant = sample_readout(options);
  EXPECT_TRUE(invariant->forward(operators, {x}).equal(invariant->forward(operators, {turned})));
  options.absolute = false;
  PooledReadout plain = sample_readout(options);
  EXPECT_GT(distance(plain->forward(operators, {x}), plain->forward(operators, {turned})), 1e-3);
}

// In training by the batch's mean and variance, in evaluation by those seen in training: then a complex gives
// the same alone and in any batch.
TEST(PooledReadout, BatchNormNormalizesThePools) {
  const SampleBatch batch = sample_batch(1, widths);
  const auto layers = two_layers(batch.signals);
  PooledReadoutOptions options = sample_options(Pooling::sum, true);
  options.batch_norm = true;
  options.orders = {1};
  options.activation = Activation::identity;
  PooledReadout readout = sample_readout(options);
  const auto p = readout->named_parameters();
  const auto affine = [&](const Tensor& pools) {
    const Tensor hidden = pools.matmul(p["order1.weight"].t()) + p["order1.bias"];
    return hidden.matmul(p["output.weight"].t()) + p["output.bias"];
  };
  std::vector<Tensor> rows;
  for (const Cochains& part : batch.part_signals) {
    std::vector<Tensor> pools;
    for (const Cochains& layer : two_layers(part)) pools.push_back(layer[1].abs().sum(0));
    rows.push_back(torch::cat(pools));
  }
  const Tensor pools = torch::stack(rows);
  const Tensor mean = pools.mean(0), spread = pools.var(0, /*unbiased=*/false);
  readout->train();
  EXPECT_LT(
      distance(readout->forward(batch.operators, layers), affine((pools - mean) / (spread + 1e-5).sqrt())),
      1e-10);
  readout->eval();
  const Tensor seen_mean = 0.1 * mean, seen_spread = 0.9 + 0.1 * pools.var(0);  // after one step
  const Tensor y = readout->forward(batch.operators, layers);
  EXPECT_LT(distance(y, affine((pools - seen_mean) / (seen_spread + 1e-5).sqrt())), 1e-10);
  const ComplexOperators alone(batch.parts[3]);
  EXPECT_LT(distance(y[3], readout->forward(alone, two_layers(batch.part_signals[3]))[0]), 1e-12);
}

TEST(PooledReadout, AnOrderWithoutASignalPoolsToZeros) {
  const SampleBatch batch = sample_batch(2, widths);
  PooledReadout readout = sample_readout(sample_options(Pooling::mean));
  Cochains missing = batch.signals, zeros = batch.signals;
  missing[1] = Tensor();
  missing.resize(2);  // no entry at all for order 2
  zeros[1] = torch::zeros_like(zeros[1]);
  zeros[2] = torch::zeros_like(zeros[2]);
  const Tensor y = readout->forward(batch.operators, {missing, missing});
  EXPECT_LT(distance(y, readout->forward(batch.operators, {zeros, zeros})), 1e-14);
  EXPECT_TRUE(readout->forward(batch.operators, {{}, {}}).isfinite().all().item<bool>());
}

TEST(PooledReadout, OrdersBeyondTheComplexAndEmptyComplexesAreDefined) {
  PooledReadoutOptions options = sample_options(Pooling::max);
  options.orders = {0, 4};
  PooledReadout readout = sample_readout(options);
  const ComplexOperators empty{SimplicialComplex()};
  const Tensor nothing = torch::zeros({0, 3}, torch::kFloat64).requires_grad_();
  const Tensor y = readout->forward(empty, {{nothing}, {nothing}});
  EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{1, 4}));
  EXPECT_TRUE(y.isfinite().all().item<bool>());
  y.sum().backward();
}

TEST(PooledReadout, GradientsOfSignalsAndParametersAreRight) {
  const SampleBatch batch = sample_batch(0, widths);
  for (const Pooling pooling : {Pooling::sum, Pooling::mean, Pooling::max}) {
    PooledReadoutOptions options = sample_options(pooling);
    options.widths = {3};
    PooledReadout readout = sample_readout(options);
    expect_gradients([&](const Tensors& x) { return readout->forward(batch.operators, {x}); }, batch.signals);
    readout->forward(batch.operators, {batch.signals}).sum().backward();
    for (const Tensor& parameter : readout->parameters())
      EXPECT_TRUE(parameter.grad().isfinite().all().item<bool>());
  }
}

TEST(PooledReadout, NamesWhatDoesNotFit) {
  const SampleBatch batch = sample_batch(0, widths);
  PooledReadout readout = sample_readout(sample_options(Pooling::sum));
  const auto forward = [&](const std::vector<Cochains>& layers) {
    readout->forward(batch.operators, layers);
  };
  expect_error(Fault::argument, {"widths", "2", "1"}, [&] { forward({batch.signals}); });
  Cochains x = batch.signals;
  x[1] = x[1].narrow(1, 0, 2);
  expect_error(Fault::argument, {"order 1", "3 features"}, [&] { forward({batch.signals, x}); });
  x[1] = batch.signals[1].to(torch::kFloat32);
  expect_error(Fault::argument, {"order 1", "Float", "Double"}, [&] { forward({batch.signals, x}); });
  x[1] = batch.signals[1].unsqueeze(0);
  expect_error(Fault::argument, {"order 1", "leading"}, [&] { forward({batch.signals, x}); });
  PooledReadoutOptions options;
  options.widths = {};
  options.orders = {1, 1};
  options.out_channels = 0;
  expect_error(Fault::argument, {"widths", "orders must differ", "out_channels"},
               [&] { PooledReadout{options}; });
}

TEST(PooledReadout, TheInputIsReadLikeALayerOfItsOwnWidths) {
  const SampleBatch batch = sample_batch(1, widths);
  PooledReadoutOptions options = sample_options(Pooling::sum);
  PooledReadout plain = sample_readout(options);
  const auto layers = two_layers(batch.signals);
  options.inputs = true;
  options.in_channels = {2, 0, 1};
  PooledReadout reading = sample_readout(options);
  EXPECT_TRUE(reading->reads_input());
  EXPECT_FALSE(plain->reads_input());
  Cochains input(3);
  input[0] = batch.signals[0].narrow(-1, 0, 2);
  std::vector<Cochains> all{input, layers[0], layers[1]};  // order 2 has no signal: zeros
  {
    const torch::NoGradGuard no_grad;
    const auto from = plain->named_parameters(), to = reading->named_parameters();
    for (const auto& item : to)
      if (item.value().sizes() == from[item.key()].sizes()) item.value().copy_(from[item.key()]);
  }
  const Tensor found = reading->forward(batch.operators, all);
  all[0][0] = 2 * input[0];
  EXPECT_FALSE(torch::allclose(reading->forward(batch.operators, all), found));
  all[0][0] = Tensor();  // the input of an order is zeros where it has none
  EXPECT_TRUE(reading->forward(batch.operators, all).isfinite().all().item<bool>());
  expect_error(Fault::argument, {"behind the input"}, [&] { reading->forward(batch.operators, layers); });
}

}  // namespace
}  // namespace gsan
