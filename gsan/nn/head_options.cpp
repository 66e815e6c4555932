#include "gsan/nn/head_options.h"

#include <numeric>

#include "gsan/nn/signals.h"

namespace gsan {

std::vector<std::string> HeadOptions::faults() const {
  std::vector<std::string> found;
  if (order < 0) found.push_back(concat("order must not be negative, got ", order));
  if (widths.empty()) found.emplace_back("widths must name the features of at least one layer, got none");
  for (const int width : widths)
    if (width < 1) found.push_back(concat("widths must be at least 1, got ", width));
  for (const int width : hidden)
    if (width < 1) found.push_back(concat("hidden widths must be at least 1, got ", width));
  if (out_channels < 1) found.push_back(concat("out_channels must be at least 1, got ", out_channels));
  return found;
}

int HeadOptions::feature_count() const {
  return all_layers ? std::accumulate(widths.begin(), widths.end(), 0) : widths.back();
}

MlpOptions HeadOptions::mlp(int in_channels) const {
  MlpOptions options;
  options.in_channels = in_channels;
  options.hidden = hidden;
  options.out_channels = out_channels;
  options.activation = activation;
  options.batch_norm = batch_norm;
  return options;
}

Tensor head_features(std::string_view who, const HeadOptions& options, const ComplexOperators& operators,
                     const std::vector<Cochains>& layers, const Tensor& parameter) {
  GSAN_CHECK(layers.size() == options.widths.size(), who, ": widths names ", options.widths.size(),
             " layers, got the signals of ", layers.size());
  const SignalKind kind = signal_kind(who, operators, layers, parameter);
  std::vector<Tensor> parts;
  for (std::size_t l = options.all_layers ? 0 : layers.size() - 1; l < layers.size(); ++l)
    parts.push_back(signal_or_zeros(who, operators, layers[l], options.order, options.widths[l], kind));
  const Tensor x = parts.size() == 1 ? parts[0] : torch::cat(parts, -1);
  return options.absolute ? x.abs() : x;
}

}  // namespace gsan
