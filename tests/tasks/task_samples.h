#pragma once
// Small datasets of every kind, made in the test.

#include "gsan/data/datasets.h"
#include "gsan/hodge/solve/random_signal.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/examples.h"

namespace gsan {

/// Cycles (class 0) and paths (class 1) of 4 … 9 vertices with constant features on vertices and edges.
inline ComplexDataset cycles_and_paths(int count = 24) {
  ComplexDataset dataset{
      .name = "cycles and paths", .complexes = {}, .features = {}, .widths = {1, 1}, .labels = {}};
  std::vector<std::int64_t> labels;
  for (int i = 0; i < count; ++i) {
    const Vertex n = 4 + (i / 2) % 6;
    ComplexBuilder builder;
    for (Vertex v = 0; v + 1 < n; ++v) builder.add({v, v + 1});
    if (i % 2 == 0) builder.add({0, n - 1});
    dataset.complexes.push_back(builder.build());
    const SimplicialComplex& complex = dataset.complexes.back();
    dataset.features.push_back({torch::ones({complex.count(0), 1}), torch::ones({complex.count(1), 1})});
    labels.push_back(i % 2);
  }
  dataset.labels = torch::tensor(labels, torch::kInt64);
  return dataset;
}

/// Gradient flows (class 0) and curl flows (class 1) on the edges of the disc.
inline SignalDataset gradients_and_curls(int count = 20) {
  SignalDataset dataset{
      .name = "gradients and curls", .complex = example_complex("disc").complex, .signals = {}, .labels = {}};
  const ComplexOperators operators(dataset.complex);
  std::vector<Tensor> signals;
  std::vector<std::int64_t> labels;
  for (int i = 0; i < count; ++i) {
    const bool is_curl = i % 2 == 1;
    const Tensor potential =
        random_signal(operators.count(is_curl ? 2 : 0), 1, concat("potential", i), torch::kFloat64);
    const Tensor flow =
        is_curl ? operators.incidence(2).boundary(potential) : operators.incidence(1).coboundary(potential);
    signals.push_back(flow / flow.norm());
    labels.push_back(is_curl);
  }
  dataset.signals = torch::stack(signals);
  dataset.labels = torch::tensor(labels, torch::kInt64);
  return dataset;
}

/// A value on every edge of the annulus: its number of cofaces plus 1, one of them unknown.
inline ValueDataset coface_counts_dataset() {
  ValueDataset dataset{.name = "coface counts", .complex = example_complex("annulus").complex, .values = {}};
  const ComplexOperators operators(dataset.complex);
  dataset.values = {Tensor(), operators.coface_counts(1) + 1, Tensor()};
  dataset.values[1][3] = NAN;
  return dataset;
}

}  // namespace gsan
