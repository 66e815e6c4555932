#include "gsan/models/backbones/layers.h"

#include <algorithm>
#include <set>

#include "gsan/models/model_kinds.h"
#include "gsan/models/registry.h"

namespace gsan {
namespace {

// What the shape, hidden_channels and n_layers determine.
const SkippedOptions no_keys = {"in_channels", "out_channels", "order"};

int heads_side_by_side(const SimplicialLayerOptions& layer) {
  return layer.head_mode == HeadMode::concat ? layer.heads : 1;
}

AnyOptions start_options(const ModelKind& model, const ModelArguments& arguments) {
  const Preset& preset = find_preset(model.name);
  const bool counts_powers = arguments.length_counts == LengthKind::powers && arguments.length > 0;
  PresetArguments of_preset{.order = largest_order, .length = counts_powers ? 0 : arguments.length};
  LayersOptions made;
  made.length = arguments.length;
  made.length_counts = arguments.length_counts;
  made.layer = preset.make(of_preset);
  if (!made.layer.orders.empty() && arguments.signal_order >= 0) {  // a model of one order
    of_preset.signal_order = arguments.signal_order;
    made.layer = preset.make(of_preset);
  }
  if (counts_powers) made.layer.set_filter_length(arguments.length);
  return {made, no_keys};
}

std::vector<int> orders(const AnyOptions& any, int K) {
  SimplicialLayerOptions layer = any.as<LayersOptions>().layer;
  layer.order = K;
  return layer.active_orders();
}

std::shared_ptr<Backbone> make(const ModelSpec& spec, const ModelShape& shape, const RandomStream& stream) {
  return std::make_shared<NetworkImpl>(
      network_options(spec.backbone.as<LayersOptions>(), shape, spec.readout == "none"), stream);
}

}  // namespace

std::vector<std::string> LayersOptions::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const auto&... parts) {
    if (!holds) faults.push_back(concat(parts...));
  };
  require(length >= 0 && length <= 64, "length must lie in 0 ... 64, got ", length);
  require(hidden_channels >= 1 && hidden_channels <= 65536, "hidden_channels must lie in 1 ... 65536, got ",
          hidden_channels);
  require(n_layers >= 1 && n_layers <= 1024, "n_layers must lie in 1 ... 1024, got ", n_layers);
  require(embedding_channels >= 0 && embedding_channels <= 65536,
          "embedding_channels must lie in 0 ... 65536, got ", embedding_channels);
  require(
      norm != NormKind::layer || !layer.is_equivariant,
      "norm=layer has means and offsets, which do not follow orientations: equivariant layers take norm=rms");
  SimplicialLayerOptions anywhere = layer;
  anywhere.in_channels = anywhere.out_channels = 1;
  anywhere.order = largest_order;
  if (!layer.harmonic_epsilon.empty()) anywhere.harmonic_epsilon.resize(largest_order + 1, 1);
  add_faults(faults, "", anywhere);
  const int heads = heads_side_by_side(layer);
  for (const int width : widths)
    require(width >= 1 && width <= 65536, "widths must lie in 1 ... 65536, got ", options::to_text(widths));
  std::vector<int> divided = widths;
  if (divided.empty())
    divided.assign(static_cast<std::size_t>(std::clamp(n_layers, 0, 1024)), hidden_channels);
  if (mean_last_heads && !divided.empty()) divided.pop_back();
  for (const int width : std::set<int>(divided.begin(), divided.end()))
    require(heads < 1 || width % heads == 0, widths.empty() ? "hidden_channels" : "widths",
            " counts all heads together and must be a multiple of heads = ", heads, ", got ", width);
  return faults;
}

NetworkOptions network_options(const LayersOptions& options, const ModelShape& shape, bool answers) {
  NetworkOptions network;
  network.layer = options.layer;
  network.layer.order = static_cast<int>(shape.in_channels.size()) - 1;
  network.embedding_channels = options.embedding_channels;
  network.activate_last = options.activate_last;
  network.mean_last_heads = options.mean_last_heads;
  network.norm = options.norm;
  network.residual = options.residual;
  network.widths = options.widths;
  if (network.widths.empty())
    network.widths.assign(static_cast<std::size_t>(std::max(options.n_layers, 0)), options.hidden_channels);
  for (std::size_t l = 0; l < network.widths.size(); ++l)
    if (l + 1 < network.widths.size() || !options.mean_last_heads)
      network.widths[l] /= heads_side_by_side(options.layer);
  const auto read = read_input("model", shape, network.layer.active_orders());
  network.in_channels = read.widths;
  // Inputs of different widths get maps to one width.
  if (!read.is_even && network.embedding_channels == 0 && !network.widths.empty())
    network.embedding_channels = network.layer_options(0).output_channels();
  if (answers && shape.out_channels > 0 && !network.widths.empty()) {
    const int heads = options.mean_last_heads ? 1 : heads_side_by_side(options.layer);
    GSAN_CHECK(shape.out_channels % heads == 0,
               "model: without a readout the last layer is the answer, of width ", shape.out_channels,
               ", which must be a multiple of heads = ", heads, ", got ", shape.out_channels,
               "; use one head, head_mode = mean or mean_last_heads");
    network.widths.back() = shape.out_channels / heads;
  }
  return network;
}

extern const BackboneKind layers_backbone;
const BackboneKind layers_backbone{start_options,
                                   [](const AnyOptions& any) { return any.as<LayersOptions>().faults(); },
                                   orders, make, true};

}  // namespace gsan
