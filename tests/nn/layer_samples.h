#pragma once
// Layers, complexes and signals for the tests of laws: one layer of every kind of computation, and
// complexes with every kind of simplex (in no triangle, in several, on no edge at all).

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "gsan/hodge/solve/random_signal.h"
#include "gsan/laws/defects.h"
#include "gsan/laws/measures.h"
#include "gsan/nn/simplicial_layer.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/relabel.h"

namespace gsan {

struct LayerSample {
  std::string name;
  SimplicialLayerOptions options;
  friend std::ostream& operator<<(std::ostream& out, const LayerSample& sample) { return out << sample.name; }
};

/// For testing::ValuesIn: the sample's name is the test's.
inline std::string sample_name(const auto& parameter) { return parameter.param.name; }

/// Widths 2 → 3, J = 4, odd σ, orders 0 … 3 unless told.
inline SimplicialLayerOptions sample_options(ShiftKind shift, int order = 3) {
  SimplicialLayerOptions options;
  options.in_channels = 2;
  options.out_channels = 3;
  options.order = order;
  options.set_dirac_taps(4).set_shift(shift);
  options.harmonic_steps = 3;
  return options;
}

inline LayerSample sample(std::string name, SimplicialLayerOptions options, auto&&... change) {
  (change(options), ...);
  return {std::move(name), std::move(options)};
}

/// One of every computation: shifts, mechanisms, sharings, harmonic terms, heads.
inline std::vector<LayerSample> layer_samples(int order = 3) {
  using Options = SimplicialLayerOptions;
  const Options hodge = sample_options(ShiftKind::hodge, order);
  const Options attention = sample_options(ShiftKind::attention, order);
  const Options weighted = sample_options(ShiftKind::weighted, order);
  const auto joint = [](Options& o) { o.sharing = Sharing::joint; };
  const auto unshared = [](Options& o) { o.sharing = Sharing::none; };
  const auto two_heads = [](Options& o) { o.heads = 2; };
  return {
      sample("convolution", hodge),
      sample("convolution_joint", hodge, joint, two_heads),
      sample("convolution_unshared_skip", hodge, unshared,
             [](Options& o) { o.harmonic = HarmonicKind::skip; }),
      sample("normalized", sample_options(ShiftKind::normalized, order), unshared,
             [](Options& o) { o.identity = true; }),
      sample("bunch", sample_options(ShiftKind::bunch, order),
             [](Options& o) { o.sharing = Sharing::lower_upper; }),
      sample("signed_adjacency", sample_options(ShiftKind::signed_adjacency, order), unshared),
      sample("renormalized", sample_options(ShiftKind::renormalized, order)),
      sample("gat", attention, two_heads),
      sample("gatv2", attention, two_heads,
             [](Options& o) {
               o.mechanism = Mechanism::gatv2;
               o.attention_channels = 2;
             }),
      sample("dot", attention, [](Options& o) { o.mechanism = Mechanism::dot; }),
      sample("gat_filter_length", attention, [](Options& o) { o.set_filter_length(2); }),
      sample("gat_unshared_mean", attention, unshared, two_heads,
             [](Options& o) { o.head_mode = HeadMode::mean; }),
      sample("exact_harmonic", attention, two_heads, [](Options& o) { o.harmonic = HarmonicKind::exact; }),
      sample("joint", attention, joint),
      sample("lower_attention", attention, [](Options& o) { o.upper_shift = ShiftKind::normalized; }),
      sample("metric", weighted, two_heads),
      sample("metric_joint", weighted, joint),
      sample("metric_unshared", weighted, unshared, [](Options& o) { o.harmonic = HarmonicKind::none; }),
  };
}

/// The samples that are orientation equivariant (spec 8): the convolutional ones, the others with `signed`.
inline std::vector<LayerSample> signed_samples(int order = 3) {
  std::vector<LayerSample> samples = layer_samples(order);
  for (LayerSample& s : samples)
    s.options.is_equivariant = s.options.uses(ShiftKind::attention) || s.options.uses(ShiftKind::weighted);
  return samples;
}

/// A float64 layer in eval mode with the first values of this seed; biases are random too.
inline SimplicialLayer make_layer(const SimplicialLayerOptions& options, std::uint64_t seed = 0) {
  SimplicialLayer layer(options);
  const RandomStream stream(seed, "layer");
  layer->reset_parameters(stream);
  layer->to(torch::kFloat64);
  for (const auto& item : layer->named_parameters())
    if (item.key().starts_with("bias") || item.key().ends_with(".b1") || item.key().ends_with(".b2"))
      fill_uniform(item.value(), -0.5, 0.5, stream.substream(item.key()));
  layer->eval();
  return layer;
}

/// Two tetrahedra with a common triangle, a hollow tetrahedron, triangles, a path, a lonely vertex.
inline SimplicialComplex solid_sample() {
  return ComplexBuilder()
      .add({0, 1, 3, 5})
      .add({1, 3, 5, 6})
      .add({2, 3, 4})
      .add({2, 3, 6})
      .add({2, 4, 6})
      .add({3, 4, 6})
      .add({0, 4, 7})
      .add({7, 8})
      .add_vertices(10)
      .build();
}

/// A sheet of triangles around a hole, an edge in no triangle, a lonely vertex.
inline SimplicialComplex surface_sample() {
  return ComplexBuilder()
      .add({0, 1, 4})
      .add({1, 2, 4})
      .add({2, 4, 5})
      .add({2, 3, 5})
      .add({0, 6})
      .add({3, 6})
      .add_vertices(8)
      .build();
}

/// Parts of every kind: nothing, a vertex, orders 3, 0, 2 and 1 up to `order`, nothing.
inline std::vector<SimplicialComplex> part_samples(int order = 3) {
  std::vector<SimplicialComplex> parts;
  parts.push_back(SimplicialComplex());
  parts.push_back(ComplexBuilder().add_vertices(1).build());
  if (order >= 3) parts.push_back(solid_sample());
  parts.push_back(ComplexBuilder().add_vertices(3).build());
  if (order >= 2) parts.push_back(surface_sample());
  parts.push_back(ComplexBuilder().add({0, 1}).add({1, 2}).add({2, 3}).add({0, 3}).add({1, 3}).build());
  parts.push_back(SimplicialComplex());
  return parts;
}

/// A random float64 signal of every order that the layer takes, with these leading dimensions.
inline Cochains sample_signals(const SimplicialComplex& complex, const SimplicialLayerOptions& options,
                               const std::string& purpose = "signal",
                               const std::vector<std::int64_t>& leading = {}) {
  Cochains x(static_cast<std::size_t>(options.order) + 1);
  std::int64_t copies = 1;
  for (const std::int64_t size : leading) copies *= size;
  for (const int k : options.active_orders()) {
    std::vector<std::int64_t> shape = leading;
    shape.insert(shape.end(), {complex.count(k), options.in_channels});
    x[k] = random_signal(copies * complex.count(k), options.in_channels, concat(purpose, k), torch::kFloat64)
               .view(shape);
  }
  return x;
}

using laws::largest_difference;

/// The layer as the laws ask for it.
inline laws::CochainMap map_of(SimplicialLayer layer) {
  return [layer](const ComplexOperators& operators, const Cochains& x) mutable {
    return layer->forward(operators, x);
  };
}

/// Largest entry of |a|, at least 1: what differences are compared with.
inline double scale(const Cochains& a) { return std::max(1.0, laws::largest(a)); }

/// Names of the parameters with an entry that no sample gives a gradient, "" when there is none. Without σ,
/// which may be flat. Where all scores of a row lie on one side of the LReLU, what they have in common has no
/// gradient, so signals and first values vary. The last bias of a metric's MLP is left out: spec 6 has
/// it, but its softmax does not see it.
inline std::string unused_parameters(SimplicialLayerOptions options, const SimplicialComplex& complex) {
  options.activation = Activation::identity;
  const ComplexOperators operators(complex);
  std::map<std::string, Tensor> used;
  std::string unused;
  for (std::uint64_t sample = 0; sample < 40; ++sample) {
    SimplicialLayer layer = make_layer(options, sample);
    Tensor sum = torch::zeros({}, torch::kFloat64);
    for (const Tensor& y :
         layer->forward(operators, sample_signals(complex, options, concat("s", sample, "."))))
      if (y.defined()) sum = sum + (y * y).sum();
    sum.backward();
    unused.clear();
    for (const auto& item : layer->named_parameters()) {
      if (item.key().ends_with(".b2")) continue;
      const Tensor& gradient = item.value().grad();
      const Tensor moved = gradient.defined()
                               ? gradient.abs() > 1e-9
                               : torch::zeros_like(item.value(), torch::kBool);  // not rounding
      Tensor& ever = used[item.key()];
      ever = ever.defined() ? ever | moved : moved;
      if (!ever.all().item<bool>()) unused += item.key() + " ";
    }
    if (unused.empty()) break;
  }
  return unused;
}

}  // namespace gsan
