#include "gsan/models/backbones/mlp_backbone.h"

#include <algorithm>
#include <numeric>
#include <ostream>

#include "gsan/models/model_kinds.h"
#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"

namespace gsan {
namespace {

std::string part_name(std::size_t k, std::size_t l) { return concat("order", k, "_layer", l); }

}  // namespace

std::vector<std::string> MlpBackboneOptions::faults() const {
  std::vector<std::string> faults;
  if (in_channels.empty())
    faults.emplace_back("in_channels must give the width of at least one order, got none");
  for (const int width : in_channels)
    if (width < 1) faults.push_back(concat("in_channels must be at least 1, got ", width));
  if (hidden_channels < 1)
    faults.push_back(concat("hidden_channels must be at least 1, got ", hidden_channels));
  if (n_layers < 1) faults.push_back(concat("n_layers must be at least 1, got ", n_layers));
  return faults;
}

void MlpBackboneOptions::validate() const { options::report("MlpBackboneOptions", faults()); }

MlpBackboneImpl::MlpBackboneImpl(MlpBackboneOptions options)
    : MlpBackboneImpl(std::move(options), stream_from_torch("mlp_baseline")) {}

MlpBackboneImpl::MlpBackboneImpl(MlpBackboneOptions options, const RandomStream& stream)
    : Backbone("gsan::MlpBackbone"), options_(std::move(options)) {
  options_.validate();
  for (std::size_t k = 0; k < options_.in_channels.size(); ++k) {
    MlpOptions layer;
    layer.in_channels = options_.in_channels[k];
    layer.out_channels = options_.hidden_channels;
    layer.activation = options_.activation;
    layer.activate_last = true;
    layer.batch_norm = options_.batch_norm;
    std::vector<Mlp>& layers = layers_.emplace_back();
    for (std::size_t l = 0; l < static_cast<std::size_t>(options_.n_layers); ++l) {
      layers.push_back(register_module(part_name(k, l), Mlp(layer, stream.substream(part_name(k, l)))));
      layer.in_channels = options_.hidden_channels;
    }
  }
}

std::vector<Cochains> MlpBackboneImpl::forward(const ComplexOperators& operators, const Cochains& x) {
  GSAN_CHECK(x.size() <= layers_.size(), "MlpBackbone: in_channels names the orders 0 ... ",
             static_cast<int>(layers_.size()) - 1, ", got signals of ", x.size(), " orders");
  const SignalKind kind = signal_kind("MlpBackbone", operators, {&x, 1}, layers_[0][0]->parameters().front());
  std::vector<Cochains> outputs(layers_[0].size());
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Tensor signal =
        signal_or_zeros("MlpBackbone", operators, x, static_cast<int>(k), options_.in_channels[k], kind);
    for (std::size_t l = 0; l < outputs.size(); ++l)
      outputs[l].push_back(signal = layers_[k][l]->forward(signal));
  }
  return outputs;
}

std::vector<int> MlpBackboneImpl::widths() const {
  return std::vector<int>(static_cast<std::size_t>(options_.n_layers), options_.hidden_channels);
}

std::vector<int> MlpBackboneImpl::orders() const {
  std::vector<int> all(options_.in_channels.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void MlpBackboneImpl::reset_parameters(const RandomStream& stream) {
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    for (std::size_t l = 0; l < layers_[k].size(); ++l)
      layers_[k][l]->reset_parameters(stream.substream(part_name(k, l)));
  }
}

void MlpBackboneImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::MlpBackbone(" << describe(options_) << ")";
}

extern const BackboneKind mlp_backbone;
const BackboneKind mlp_backbone{
    [](const ModelKind&, const ModelArguments&) {
      MlpBackboneOptions options;
      options.hidden_channels = 32;
      return AnyOptions(options, {"in_channels"});
    },
    [](const AnyOptions& any) { return any.as<MlpBackboneOptions>().faults(); }, all_orders,
    [](const ModelSpec& spec, const ModelShape& shape,
       const RandomStream& stream) -> std::shared_ptr<Backbone> {
      const int K = static_cast<int>(shape.in_channels.size()) - 1;
      MlpBackboneOptions options = spec.backbone.as<MlpBackboneOptions>();
      options.in_channels = read_input(spec.name, shape, all_orders(spec.backbone, K)).widths;
      for (int& width : options.in_channels) width = std::max(width, 1);
      return std::make_shared<MlpBackboneImpl>(options, stream);
    },
    false};

}  // namespace gsan
