#include "gsan/models/backbones/mpsn.h"

#include <gtest/gtest.h>

#include "gsan/nn/pooled_readout.h"
#include "gsan/topology/relabel.h"

#include "hodge/dense_reference.h"
#include "nn/sample_batch.h"
#include "support/expect_error.h"
#include "support/gradcheck.h"

namespace gsan {
namespace {

MpsnLayerOptions sample_options() {
  MpsnLayerOptions options;
  options.order = 2;
  options.in_channels = 3;
  options.out_channels = 4;
  options.epsilon = 0.25;
  options.activation = Activation::tanh;
  return options;
}

// Float64, in evaluation mode, with running statistics and norms that are not those of a new model.
template <class Module>
void prepare(Module& module) {
  module->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  for (const auto& item : module->named_buffers()) {
    const Tensor noise = random_signal(1, item.value().numel(), item.key(), torch::kFloat64).squeeze(0);
    if (item.key().ends_with("running_mean")) item.value().copy_(0.3 * noise);
    if (item.key().ends_with("running_var")) item.value().copy_(0.5 + noise.square());
  }
  for (const auto& item : module->named_parameters()) {
    if (item.key().find("norm") == std::string::npos && !item.key().ends_with("bias")) continue;
    const Tensor noise = random_signal(1, item.value().numel(), item.key(), torch::kFloat64);
    item.value().add_(0.2 * noise.view(item.value().sizes()));
  }
  module->eval();
}

// A layer's parameters and buffers by name.
struct State {
  explicit State(const torch::nn::Module& module) {
    for (const auto& item : module.named_parameters()) values.insert(item.key(), item.value().detach());
    for (const auto& item : module.named_buffers()) values.insert(item.key(), item.value());
  }
  Tensor linear(const std::string& name, const Tensor& x) const {
    return x.mm(values[name + ".weight"].t()) + values[name + ".bias"];
  }
  Tensor norm(const std::string& name, const Tensor& x) const {
    return (x - values[name + ".running_mean"]) / (values[name + ".running_var"] + 1e-5).sqrt() *
               values[name + ".weight"] +
           values[name + ".bias"];
  }
  torch::OrderedDict<std::string, Tensor> values;
};

// The published layer, neighbour by neighbour, with one column of batch-normed MLPs after another.
Cochains naive_layer(const MpsnLayer& layer, const SimplicialComplex& complex, const Cochains& x) {
  const MpsnLayerOptions& options = layer->options();
  const State state(*layer);
  const auto mlp = [&](const std::string& name, Tensor y, int depth) {
    for (int i = 0; i < depth; ++i) {
      y = state.linear(name + ".linear" + std::to_string(i), y);
      if (options.batch_norm) y = state.norm(name + ".norm" + std::to_string(i), y);
      y = activate(options.activation, y);
    }
    return y;
  };
  Cochains y;
  for (int k = 0; k <= options.order; ++k) {
    const std::string order = "order" + std::to_string(k) + "_";
    Tensor upper = (1 + options.epsilon) * x[k], boundary = upper.clone();
    for (Index i = 0; i < complex.count(k); ++i) {
      for (const Index c : complex.cofaces(k, i)) {
        for (const Index j : complex.faces(k + 1, c)) {
          if (j == i) continue;
          Tensor message = x[k][j];
          if (options.use_coboundaries && k < options.order) {
            const Tensor pair = torch::cat({x[k][j], x[k + 1][c]}).unsqueeze(0);
            message = activate(options.activation, state.linear(order + "message", pair)).squeeze(0);
          }
          upper[i] += message;
        }
      }
      if (k > 0)
        for (const Index f : complex.faces(k, i)) boundary[i] += x[k - 1][f];
    }
    const Tensor u = mlp(order + "update_upper", upper, 2);
    if (!options.boundaries) {
      y.push_back(u);
      continue;
    }
    const Tensor b = mlp(order + "update_boundary", boundary, 2);
    y.push_back(mlp(order + "combine", torch::cat({u, b}, 1), 1));
  }
  return y;
}

TEST(MpsnLayer, IsThePublishedEquation) {
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    Cochains x;
    for (int k = 0; k <= 3; ++k)
      x.push_back(random_signal(complex.count(k), 3, concat("x", k), torch::kFloat64));
    for (const int order : {0, 1, 2, 3}) {
      for (const int variant : {0, 1, 2}) {
        MpsnLayerOptions options = sample_options();
        options.order = order;
        options.use_coboundaries = variant != 1;
        options.boundaries = variant != 2;
        options.batch_norm = seed % 3 != 0;
        MpsnLayer layer(options, RandomStream(seed, "layer"));
        prepare(layer);
        const Cochains signals(x.begin(), x.begin() + order + 1);
        const Cochains y = layer->forward(ComplexOperators(complex), signals);
        const Cochains expected = naive_layer(layer, complex, signals);
        ASSERT_EQ(y.size(), expected.size());
        for (int k = 0; k <= order; ++k) EXPECT_LT(distance(y[k], expected[k]), 1e-12) << seed << " " << k;
      }
    }
  }
}

TEST(Gin, IsThePublishedEquation) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const Tensor x = random_signal(complex.count(0), 3, "x", torch::kFloat64);
    MpsnOptions options = gin(3, 5, 1);
    options.epsilon = 0.1;
    Mpsn model(options, RandomStream(1, "gin"));
    prepare(model);
    const Tensor laplacian = dense_upper_laplacian(complex, 0);
    const Tensor adjacency = torch::diag(laplacian.diag()) - laplacian;
    const State state(*model);
    Tensor y = 1.1 * x + adjacency.mm(x);
    for (const std::string i : {"0", "1"}) {
      const std::string name = "layer0.order0_update_upper.";
      y = torch::relu(state.norm(name + "norm" + i, state.linear(name + "linear" + i, y)));
    }
    const auto layers = model->forward(ComplexOperators(complex), {x});
    ASSERT_EQ(layers.size(), 1u);
    ASSERT_EQ(layers[0].size(), 1u);
    EXPECT_LT(distance(layers[0][0], y), 1e-12);
  }
}

TEST(Mpsn, BatchIsItsParts) {
  MpsnOptions options;
  options.in_channels = {3, 2, 4};
  options.hidden_channels = 5;
  options.n_layers = 2;
  options.input_map = true;
  Mpsn model(options, RandomStream(1, "mpsn"));
  prepare(model);
  for (const std::vector<std::int64_t>& leading : {std::vector<std::int64_t>{}, {2}}) {
    const SampleBatch batch = sample_batch(1, options.in_channels, leading);
    const auto together = model->forward(batch.operators, batch.signals);
    ASSERT_EQ(together.size(), 2u);
    for (std::size_t p = 0; p < batch.parts.size(); ++p) {
      const auto alone = model->forward(ComplexOperators(batch.parts[p]), batch.part_signals[p]);
      for (std::size_t l = 0; l < alone.size(); ++l) {
        for (int k = 0; k < 3; ++k) {
          const auto offsets = batch.operators.parts(k);
          const Tensor rows = together[l][k].narrow(-2, offsets[p], offsets[p + 1] - offsets[p]);
          EXPECT_LT(distance(rows, alone[l][k]), 1e-12);
        }
      }
    }
  }
}

// Signs play no part: the rows move, nothing else changes.
TEST(Mpsn, IsPermutationEquivariant) {
  MpsnOptions options;
  options.in_channels = {3, 3, 3};
  options.hidden_channels = 4;
  options.n_layers = 2;
  Mpsn model(options, RandomStream(1, "mpsn"));
  prepare(model);
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SimplicialComplex complex = random_complex(seed);
    const MappedComplex renamed = relabel(complex, random_permutation(complex.count(0), seed));
    const auto move = [&](const Cochains& x) {
      Cochains moved;
      for (int k = 0; k <= std::min(complex.order(), 2); ++k) {
        const std::vector<std::int64_t> rows(renamed.source[k].begin(), renamed.source[k].end());
        moved.push_back(x[k].index_select(0, torch::tensor(rows, torch::kInt64)));
      }
      return moved;
    };
    Cochains x = random_cochains(complex, 3);
    x.resize(std::min<std::size_t>(x.size(), 3));
    const Cochains expected = move(model->forward(ComplexOperators(complex), x).back());
    const Cochains y = model->forward(ComplexOperators(renamed.complex), move(x)).back();
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_LT(distance(y[k], expected[k]), 1e-12);
  }
}

TEST(MpsnLayer, GradientsAreRight) {
  const SimplicialComplex complex = random_complex(7, {3, 6});
  ASSERT_GE(complex.order(), 2);
  const ComplexOperators operators(complex);
  MpsnLayerOptions options = sample_options();
  options.train_epsilon = true;
  MpsnLayer layer(options, RandomStream(1, "layer"));
  prepare(layer);
  Cochains x = random_cochains(complex, 3);
  x.resize(3);
  expect_gradients([&](const Tensors& in) { return torch::cat(layer->forward(operators, in), 0); }, x);
  torch::cat(layer->forward(operators, x), 0).sum().backward();
  for (const auto& item : layer->named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
  }
}

// No triangles, single vertices, nothing at all, in training mode too.
TEST(Mpsn, EmptyOrdersAreDefinedAndDifferentiable) {
  MpsnOptions options;
  options.in_channels = {2, 2, 2};
  options.hidden_channels = 3;
  options.n_layers = 2;
  Mpsn model(options, RandomStream(1, "mpsn"));
  PooledReadoutOptions pooling;
  pooling.widths = {3, 3};
  PooledReadout readout(pooling, RandomStream(1, "readout"));
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SimplicialComplex complex = random_complex(seed, {2, 4});
    const ComplexOperators operators(complex);
    Cochains x;
    for (int k = 0; k <= complex.order(); ++k) x.push_back(torch::ones({complex.count(k), 2}));
    if (seed % 2) x.resize(std::min<std::size_t>(x.size(), 1));  // the others count as zero
    const Tensor y = readout->forward(operators, model->forward(operators, x));
    EXPECT_TRUE(y.isfinite().all().item<bool>()) << seed;
    y.sum().backward();
  }
  for (const auto& item : model->named_parameters()) {
    const Tensor gradient = item.value().grad();
    EXPECT_TRUE(!gradient.defined() || gradient.isfinite().all().item<bool>()) << item.key();
  }
  for (const auto& item : model->named_buffers()) EXPECT_TRUE(item.value().isfinite().all().item<bool>());
}

TEST(Mpsn, OnlyParametersThatAreUsedExist) {
  MpsnLayerOptions options = sample_options();
  const MpsnLayer layer(options, RandomStream(1, "layer"));
  const auto names = layer->named_parameters();
  EXPECT_TRUE(names.contains("order1_message.weight"));
  EXPECT_FALSE(names.contains("order2_message.weight"));  // no order 3 to hear of
  EXPECT_FALSE(names.contains("order0_epsilon_upper"));   // a number unless it is trained
  // GIN: two Linear and two norms a layer, nothing else.
  const Mpsn model(gin(3, 5, 2), RandomStream(1, "gin"));
  EXPECT_EQ(model->parameters().size(), 16u);
}

TEST(Mpsn, ResetGivesTheFirstValuesAgain) {
  MpsnOptions options;
  options.input_map = true;
  options.n_layers = 1;
  const RandomStream stream(1, "mpsn");
  Mpsn model(options, stream), other(options, RandomStream(2, "mpsn"));
  other->reset_parameters(stream);
  const auto expected = model->named_parameters();
  for (const auto& item : other->named_parameters()) EXPECT_TRUE(item.value().equal(expected[item.key()]));
}

TEST(Mpsn, NamesWhatDoesNotFit) {
  MpsnOptions options;
  options.in_channels = {3, 2};
  options.n_layers = 0;
  expect_error(Fault::argument, {"3 and 2", "input_map", "n_layers"}, [&] { Mpsn{options}; });
  const SimplicialComplex complex = random_complex(7);
  const ComplexOperators operators(complex);
  MpsnLayer layer(sample_options(), RandomStream(1, "layer"));
  layer->to(torch::kFloat64);
  Cochains x = random_cochains(complex, 3);
  x.resize(4, torch::zeros({complex.count(3), 3}, torch::kFloat64));
  expect_error(Fault::argument, {"order 3", "0 ... 2"}, [&] { layer->forward(operators, x); });
  x.resize(3);
  x[1] = x[1].narrow(0, 0, 1);
  expect_error(Fault::argument, {"order 1", "rows"}, [&] { layer->forward(operators, x); });
}

}  // namespace
}  // namespace gsan
