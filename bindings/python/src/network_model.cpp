#include "bindings/python/src/network_model.h"

#include <ATen/autocast_mode.h>

#include "gsan/core/check.h"
#include "gsan/models/layer_view.h"
#include "gsan/nn/batch_norm.h"

namespace gsan::python {

py::list attention_list(const std::vector<AttentionWeights>& all) {
  py::list list;
  for (const AttentionWeights& one : all)
    list.append(py::make_tuple(one.order, std::string(side_name(one.side)),
                               one.use == Use::own ? "own" : "neighbor", one.receivers, one.sources,
                               one.weights));
  return list;
}

bool follows_autocast(const std::vector<Tensor>& weights) {
  return !weights.empty() && weights[0].is_cuda() && weights[0].scalar_type() == at::kFloat &&
         at::autocast::is_autocast_enabled(at::kCUDA) &&
         at::autocast::get_autocast_dtype(at::kCUDA) == at::kBFloat16;
}

Cochains uncast(const Signals& signals, const std::vector<Tensor>& weights) {
  Cochains all = to_cochains(signals);
  if (weights.empty() || !at::autocast::is_autocast_enabled(weights[0].device().type()) ||
      follows_autocast(weights))
    return all;
  for (Tensor& signal : all)
    if (signal.defined() && (signal.scalar_type() == at::kHalf || signal.scalar_type() == at::kBFloat16))
      signal = signal.to(weights[0].scalar_type());
  return all;
}

py::tuple response_tuple(const LayerResponse& response) {
  py::list terms;
  for (const TermResponse& term : response.terms)
    terms.append(py::make_tuple(term.name, term.gain, term.is_exact));
  return py::make_tuple(terms, response.total, response.is_exact, response.reads_signals);
}

HodgeSpectrum to_spectrum(const Tensor& values, const Tensor& vectors, const std::vector<int>& parts) {
  HodgeSpectrum spectrum{values, vectors, {}};
  GSAN_CHECK(values.dim() == 1 && vectors.dim() == 2 && vectors.size(1) == values.size(0) &&
                 static_cast<std::int64_t>(parts.size()) == values.size(0),
             "response: a spectrum has values [n], vectors [simplices, n] and n parts, got ", values.sizes(),
             ", ", vectors.sizes(), " and ", parts.size());
  for (const int part : parts) spectrum.parts.push_back(static_cast<HodgePart>(part));
  return spectrum;
}

NetworkModel::NetworkModel(std::shared_ptr<ModelImpl> model)
    : BoundModule(model,
                  [spec = model->spec(), shape = model->shape()] {
                    return std::make_shared<ModelImpl>(spec, shape, RandomStream(0, "rebuilt"));
                  }),
      options_(model->description()),
      orders_(model->backbone().orders()) {}

Model NetworkModel::module(const std::vector<Tensor>& tensors, bool training) {
  return Model(std::static_pointer_cast<ModelImpl>(bound(tensors, training)));
}

void NetworkModel::fit_inputs(const std::vector<Tensor>& tensors, const std::vector<Signals>& batches) {
  std::vector<Cochains> all;
  for (const Signals& signals : batches) all.push_back(uncast(signals, tensors));
  const Quietly quietly(tensors);
  Model(std::static_pointer_cast<ModelImpl>(bound(tensors, /*training=*/false)))
      ->fit_inputs([&](const auto& add) {
        for (const Cochains& x : all) add(x);
      });
}

void NetworkModel::measure_batch_norms(const std::vector<Tensor>& tensors, const py::function& passes) {
  const std::shared_ptr<Module> module = bound(tensors, /*training=*/false);
  gsan::measure_batch_norms(*module, [&] { passes(); });
}

py::tuple NetworkModel::forward(const std::vector<Tensor>& tensors, const ComplexOperators& operators,
                                const Signals& signals, const std::optional<Tensor>& tuples, bool all_layers,
                                const CallOptions& call) {
  const Cochains x = uncast(signals, tensors);
  ModelOutput output;
  {
    const Quietly quietly(tensors);
    const auto module = std::static_pointer_cast<ModelImpl>(bound(tensors, call.training));
    output = module->forward(operators, x, call.context(), to_tensor(tuples));
  }
  py::list layers, attention;
  const bool is_last_wanted = all_layers || !output.values.defined();
  for (std::size_t l = 0; l < output.backbone.layers.size(); ++l)
    if (all_layers || (is_last_wanted && l + 1 == output.backbone.layers.size()))
      layers.append(py::cast(output.backbone.layers[l]));
  for (const auto& of_layer : output.backbone.attention) attention.append(attention_list(of_layer));
  return py::make_tuple(output.values, layers, attention);
}

LayerResponse NetworkModel::response(const std::vector<Tensor>& tensors, const ComplexOperators& operators,
                                     const Signals& signals, const std::optional<Tensor>& tuples, int number,
                                     int k, const HodgeSpectrum& spectrum) {
  const Cochains x = uncast(signals, tensors);
  const Quietly quietly(tensors);
  Model model = module(tensors, /*training=*/false);
  const LayerView view = view_layer(model, operators, x, number, to_tensor(tuples));
  return layer_response(*view.layer, operators, view.input, k, spectrum);
}

}  // namespace gsan::python
