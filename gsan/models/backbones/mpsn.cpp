#include "gsan/models/backbones/mpsn.h"

#include <cmath>
#include <numeric>
#include <ostream>

#include "gsan/models/model_kinds.h"
#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"

namespace gsan {
namespace {

std::string input_name(std::size_t k) { return "input" + std::to_string(k); }
std::string layer_name(std::size_t l) { return "layer" + std::to_string(l); }

}  // namespace

std::vector<std::string> MpsnOptions::faults() const {
  std::vector<std::string> faults;
  if (in_channels.empty())
    faults.emplace_back("in_channels must give the width of at least one order, got none");
  for (const int width : in_channels) {
    if (width < 1) faults.push_back(concat("in_channels must be at least 1, got ", width));
    if (!input_map && width != in_channels.front())
      faults.push_back(concat("in_channels differ, ", in_channels.front(), " and ", width,
                              ": set input_map = true to map all orders to one width"));
  }
  if (hidden_channels < 1)
    faults.push_back(concat("hidden_channels must be at least 1, got ", hidden_channels));
  if (n_layers < 1) faults.push_back(concat("n_layers must be at least 1, got ", n_layers));
  if (!std::isfinite(epsilon)) faults.push_back(concat("epsilon must be finite, got ", epsilon));
  return faults;
}

void MpsnOptions::validate() const { options::report("MpsnOptions", faults()); }

MpsnOptions gin(int in_channels, int hidden_channels, int n_layers) {
  MpsnOptions options;
  options.in_channels = {in_channels};
  options.hidden_channels = hidden_channels;
  options.n_layers = n_layers;
  options.boundaries = false;
  options.use_coboundaries = false;
  return options;
}

MpsnImpl::MpsnImpl(MpsnOptions options) : MpsnImpl(std::move(options), stream_from_torch("mpsn")) {}

MpsnImpl::MpsnImpl(MpsnOptions options, const RandomStream& stream)
    : Backbone("gsan::Mpsn"), options_(std::move(options)) {
  options_.validate();
  MpsnLayerOptions layer;
  layer.order = static_cast<int>(options_.in_channels.size()) - 1;
  layer.in_channels = options_.in_channels.front();
  layer.out_channels = options_.hidden_channels;
  layer.boundaries = options_.boundaries;
  layer.use_coboundaries = options_.use_coboundaries;
  layer.epsilon = options_.epsilon;
  layer.train_epsilon = options_.train_epsilon;
  layer.activation = options_.activation;
  layer.batch_norm = options_.batch_norm;
  if (options_.input_map) {
    for (std::size_t k = 0; k < options_.in_channels.size(); ++k) {
      input_maps_.push_back(register_module(
          input_name(k),
          Linear(options_.in_channels[k], options_.hidden_channels, true, stream.substream(input_name(k)))));
    }
    layer.in_channels = options_.hidden_channels;
  }
  for (int l = 0; l < options_.n_layers; ++l) {
    const std::string name = layer_name(static_cast<std::size_t>(l));
    layers_.push_back(register_module(name, MpsnLayer(layer, stream.substream(name))));
    layer.in_channels = options_.hidden_channels;
  }
}

std::vector<Cochains> MpsnImpl::forward(const ComplexOperators& operators, const Cochains& x) {
  Cochains signals = x;
  if (options_.input_map) {
    GSAN_CHECK(x.size() <= input_maps_.size(), "Mpsn: in_channels names the orders 0 ... ",
               static_cast<int>(input_maps_.size()) - 1, ", got signals of ", x.size(), " orders");
    const SignalKind kind = signal_kind("Mpsn", operators, {&x, 1}, input_maps_.front()->weight);
    signals.assign(input_maps_.size(), {});
    for (std::size_t k = 0; k < input_maps_.size(); ++k) {
      signals[k] = input_maps_[k]->forward(
          signal_or_zeros("Mpsn", operators, x, static_cast<int>(k), options_.in_channels[k], kind));
    }
  }
  std::vector<Cochains> outputs;
  for (MpsnLayer& layer : layers_) {
    signals = layer->forward(operators, signals);
    outputs.push_back(signals);
  }
  return outputs;
}

std::vector<int> MpsnImpl::widths() const {
  return std::vector<int>(static_cast<std::size_t>(options_.n_layers), options_.hidden_channels);
}

std::vector<int> MpsnImpl::orders() const {
  std::vector<int> all(options_.in_channels.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void MpsnImpl::reset_parameters(const RandomStream& stream) {
  for (std::size_t k = 0; k < input_maps_.size(); ++k)
    input_maps_[k]->reset_parameters(stream.substream(input_name(k)));
  for (std::size_t l = 0; l < layers_.size(); ++l)
    layers_[l]->reset_parameters(stream.substream(layer_name(l)));
}

void MpsnImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::Mpsn(" << describe(options_) << ")";
}

namespace {

AnyOptions start(MpsnOptions options) {
  options.hidden_channels = 32;
  options.n_layers = 2;
  return {options, {"in_channels"}};
}

// Of what can be judged without an input.
std::vector<std::string> faults_of(const AnyOptions& any) {
  MpsnOptions options = any.as<MpsnOptions>();
  options.in_channels = {1};
  return options.faults();
}

std::shared_ptr<Backbone> make_on(const std::vector<int>& orders, const ModelSpec& spec,
                                  const ModelShape& shape, const RandomStream& stream) {
  ReadInput read = read_input(spec.name, shape, orders);
  read.widths.resize(orders.size());
  MpsnOptions options = spec.backbone.as<MpsnOptions>();
  if (!read.is_even) options.input_map = true;
  for (int& width : read.widths)
    if (width == 0) width = read.is_even ? read.width : 1;
  options.in_channels = read.widths;
  return std::make_shared<MpsnImpl>(options, stream);
}

}  // namespace

extern const BackboneKind mpsn_backbone;
const BackboneKind mpsn_backbone{
    [](const ModelKind&, const ModelArguments&) { return start({}); }, faults_of, all_orders,
    [](const ModelSpec& spec, const ModelShape& shape, const RandomStream& stream) {
      const int K = static_cast<int>(shape.in_channels.size()) - 1;
      return make_on(all_orders(spec.backbone, K), spec, shape, stream);
    },
    false};

extern const BackboneKind gin_backbone;
const BackboneKind gin_backbone{[](const ModelKind&, const ModelArguments&) { return start(gin(1, 32, 2)); },
                                faults_of, [](const AnyOptions&, int) { return std::vector<int>{0}; },
                                [](const ModelSpec& spec, const ModelShape& shape,
                                   const RandomStream& stream) { return make_on({0}, spec, shape, stream); },
                                false};

}  // namespace gsan
