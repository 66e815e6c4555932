#include "gsan/tasks/model_inputs.h"

#include <algorithm>
#include <numeric>

namespace gsan {
namespace {

// Whether the widths above 0 are one number.
bool have_one_width(const std::vector<int>& widths, int width) {
  return std::all_of(widths.begin(), widths.end(), [&](int w) { return w == 0 || w == width; });
}

}  // namespace

void set_inputs(ModelOptions& options, std::string_view task, const std::vector<int>& widths) {
  const int K = static_cast<int>(widths.size()) - 1;
  std::vector<int> read = widths;
  if (options.backbone == BackboneKind::layers) {
    options.network.layer.order = K;
    for (int k = 0; k <= K; ++k)
      if (!options.network.layer.is_active(k)) read[k] = 0;
  } else if (options.backbone == BackboneKind::mpsn && options.mpsn.in_channels.size() == 1) {
    read.resize(1);  // GIN
  }
  const int width = read.empty() ? 0 : *std::max_element(read.begin(), read.end());
  GSAN_CHECK(width > 0, task, ": the input has the widths ", options::to_text(widths),
             " on the orders 0 ... ", K, ", but the model works on ",
             options.backbone == BackboneKind::layers
                 ? "the orders " + options::to_text(options.network.layer.active_orders())
                 : "vertices",
             " only; choose other orders or another model");
  const bool is_even = have_one_width(read, width);
  switch (options.backbone) {
    case BackboneKind::layers: {
      NetworkOptions& network = options.network;
      network.in_channels = read;
      if (!is_even && network.embedding_channels == 0 && !network.widths.empty())
        network.embedding_channels = network.layer_options(0).output_channels();
      break;
    }
    case BackboneKind::mpsn:
      if (!is_even) options.mpsn.input_map = true;
      for (int& w : read)
        if (w == 0) w = is_even ? width : 1;
      options.mpsn.in_channels = read;
      break;
    case BackboneKind::mlp:
      for (int& w : read) w = std::max(w, 1);
      options.mlp.in_channels = read;
      break;
  }
}

std::vector<int> read_orders(const ModelOptions& options) {
  if (options.backbone == BackboneKind::layers) return options.network.layer.active_orders();
  std::vector<int> orders(
      (options.backbone == BackboneKind::mpsn ? options.mpsn.in_channels : options.mlp.in_channels).size());
  std::iota(orders.begin(), orders.end(), 0);
  return orders;
}

void require_read(const ModelOptions& options, std::string_view task, int k) {
  const std::vector<int> orders = read_orders(options);
  GSAN_CHECK(std::find(orders.begin(), orders.end(), k) != orders.end(), task, ": the readout reads order ",
             k, ", but the model works on the orders ", options::to_text(orders),
             "; choose another order or another model");
}

}  // namespace gsan
