// Every preset of the registry: against its published equation in dense matrices, batch = parts, many
// signals = one by one, options that read back.

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "gsan/models/registry.h"

#include "models/preset_equations.h"
#include "nn/layer_samples.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

class EveryPreset : public testing::TestWithParam<Preset> {
 protected:
  static PresetArguments arguments(int order, int heads = 2, int length = 0) {
    return {.in_channels = 3, .out_channels = 2, .order = order, .length = length, .heads = heads};
  }
  static SimplicialComplex complex(int order) { return order == 3 ? solid_sample() : surface_sample(); }

  void expect_equation(const SimplicialLayerOptions& options, const dense::Published& published) {
    const torch::NoGradGuard no_grad;
    SimplicialLayer layer = make_layer(options);
    const SimplicialComplex of = complex(options.order);
    const Cochains z = sample_signals(of, options);
    const Cochains expected = dense::evaluate(*layer, of, z, published.equation, published.sigma);
    const Cochains y = layer->forward(ComplexOperators(of), z);
    EXPECT_LE(largest_difference(y, expected), 1e-11 * scale(expected)) << describe(options);
    double largest = 0;
    for (const int k : options.active_orders()) largest = std::max(largest, y[k].abs().max().item<double>());
    EXPECT_GE(largest, 1e-2);  // a zero layer proves nothing
  }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryPreset, testing::ValuesIn(all_presets().begin(), all_presets().end()),
                         [](const auto& preset) {
                           std::string name(preset.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(EveryPreset, IsItsPublishedEquation) {
  const auto found = dense::published().find(GetParam().name);
  ASSERT_NE(found, dense::published().end())
      << "preset_equations.h has no dense equation of " << GetParam().name;
  const bool is_bunch = GetParam().name == "bunch";
  const bool has_one_power = found->second.has_one_power;
  const bool is_joint = GetParam().name == "gsan-joint";
  for (const int order : {2, 3}) {
    if (is_bunch && order == 3) continue;  // published for orders 1 … 3 only, below
    for (const int length : {0, 2, 3, 5}) {
      if (is_joint && length == 2) continue;  // no attention in its odd terms: below
      if (has_one_power && length > 0) {
        expect_error(Fault::argument, {"one power", concat("length = ", length)},
                     [&] { GetParam().make(arguments(order, 2, length)); });
        continue;
      }
      if (order == 3 && length == 5) continue;
      expect_equation(GetParam().make(arguments(order, 2, length)), found->second);
    }
  }
}

// Models for one kind of simplex, on each order that has what they need.
TEST_P(EveryPreset, IsItsPublishedEquationOnEveryOrder) {
  const SimplicialLayerOptions standard = GetParam().make(arguments(2));
  if (standard.orders.size() != 1 || standard.orders[0] == 0) return;
  const bool needs_upper = GetParam().name.starts_with("sat") || GetParam().name == "mpsn-flow";
  const bool needs_lower = needs_upper || GetParam().name == "hodgenet";
  for (int k = needs_lower ? 1 : 0; k <= (needs_upper ? 2 : 3); ++k) {
    PresetArguments of = arguments(3);
    of.signal_order = k;
    expect_equation(GetParam().make(of), dense::published().at(std::string(GetParam().name)));
  }
}

class NamedPresets : public EveryPreset {};

TEST_F(NamedPresets, BunchOnTetrahedraIsThePublishedComparison) {
  SimplicialLayerOptions options = presets::bunch(arguments(3));
  options.orders = {1, 2, 3};
  expect_equation(options, dense::published().at("bunch"));
}

TEST_F(NamedPresets, SnnInPowers) {
  for (const int k : {0, 1, 2, 3}) {
    PresetArguments of = arguments(3, 2, 5);
    of.signal_order = k;
    SimplicialLayerOptions options = presets::snn(of);
    options.basis = Basis::monomial;
    expect_equation(options, {dense::one_order(dense::snn_powers), dense::leaky});
  }
}

// Without attention, sharing joint is Σ_q D^q Z W_q: one set for all components.
TEST_F(NamedPresets, JointConvolutionIsAPolynomialOfTheDiracOperator) {
  SimplicialLayerOptions options = presets::gsccn(arguments(3, 2, 5));
  options.sharing = Sharing::joint;
  expect_equation(options, {[](const dense::Head& of) {
                              return dense::dirac_layer(
                                  of, [&](int j) { return of.B(j); }, [](int) { return std::string("all"); });
                            },
                            dense::tanh});
}

// With J = 2 the odd terms of GSAN-Joint have power 0 alone: B_kᵀ Z_{k−1} W_1 + B_{k+1} Z_{k+1} W_1.
TEST_F(NamedPresets, JointOfLengthTwo) {
  expect_equation(presets::gsan_joint(arguments(2, 2, 2)),
                  {dense::all_orders([](const dense::Head& of, int k) {
                     const auto even = of.W("own_all"), odd = of.W("neighbor_all");
                     Tensor sum = of.alpha(concat("attention_", k, "_both_1"), of.z[k].mm(even[0]),
                                           of.Ld(k).abs() + of.Lu(k).abs())
                                      .mm(of.z[k])
                                      .mm(even[0]);
                     if (k > 0) sum = sum + of.B(k).t().mm(of.z[k - 1]).mm(odd[0]);
                     if (k < of.order()) sum = sum + of.B(k + 1).mm(of.z[k + 1]).mm(odd[0]);
                     return sum;
                   }),
                   dense::tanh});
}

TEST_P(EveryPreset, BatchIsItsParts) {
  const torch::NoGradGuard no_grad;
  for (const auto& [type, tolerance] :
       {std::pair{torch::kFloat64, 1e-12}, std::pair{torch::kFloat32, 1e-6}}) {
    const SimplicialLayerOptions options = GetParam().make(arguments(3));
    SimplicialLayer layer = make_layer(options);
    layer->to(type);
    std::vector<SimplicialComplex> parts = part_samples();
    for (int round = 0; round < 2; ++round) {  // the second time in another order
      Cochains batch_x(4), expected(4);
      for (const SimplicialComplex& part : parts) {
        Cochains x = sample_signals(part, options, concat("part", part.count(0), "."));
        for (Tensor& signal : x)
          if (signal.defined()) signal = signal.to(type);
        const Cochains y = layer->forward(ComplexOperators(part), x);
        for (const int k : options.active_orders()) {
          batch_x[k] = batch_x[k].defined() ? torch::cat({batch_x[k], x[k]}) : x[k];
          expected[k] = expected[k].defined() ? torch::cat({expected[k], y[k]}) : y[k];
        }
      }
      const Cochains y = layer->forward(ComplexOperators(disjoint_union(parts)), batch_x);
      EXPECT_LE(largest_difference(y, expected), tolerance * scale(expected)) << type;
      std::reverse(parts.begin(), parts.end());
    }
  }
}

TEST_P(EveryPreset, ManySignalsAreTheSignalsOneByOne) {
  const torch::NoGradGuard no_grad;
  const SimplicialLayerOptions options = GetParam().make(arguments(2));
  SimplicialLayer layer = make_layer(options);
  const ComplexOperators operators(surface_sample());
  const Cochains x = sample_signals(operators.complex(), options, "many", {4});
  const Cochains y = layer->forward(operators, x);
  for (std::int64_t b = 0; b < 4; ++b) {
    Cochains one_x(3), one_y(3);
    for (const int k : options.active_orders()) {
      one_x[k] = x[k][b];
      one_y[k] = y[k][b];
    }
    EXPECT_LE(largest_difference(layer->forward(operators, one_x), one_y), 1e-12 * scale(one_y));
  }
}

TEST_P(EveryPreset, EveryParameterIsUsed) {
  for (const int order : {1, 2, 3}) {
    const SimplicialComplex of =
        order == 1 ? ComplexBuilder().add({0, 1}).add({1, 2}).add({0, 2}).add({2, 3}).build()
                   : complex(order);
    EXPECT_EQ(unused_parameters(GetParam().make(arguments(order)), of), "") << "order " << order;
  }
}

TEST_P(EveryPreset, OptionsReadBackAndPrintThemselves) {
  const SimplicialLayerOptions options = GetParam().make(arguments(3));
  const OptionMap map = to_map(options);
  EXPECT_EQ(to_map(from_map<SimplicialLayerOptions>(map, "layer")), map);
  std::ostringstream text;
  SimplicialLayer(options)->pretty_print(text);
  EXPECT_EQ(text.str(), "SimplicialLayer(" + describe(options) + ")");
}

TEST_P(EveryPreset, WithoutSimplicesOrWithOneVertex) {
  const SimplicialLayerOptions options = GetParam().make(arguments(2));
  SimplicialLayer layer = make_layer(options);
  for (const SimplicialComplex& of : {SimplicialComplex(), ComplexBuilder().add_vertices(1).build()}) {
    const Cochains y = layer->forward(ComplexOperators(of), sample_signals(of, options));
    for (const int k : options.active_orders()) {
      EXPECT_EQ(y[k].sizes(), at::IntArrayRef({of.count(k), options.output_channels()}));
      EXPECT_TRUE(y[k].isfinite().all().item<bool>());
    }
  }
}

TEST(Registry, FindsByNameAndNamesTheNearest) {
  EXPECT_EQ(find_preset("gsan-joint").name, "gsan-joint");
  EXPECT_EQ(find_preset("gsan_joint").name, "gsan-joint");
  expect_error(Fault::argument, {"'gsam'", "'gsan'"}, [] { find_preset("gsam"); });
  for (const Preset& preset : all_presets()) {
    EXPECT_FALSE(preset.equation.empty() || preset.python_class.empty());
    EXPECT_NE(preset.citation.find(':'), std::string_view::npos) << preset.name;
    EXPECT_EQ(std::count_if(all_presets().begin(), all_presets().end(),
                            [&](const Preset& other) { return other.name == preset.name; }),
              1);
  }
}

TEST(Presets, ForAllOrdersRefuseASignalOrder) {
  for (const char* name : {"gsan", "gsan-joint", "gsccn", "sccnn", "bunch"})
    expect_error(Fault::argument, {"all orders", "signal_order = 1"},
                 [&] { find_preset(name).make({.signal_order = 1}); });
}

TEST(Presets, OnAnOrderWhereTheyHaveNoTermAreRefused) {
  for (const char* name : {"gat", "gcn"})
    expect_error(Fault::argument, {"no term", "orders = [2]"},
                 [&] { find_preset(name).make({.order = 2, .signal_order = 2}).validate(); });
}

}  // namespace
}  // namespace gsan
