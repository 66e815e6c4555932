#pragma once
// Complexes, signals and layers that benchmarks share.

#include <optional>
#include <string>
#include <string_view>

#include "gsan/nn/simplicial_layer.h"

#include "apps/gsan/bench/suite.h"

namespace gsan::app {

/// The Delaunay complex of so many random points in the unit square: vertices as they were drawn, or along a
/// Hilbert curve.
SimplicialComplex random_delaunay(Index points, const BenchOptions& options);

/// A random graph of preferential attachment (m links a vertex), and one more vertex that is joined to all.
SimplicialComplex hub_graph(Index vertices, Index links, const BenchOptions& options);

/// Numbers in [−1, 1) of a stream of this name, float32.
Tensor random_tensor(std::vector<std::int64_t> shape, const BenchOptions& options, std::string_view name);

/// The folder of a public dataset, or nothing and the reason.
struct DataPlace {
  std::optional<std::filesystem::path> folder;
  std::string reason;
};
DataPlace find_data(const std::string& name, const BenchOptions& options);

inline constexpr const char* no_delaunay = "this gsan was built without Qhull";

/// A layer on a complex with random signals on its active orders.
class LayerCase {
 public:
  LayerCase(SimplicialLayerOptions layer, const ComplexOperators& operators, const BenchOptions& options);

  void forward();  ///< without gradients
  /// And back, for gradients of the outputs that are drawn once; old gradients are dropped.
  void forward_backward();

  Work work(Passes passes) const;
  Json facts() const;  ///< simplices, features
  /// faces.K, input.K, output.K, output_gradient.K, input_gradient.K, and the parameters as weight.NAME.
  NamedTensors tensors();

 private:
  ComplexOperators operators_;
  SimplicialLayer layer_;
  Cochains inputs_, gradients_, outputs_;
};

/// faces.1, faces.2, …: int32 [N_k, k + 1].
void add_faces(NamedTensors& tensors, const ComplexOperators& operators, const std::string& prefix = "");

/// One power of attention over lower neighbours of order 1 with its matrix product: a graph attention layer
/// without bias on the graph of edges that share a vertex.
SimplicialLayerOptions edge_attention(int features, int order);

}  // namespace gsan::app
