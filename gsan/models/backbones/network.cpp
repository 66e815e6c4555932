#include "gsan/models/backbones/network.h"

#include <algorithm>

#include "gsan/nn/recompute.h"
#include "gsan/nn/signals.h"

namespace gsan {
namespace {

// compute(), and where a GPU has no room for it an error that names the layer.
template <class Compute>
void in_layer(std::size_t l, std::size_t layers, const Compute& compute) {
  try {
    compute();
  } catch (const c10::OutOfMemoryError& error) {
    C10_THROW_ERROR(OutOfMemoryError,
                    concat("layer ", l + 1, " of ", layers, ": ", error.what_without_backtrace()));
  }
}

}  // namespace

int NetworkOptions::first_channels() const {
  if (embedding_channels > 0) return embedding_channels;
  return in_channels.empty() ? 0 : *std::max_element(in_channels.begin(), in_channels.end());
}

SimplicialLayerOptions NetworkOptions::layer_options(int l) const {
  SimplicialLayerOptions options = layer;
  options.in_channels = first_channels();
  if (l > 0) {
    options.out_channels = widths[l - 1];
    options.in_channels = options.output_channels();
  }
  options.out_channels = widths[l];
  const bool is_last = l + 1 == static_cast<int>(widths.size());
  if (is_last && !activate_last) options.activation = Activation::identity;
  if (is_last && mean_last_heads) options.head_mode = HeadMode::mean;
  return options;
}

void NetworkOptions::validate() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const auto&... parts) {
    if (!holds) faults.push_back(concat(parts...));
  };
  require(layer.order >= 0 && layer.order <= largest_order, "layer.order must lie in 0 ... ", largest_order,
          ", got ", layer.order);
  options::report("NetworkOptions", faults);  // the rest needs a sound order
  require(in_channels.size() == static_cast<std::size_t>(layer.order) + 1,
          "in_channels must hold one width for each order 0 ... layer.order = ", layer.order, ", got ",
          options::to_text(in_channels));
  require(embedding_channels >= 0, "embedding_channels must not be negative, got ", embedding_channels);
  require(!widths.empty(), "widths must hold one width per layer, got none");
  for (const int width : widths)
    require(width >= 1, "widths must be at least 1, got ", options::to_text(widths));
  bool any = false;
  for (int k = 0; k < static_cast<int>(in_channels.size()); ++k) {
    const int width = in_channels[k];
    require(width >= 0, "in_channels must not be negative, got ", options::to_text(in_channels));
    if (width <= 0) continue;
    any = true;
    require(layer.is_active(k), "in_channels gives order ", k,
            " a signal, but layer.orders = ", options::to_text(layer.active_orders()));
    require(embedding_channels > 0 || width == first_channels(),
            "orders of different widths need input maps: set embedding_channels, got in_channels = ",
            options::to_text(in_channels));
  }
  require(any, "at least one order must carry an input, got in_channels = ", options::to_text(in_channels));
  options::report("NetworkOptions", faults);
  for (int l = 0; l < static_cast<int>(widths.size()); ++l) layer_options(l).validate();
}

NetworkImpl::NetworkImpl(NetworkOptions options)
    : NetworkImpl(std::move(options), stream_from_torch("network")) {}

NetworkImpl::NetworkImpl(NetworkOptions options, const RandomStream& stream)
    : Backbone("Network"), options_(std::move(options)) {
  options_.validate();
  for (int k = 0; k < static_cast<int>(options_.in_channels.size()); ++k) {
    Linear map{nullptr};
    if (options_.embedding_channels > 0 && options_.in_channels[k] > 0) {
      const std::string name = concat("input_", k);
      // Without a bias: zero stays zero and orientations stay free.
      map = register_module(name, Linear(options_.in_channels[k], options_.embedding_channels, /*bias=*/false,
                                         stream.substream(name)));
    }
    input_maps_.push_back(map);
  }
  for (int l = 0; l < static_cast<int>(options_.widths.size()); ++l)
    layers_.push_back(register_module(concat("layer_", l), SimplicialLayer(options_.layer_options(l))));
  for (int l = 0; l < static_cast<int>(options_.widths.size()); ++l) {
    const SimplicialLayerOptions layer = options_.layer_options(l);
    const int width = layer.output_channels();
    norms_.emplace_back(static_cast<std::size_t>(layer.order) + 1, nullptr);
    if (options_.norm != NormKind::none && l + 1 < static_cast<int>(options_.widths.size()))
      for (const int k : layer.active_orders())
        norms_.back()[k] = register_module(concat("norm_", l, "_", k), Norm(options_.norm, width));
    Linear skip{nullptr};
    if (options_.residual && layer.in_channels != width) {
      const std::string name = concat("skip_", l);
      skip = register_module(name, Linear(layer.in_channels, width, /*bias=*/false, stream.substream(name)));
    }
    skips_.push_back(skip);
  }
  reset_parameters(stream);
}

std::vector<int> NetworkImpl::widths() const {
  std::vector<int> all;
  for (int l = 0; l < static_cast<int>(options_.widths.size()); ++l)
    all.push_back(options_.layer_options(l).output_channels());
  return all;
}

std::vector<SimplicialLayerOptions> NetworkImpl::simplicial_layers() const {
  std::vector<SimplicialLayerOptions> all;
  for (const SimplicialLayer& layer : layers_) all.push_back(layer->options());
  return all;
}

void NetworkImpl::reset_parameters(const RandomStream& stream) {
  for (std::size_t k = 0; k < input_maps_.size(); ++k)
    if (input_maps_[k]) input_maps_[k]->reset_parameters(stream.substream(concat("input_", k)));
  for (std::size_t l = 0; l < layers_.size(); ++l)
    layers_[l]->reset_parameters(stream.substream(concat("layer_", l)));
  for (std::size_t l = 0; l < skips_.size(); ++l) {
    if (skips_[l]) skips_[l]->reset_parameters(stream.substream(concat("skip_", l)));
    for (Norm& norm : norms_[l])
      if (norm) norm->reset_parameters();
  }
}

Cochains NetworkImpl::connect(std::size_t l, const Cochains& given, const Cochains& made) const {
  if (options_.norm == NormKind::none && !options_.residual) return made;
  Cochains y = made;
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (!y[k].defined()) continue;
    if (norms_[l][k]) y[k] = norms_[l][k]->forward(y[k]);
    if (!options_.residual || k >= given.size() || !given[k].defined()) continue;
    y[k] = y[k] + (skips_[l] ? skips_[l]->forward(given[k]) : given[k]);
  }
  return y;
}

Cochains NetworkImpl::embed(const ComplexOperators& operators, const Cochains& signals) const {
  GSAN_CHECK(signals.size() <= options_.in_channels.size(),
             "Network: expected at most one signal per order 0 ... ", options_.layer.order, ", got ",
             signals.size());
  const auto parameters_of_all = parameters();
  if (!parameters_of_all.empty())
    signal_kind("Network", operators, std::span(&signals, 1), parameters_of_all.front());
  Cochains embedded(options_.in_channels.size());
  for (int k = 0; k < static_cast<int>(signals.size()); ++k) {
    if (!signals[k].defined()) continue;
    GSAN_CHECK(options_.in_channels[k] > 0, "Network: there is a signal of order ", k,
               ", but in_channels = ", options::to_text(options_.in_channels), " gives that order none");
    const Tensor x = signal_or_none("Network", operators, signals, k, options_.in_channels[k]);
    embedded[k] = input_maps_[k] ? input_maps_[k]->forward(x) : x;
  }
  return embedded;
}

BackboneOutput NetworkImpl::forward(const ComplexOperators& operators, const Cochains& signals,
                                    const ForwardContext& context) {
  BackboneOutput output;
  ForwardContext of_layer = context;
  const bool drops = is_training() && (options_.layer.dropout > 0 || options_.layer.attention_dropout > 0);
  std::optional<RandomStream> dropout = context.dropout;
  if (drops && !dropout) dropout = stream_from_torch("dropout");
  if (context.check_finite) check_finite("Network", signals);
  Cochains x = embed(operators, signals);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    if (dropout) of_layer.dropout = dropout->substream(l);
    if (context.recompute && at::GradMode::is_enabled() && !context.diagnose) {
      in_layer(l, layers_.size(),
               [&] { x = connect(l, x, recomputed_forward(layers_[l], operators, x, of_layer)); });
      output.layers.push_back(x);
      continue;
    }
    if (context.diagnose) output.inputs.push_back(x);
    LayerOutput layer;
    in_layer(l, layers_.size(), [&] {
      layer = layers_[l]->forward(operators, x, of_layer);
      x = connect(l, x, layer.signals);
    });
    output.layers.push_back(x);
    if (context.diagnose) {
      output.activations.push_back(std::move(layer.signals));
      output.metrics.push_back(std::move(layer.metric));
    }
    if (context.return_attention_weights) output.attention.push_back(std::move(layer.attention));
  }
  return output;
}

void NetworkImpl::pretty_print(std::ostream& stream) const {
  stream << "Network(" << describe(options_) << ")";
}

}  // namespace gsan
