#include "apps/gsan/bench/inputs.h"

#include <torch/autograd.h>

#include "gsan/data/fetch/cache.h"
#include "gsan/models/precision.h"
#include "gsan/nn/weights.h"
#include "gsan/topology/bisection_order.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/delaunay.h"
#include "gsan/topology/random_graph.h"
#include "gsan/topology/relabel.h"
#include "gsan/topology/reorder.h"

namespace gsan::app {

SimplicialComplex random_delaunay(Index points, const BenchOptions& options) {
  RandomStream random(options.seed, "bench points");
  const std::vector<double> drawn = uniform_points(points, 2, random);
  SimplicialComplex complex = delaunay(drawn, 2, {.max_memory = physical_memory()});
  if (options.order == "hilbert") return relabel(complex, hilbert_order(drawn, 2)).complex;
  return options.order == "random" ? complex : in_order(complex, options);
}

SimplicialComplex hub_graph(Index vertices, Index links, const BenchOptions& options) {
  RandomStream random(options.seed, "bench graph");
  std::vector<Edge> edges = barabasi_albert(vertices, links, random);
  for (Vertex v = 0; v < vertices; ++v) edges.push_back({v, vertices});
  return clique_complex(edges, vertices + 1, 1);
}

std::string place_of(const Input& input, const InputOptions& options) {
  if (input.is_example) return options.example;
  std::filesystem::path file = std::filesystem::path(options.path).filename();
  if (file.extension() == ".gz") file = file.stem();
  const std::string name = file.stem().string();
  constexpr std::string_view of_benson = "-nverts";
  return name.ends_with(of_benson) ? name.substr(0, name.size() - of_benson.size()) : name;
}

SimplicialComplex in_order(const SimplicialComplex& complex, const BenchOptions& options) {
  if (options.order == "given") return complex;
  if (options.order == "bisection") return relabel(complex, bisection_order(complex)).complex;
  if (options.order == "cuthill-mckee") return relabel(complex, reverse_cuthill_mckee(complex)).complex;
  GSAN_CHECK(options.order == "random",
             "--order: a file of simplices has no points to follow a curve through, got '", options.order,
             "'; use given, random, bisection or cuthill-mckee");
  RandomStream random(options.seed, "bench vertex order");
  return relabel(complex, random.permutation<Vertex>(complex.count(0))).complex;
}

ComplexOperators operators_of(SimplicialComplex complex, const BenchOptions& options) {
  return {std::move(complex), {.device = options.place, .max_memory = physical_memory()}};
}

Tensor random_tensor(std::vector<std::int64_t> shape, const BenchOptions& options, std::string_view name) {
  return random_tensor(std::move(shape), options, name, options.type());
}

Tensor random_tensor(std::vector<std::int64_t> shape, const BenchOptions& options, std::string_view name,
                     torch::ScalarType type) {
  RandomStream random = RandomStream(options.seed, "bench").substream(name);
  const Tensor x = torch::empty(shape, torch::kFloat32);
  float* const entries = x.data_ptr<float>();
  for (std::int64_t i = 0; i < x.numel(); ++i) entries[i] = static_cast<float>(random.uniform(-1, 1));
  return x.to(options.place, type);
}

DataPlace find_data(const std::string& name, const BenchOptions& options) {
  const Dataset& dataset = find_dataset(name);
  const DataCache cache = DataCache::standard({options.look_in.begin(), options.look_in.end()});
  if (cache.inspect(dataset).is_absent())
    return {{}, concat("the data are not here: gsan data fetch ", name, ", or --look-in FOLDER")};
  return {cache.require(dataset), ""};
}

LayerCase::LayerCase(SimplicialLayerOptions layer, const ComplexOperators& operators,
                     const BenchOptions& options)
    : operators_(operators),
      layer_(std::move(layer)),
      bytes_per_number_(static_cast<double>(c10::elementSize(options.type()))) {
  layer_->reset_parameters(RandomStream(options.seed, "bench layer"));
  // In bfloat16 weights stay float32, as in training: autocast stores signals in it.
  is_narrow_ = options.type() == torch::kBFloat16;
  layer_->to(options.place, is_narrow_ ? torch::kFloat32 : options.type());
  const SimplicialLayerOptions& of = layer_->options();
  const auto orders = static_cast<std::size_t>(of.order) + 1;
  inputs_.resize(orders);
  gradients_.resize(orders);
  for (const int k : of.active_orders()) {
    inputs_[k] = random_tensor({operators.count(k), of.in_channels}, options, concat("input ", k));
    gradients_[k] =
        random_tensor({operators.count(k), of.output_channels()}, options, concat("gradient ", k));
    inputs_[k].requires_grad_();
  }
}

void LayerCase::forward() {
  const torch::NoGradGuard no_grad;
  outputs_ = output();
}

Cochains LayerCase::output() {
  std::optional<Autocast> narrow;
  if (is_narrow_) narrow.emplace(operators_.device());
  return layer_->forward(operators_, inputs_);
}

void LayerCase::forward_backward() {
  layer_->zero_grad();
  torch::autograd::variable_list results, directions;
  for (Tensor& x : inputs_)
    if (x.defined()) x.mutable_grad() = Tensor();
  outputs_ = output();
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (!outputs_[k].defined() || !outputs_[k].requires_grad()) continue;
    gradients_[k] = gradients_[k].to(outputs_[k].scalar_type());
    results.push_back(outputs_[k]);
    directions.push_back(gradients_[k]);
  }
  torch::autograd::backward(results, directions);
}

Work LayerCase::work(Passes passes) const {
  return layer_work(layer_->options(), operators_.complex(), passes, 1, bytes_per_number_);
}

Json LayerCase::facts() const {
  const SimplicialLayerOptions& options = layer_->options();
  Json simplices = Json::array();
  for (int k = 0; k <= options.order; ++k) simplices.push_back(operators_.count(k));
  std::int64_t pairs = 0;
  for (const LayerTerm& term : layer_->terms())
    if (term.needs_shift() && term.use == Use::own)
      pairs += count_pairs(operators_.complex(), term.k, term.side);
  return {{"simplices", simplices}, {"pairs", pairs}, {"features", options.in_channels}};
}

NamedTensors LayerCase::tensors() {
  forward_backward();
  NamedTensors tensors;
  add_faces(tensors, operators_);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (!inputs_[k].defined()) continue;
    tensors.emplace_back(concat("input.", k), inputs_[k].detach());
    tensors.emplace_back(concat("output.", k), outputs_[k].detach());
    tensors.emplace_back(concat("output_gradient.", k), gradients_[k]);
    if (inputs_[k].grad().defined()) tensors.emplace_back(concat("input_gradient.", k), inputs_[k].grad());
  }
  for (const auto& [name, tensor] : weights_of(*layer_))
    tensors.emplace_back("weight." + name, tensor.detach());
  return tensors;
}

void add_faces(NamedTensors& tensors, const ComplexOperators& operators, const std::string& prefix) {
  for (int k = 1; k <= operators.order(); ++k)
    tensors.emplace_back(concat(prefix, "faces.", k), operators.incidence(k).faces());
}

SimplicialLayerOptions edge_attention(int features, int order) {
  SimplicialLayerOptions options;
  options.in_channels = options.out_channels = features;
  options.order = order;
  options.orders = {1};
  options.lower = {.own = 1, .neighbor = 0, .first = 0};
  options.upper = {.own = 0, .neighbor = 0, .first = 0};
  options.sharing = Sharing::none;
  options.harmonic = HarmonicKind::none;
  options.activation = Activation::identity;
  return options;
}

}  // namespace gsan::app
