// Wrong use gets an error that names the option and both values.

#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "nn/layer_samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

class LayerErrors : public testing::Test {
 protected:
  const SimplicialLayerOptions options_ = sample_options(ShiftKind::attention, 2);
  SimplicialLayer layer_ = make_layer(options_);
  const ComplexOperators operators_{surface_sample()};
  Cochains x_ = sample_signals(operators_.complex(), options_);

  void expect(std::initializer_list<std::string> words) {
    expect_error(Fault::argument, words, [&] { layer_->forward(operators_, x_); });
  }
};

TEST_F(LayerErrors, Widths) {
  x_[1] = torch::zeros({operators_.count(1), 7}, torch::kFloat64);
  expect({"order 1", "in_channels = 2", "got 7"});
}

TEST_F(LayerErrors, Rows) {
  x_[2] = torch::zeros({9, 2}, torch::kFloat64);
  expect({"order 2", concat(operators_.count(2), " rows"), "got [9, 2]"});
}

TEST_F(LayerErrors, Dimensions) {
  x_[0] = torch::zeros({operators_.count(0)}, torch::kFloat64);
  expect({"order 0", "[..., N, F]", concat("got [", operators_.count(0), "]")});
}

TEST_F(LayerErrors, LeadingDimensions) {
  x_[1] = x_[1].expand({3, -1, -1});
  expect({"leading dimensions", "order 1", "[3]", "[]"});
}

TEST_F(LayerErrors, OrderOfTheComplex) {
  expect_error(Fault::argument, {"order = 2", "order 3", "skeleton"},
               [&] { layer_->forward(ComplexOperators(solid_sample()), x_); });
}

TEST_F(LayerErrors, TooManySignals) {
  x_.push_back(x_[0]);
  expect({"0 ... 2", "got 4"});
}

TEST_F(LayerErrors, SignalOnAnInactiveOrder) {
  SimplicialLayerOptions options = options_;
  options.orders = {1};
  layer_ = make_layer(options);
  expect({"order 0", "orders = [1]"});
}

TEST_F(LayerErrors, FloatType) {
  x_[1] = x_[1].to(torch::kFloat32);
  expect({"order 1", "Float", "Double"});
  x_[1] = x_[1].to(torch::kInt64);
  expect({"order 1", "Long", "Double"});
}

TEST_F(LayerErrors, Device) {
  const Cochains on_cpu = x_;
  x_[1] = x_[1].to(torch::kMeta);
  expect({"order 1", "meta", "cpu"});
  expect_error(Fault::argument, {"operators", "meta", "parameters", "cpu"}, [&] {
    layer_->forward(ComplexOperators(surface_sample(), torch::Device(torch::kMeta)), on_cpu);
  });
}

TEST_F(LayerErrors, NonFiniteSignalsOnRequest) {
  x_[1] = x_[1].clone();
  x_[1][3][1] = std::numeric_limits<double>::quiet_NaN();
  x_[1][4][0] = std::numeric_limits<double>::infinity();
  ForwardContext context;
  context.check_finite = true;
  expect_error(Fault::numeric, {"order 1", "2 entries", "row 3", "feature 1"},
               [&] { layer_->forward(operators_, x_, context); });
  EXPECT_NO_THROW(layer_->forward(operators_, x_));
}

TEST_F(LayerErrors, SignalKeys) {
  SimplicialLayerOptions options = options_;
  options.dropout = 0.5;
  layer_ = make_layer(options);
  layer_->train();
  ForwardContext context;
  context.signal_keys = torch::arange(3);
  expect_error(Fault::argument, {"signal_keys", "1 signals", "got 3"},
               [&] { layer_->forward(operators_, x_, context); });
}

TEST_F(LayerErrors, MemoryOfTheNeighborhoods) {
  const ComplexOperators tight(surface_sample(), {.device = torch::kCPU, .max_memory = 100});
  expect_error(Fault::resource, {"100"}, [&] { layer_->forward(tight, x_); });
}

TEST_F(LayerErrors, MemoryOfTheAttentionWeights) {
  // Enough for the neighbour pairs of every order and side, not for the weights of many signals, which the
  // reference stores.
  const ComplexOperators tight(surface_sample(), {.device = torch::kCPU, .max_memory = 20000});
  EXPECT_NO_THROW(layer_->forward(tight, x_));
  const Cochains many = sample_signals(operators_.complex(), options_, "many", {64});
  EXPECT_NO_THROW(layer_->forward(tight, many));
  ForwardContext context;
  context.attention_kernel = AttentionKernel::reference;
  expect_error(Fault::resource, {"attention weights", "64 signal", "20000"},
               [&] { layer_->forward(tight, many, context); });
}

TEST_F(LayerErrors, EpsilonTooLarge) {
  SimplicialLayerOptions options = options_;
  options.harmonic_epsilon = {0.1, 5, 0.1};
  layer_ = make_layer(options);
  expect({"order 1", "2 / lambda_max = ", "got 5"});
}

TEST_F(LayerErrors, UnknownNames) {
  expect_error(Fault::argument, {"own_9"}, [&] { layer_->weight("own_9"); });
  expect_error(Fault::argument, {"attention_7"}, [&] { layer_->attention("attention_7"); });
  expect_error(Fault::argument, {"order 1"}, [&] { layer_->metric(1); });
  expect_error(Fault::argument, {"got 3"}, [&] { layer_->bias(3); });
}

// --- options

void expect_faults(const SimplicialLayerOptions& options, std::initializer_list<std::string> words) {
  expect_error(Fault::argument, words, [&] { SimplicialLayer layer(options); });
}

TEST(LayerOptions, EveryFaultIsNamedAtOnce) {
  SimplicialLayerOptions options;
  options.in_channels = 0;
  options.out_channels = -1;
  options.order = 64;
  options.orders = {3, 2, 70};
  options.lower = {.own = -2, .neighbor = 65, .first = 2};
  options.heads = 0;
  options.attention_channels = -3;
  options.metric_channels = -4;
  options.negative_slope = 1.5;
  options.harmonic_steps = -5;
  options.harmonic_epsilon = {0.0};
  options.dropout = 1;
  options.attention_dropout = -0.1;
  options.gain = 0;
  expect_faults(options, {"the layer",
                          "in_channels",
                          "got 0",
                          "out_channels",
                          "got -1",
                          "order",
                          "got 64",
                          "got 70",
                          "[3, 2, 70]",
                          "lower.own",
                          "got -2",
                          "lower.neighbor",
                          "got 65",
                          "lower.first",
                          "got 2",
                          "heads",
                          "attention_channels",
                          "got -3",
                          "metric_channels",
                          "got -4",
                          "negative_slope",
                          "got 1.5",
                          "harmonic_steps",
                          "got -5",
                          "harmonic_epsilon",
                          "dropout",
                          "got 1",
                          "attention_dropout",
                          "got -0.1",
                          "gain"});
}

TEST(LayerOptions, WidthsThatNoMachineHolds) {
  SimplicialLayerOptions options;
  options.in_channels = 65537;
  options.out_channels = 2147483647;
  options.heads = 2147483647;
  expect_faults(options, {"in_channels", "65537", "out_channels", "heads", "2147483647"});
}

TEST(LayerOptions, AnOrderWithoutAnyTerm) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention, 2);
  options.orders = {2};
  options.lower = {.own = 0, .neighbor = 0, .first = 0};
  options.harmonic = HarmonicKind::none;
  expect_faults(options, {"orders = [2]", "order = 2", "no term"});
}

TEST(LayerOptions, CombinationsThatMeanNothing) {
  SimplicialLayerOptions options = sample_options(ShiftKind::hodge, 2);
  options.upper_shift = ShiftKind::weighted;
  expect_faults(options, {"weighted", "hodge"});

  options = sample_options(ShiftKind::weighted, 2);
  options.orders = {1};
  expect_faults(options, {"weighted", "orders = [1]"});

  options = sample_options(ShiftKind::attention, 2);
  options.sharing = Sharing::joint;
  options.upper_shift = ShiftKind::hodge;
  expect_faults(options, {"joint", "attention and hodge"});
  options.upper_shift = ShiftKind::attention;
  options.upper.own = 1;
  expect_faults(options, {"lower.own", "2 and 1"});

  options = sample_options(ShiftKind::attention, 2);
  options.share_attention = true;
  options.upper.own = 1;
  expect_faults(options, {"share_attention", "2 and 1"});

  options = sample_options(ShiftKind::attention, 2);
  options.basis = Basis::chebyshev;
  expect_faults(options, {"chebyshev", "neighbor taps must be 0", "identity", "attention"});

  options = sample_options(ShiftKind::hodge, 2);
  options.identity = true;
  options.harmonic = HarmonicKind::skip;
  expect_faults(options, {"identity", "skip", "dirac"});

  options = sample_options(ShiftKind::attention, 2);
  options.is_equivariant = options.bias = true;
  expect_faults(options, {"equivariant", "bias"});

  for (const HarmonicKind harmonic : {HarmonicKind::projector, HarmonicKind::exact}) {
    options = sample_options(ShiftKind::attention, 2);
    options.incidence = IncidenceKind::absolute;
    options.harmonic = harmonic;
    expect_faults(options, {"incidence=unsigned", "harmonic=skip or none"});
  }
  options.harmonic = HarmonicKind::none;
  options.is_equivariant = true;
  expect_faults(options, {"incidence=unsigned", "equivariant must be false"});
  options = sample_options(ShiftKind::weighted, 2);
  options.metric_bound = -1;
  expect_faults(options, {"metric_bound must not be negative, got -1"});
  options = sample_options(ShiftKind::hodge, 2);
  options.gate = Gate::sigmoid;
  options.metric_bound = 2;
  expect_faults(options, {"gate=sigmoid is for attention", "metric_bound", "weighted shifts, got hodge"});

  expect_error(Fault::argument, {"J", "got 0"}, [&] { options.set_dirac_taps(0); });
  expect_error(Fault::argument, {"n ", "got 0"}, [&] { options.set_filter_length(0); });
}

TEST(LayerOptions, ReadBackAndPrintThemselves) {
  for (const LayerSample& s : layer_samples()) {
    SimplicialLayerOptions options = s.options;
    options.harmonic_epsilon = {0.1, 1.0 / 3, 0.25, 1e-3};
    options.attention_dropout = 0.1;
    const OptionMap map = to_map(options);
    EXPECT_EQ(to_map(from_map<SimplicialLayerOptions>(map, "layer")), map) << s.name;
    std::ostringstream text;
    SimplicialLayer(options)->pretty_print(text);
    EXPECT_EQ(text.str(), "SimplicialLayer(" + describe(options) + ")");
    EXPECT_NE(text.str().find("in_channels=2"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("0.3333333333333333"), std::string::npos) << text.str();
  }
  expect_error(Fault::argument, {"sharing", "dirac, joint, none, lower=upper", "'some'", "head", "heads"},
               [] {
                 from_map<SimplicialLayerOptions>({{"sharing", "some"}, {"head", "2"}}, "layer");
               });
}

}  // namespace
}  // namespace gsan
