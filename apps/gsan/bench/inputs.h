#pragma once
// Complexes, signals and layers that benchmarks share.

#include <optional>
#include <string>
#include <string_view>

#include "gsan/nn/simplicial_layer.h"

#include "apps/gsan/bench/suite.h"
#include "apps/gsan/console/input.h"

namespace gsan::app {

/// The Delaunay complex of so many random points in the unit square: vertices as they were drawn (random,
/// given), along a Hilbert curve, or by reverse Cuthill–McKee.
SimplicialComplex random_delaunay(Index points, const BenchOptions& options);

/// A random graph of preferential attachment (m links a vertex), and one more vertex that is joined to all.
SimplicialComplex hub_graph(Index vertices, Index links, const BenchOptions& options);

/// What cases on a complex of the user's are called: the name of the file, or of the example.
std::string place_of(const Input& input, const InputOptions& options);

/// A complex of the user's with its vertices in the order of the options: as given, shuffled, or by reverse
/// Cuthill–McKee. Along a curve is an error: it has no points.
SimplicialComplex in_order(const SimplicialComplex& complex, const BenchOptions& options);

/// Operators on the device of the options, with all memory of the machine.
ComplexOperators operators_of(SimplicialComplex complex, const BenchOptions& options);

/// Numbers in [−1, 1) of a stream of this name, on the device of the options and in their type or in `type`.
/// Drawn as float32, whatever the type.
Tensor random_tensor(std::vector<std::int64_t> shape, const BenchOptions& options, std::string_view name);
Tensor random_tensor(std::vector<std::int64_t> shape, const BenchOptions& options, std::string_view name,
                     torch::ScalarType type);

/// The folder of a public dataset, or nothing and the reason.
struct DataPlace {
  std::optional<std::filesystem::path> folder;
  std::string reason;
};
DataPlace find_data(const std::string& name, const BenchOptions& options);

inline constexpr const char* no_delaunay =
    "this gsan was built without Qhull; make the complex with benchmarks/delaunay_complex.py and give it "
    "with "
    "--complex";

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
  Cochains output();
  ComplexOperators operators_;
  SimplicialLayer layer_;
  bool is_narrow_ = false;  // bfloat16
  double bytes_per_number_;
  Cochains inputs_, gradients_, outputs_;
};

/// faces.1, faces.2, …: int32 [N_k, k + 1].
void add_faces(NamedTensors& tensors, const ComplexOperators& operators, const std::string& prefix = "");

/// One power of attention over lower neighbours of order 1 with its matrix product: a graph attention layer
/// without bias on the graph of edges that share a vertex.
SimplicialLayerOptions edge_attention(int features, int order);

}  // namespace gsan::app
