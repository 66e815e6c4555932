#include "gsan/train/diagnosis.h"

#include <algorithm>
#include <cmath>

#include <torch/autograd.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

constexpr double flat = 0.01;         // how near to its end tanh or sigmoid counts as saturated
constexpr double dead_share = 0.999;  // of the outputs

// Which entries of y = σ(x) lie where σ is flat.
Tensor saturated_entries(const Tensor& y, Activation activation) {
  switch (activation) {
    case Activation::tanh:
      return y.abs() > 1 - flat;
    case Activation::sigmoid:
      return (y < flat).logical_or(y > 1 - flat);
    case Activation::relu:
      return y == 0;
    default:
      return torch::zeros_like(y, torch::kBool);
  }
}

double largest(const Tensor& x) { return x.numel() == 0 ? 0 : x.max().item<double>(); }

// The largest max − min over the rows of one part, [..., N, H].
double range_of_parts(const Tensor& x, std::span<const Index> parts) {
  double range = 0;
  for (std::size_t p = 0; p + 1 < parts.size(); ++p)
    if (const Tensor part = x.slice(-2, parts[p], parts[p + 1]); part.numel() > 0)
      range = std::max(range, largest(part.amax(-2) - part.amin(-2)));
  return range;
}

// The largest ratio of two weights in one neighbourhood, as a logarithm.
double attention_range(const AttentionWeights& attention, std::int64_t rows) {
  const Tensor logs = attention.weights.to(torch::kFloat64).clamp_min(1e-300).log();
  const Tensor index = attention.receivers.to(torch::kLong).view({-1, 1}).expand_as(logs);
  std::vector<std::int64_t> sizes = logs.sizes().vec();
  sizes[sizes.size() - 2] = rows;
  const Tensor zero = torch::zeros(sizes, logs.options());
  const Tensor most = zero.scatter_reduce(-2, index, logs, "amax", /*include_self=*/false),
               least = zero.scatter_reduce(-2, index, logs, "amin", /*include_self=*/false);
  return largest(most - least);
}

LayerDiagnosis look_at(const BackboneOutput& output, std::size_t l, const SimplicialLayerOptions& options,
                       const ComplexOperators& operators) {
  LayerDiagnosis found;
  found.layer = static_cast<int>(l) + 1;
  found.activation = name_of(options.activation);
  double saturated = 0;
  for (const Tensor& y : output.activations[l]) {
    if (!y.defined() || y.numel() == 0) continue;
    saturated += saturated_entries(y, options.activation).sum().item<double>();
    found.outputs += y.numel();
    const Tensor rows = y.reshape({-1, y.size(-1)}).to(torch::kFloat64);
    const double spread = largest(rows.std(0, /*unbiased=*/false));
    found.spread = std::isfinite(spread) ? std::max(found.spread, spread) : spread;
    if (!std::isfinite(spread)) break;
  }
  if (found.outputs > 0) found.saturated = saturated / static_cast<double>(found.outputs);
  const auto see = [&](double range) {
    found.log_weight_spread = std::max(found.log_weight_spread.value_or(0), range);
  };
  for (int k = 0; k < static_cast<int>(output.metrics[l].size()); ++k)
    see(range_of_parts(output.metrics[l][k].to(torch::kFloat64), operators.parts(k)));
  if (l < output.attention.size())
    for (const AttentionWeights& attention : output.attention[l])
      see(attention_range(attention, operators.count(attention.order)));
  return found;
}

std::vector<Tensor> weights_of_layer(const ModelImpl& model, std::size_t l) {
  std::vector<Tensor> weights;
  const std::string prefix = concat("backbone.layer_", l, ".");
  for (const auto& parameter : model.named_parameters())
    if (parameter.key().starts_with(prefix)) weights.push_back(parameter.value());
  return weights;
}

double gradient_norm(const Tensor& loss, const std::vector<Tensor>& weights) {
  const auto gradients = torch::autograd::grad({loss}, weights, {}, /*retain_graph=*/true,
                                               /*create_graph=*/false, /*allow_unused=*/true);
  double squares = 0;
  for (const Tensor& gradient : gradients)
    if (gradient.defined()) squares += gradient.to(torch::kFloat64).square().sum().item<double>();
  return std::sqrt(squares);
}

}  // namespace

bool LayerDiagnosis::is_dead() const {
  if (outputs == 0) return false;
  return saturated >= dead_share || !(spread > 0) || !std::isfinite(spread) ||
         (gradient_norm && !(*gradient_norm > 0));
}

std::string LayerDiagnosis::sentence() const {
  std::string why;
  if (saturated >= dead_share)
    why = concat(static_cast<int>(std::round(100 * saturated)), " % of its outputs are where ", activation,
                 " is flat");
  else if (!std::isfinite(spread))
    why = "its outputs are not finite";
  else if (!(spread > 0))
    why = "its outputs are the same for every simplex";
  else
    why = "no gradient reaches its weights";
  return concat("layer ", layer, " is dead: ", why,
                log_weight_spread && *log_weight_spread > 8
                    ? concat(" (its log weights spread over ", std::round(10 * *log_weight_spread) / 10, ")")
                    : "",
                "; try model.standardize, a smaller model.length or another model.activation, and see "
                "`gsan inspect --model --data`");
}

std::vector<LayerDiagnosis> diagnose(const Task& task, Model& model, bool with_gradients) {
  const std::vector<SimplicialLayerOptions> layers = model->backbone().simplicial_layers();
  if (layers.empty() || task.batch_count(Phase::train, 0) == 0) return {};
  const Batch batch = task.batch(Phase::train, 0, 0);
  ForwardContext context;
  context.signal_keys = batch.signal_keys;
  context.diagnose = true;
  // The weights of attention are listed pair by pair: only where time is given to a closer look.
  context.return_attention_weights = with_gradients && model->backbone().has_attention();
  const bool was_training = model->is_training();
  model->eval();
  std::vector<LayerDiagnosis> all;
  try {
    const torch::AutoGradMode recording(with_gradients);
    const ModelOutput output = model->forward(batch.operators, batch.signals, context, batch.tuples);
    {
      const torch::NoGradGuard no_grad;
      for (std::size_t l = 0; l < layers.size(); ++l)
        all.push_back(look_at(output.backbone, l, layers[l], batch.operators));
    }
    if (with_gradients) {
      const Tensor loss = task.loss(output, batch);
      for (std::size_t l = 0; l < layers.size(); ++l)
        if (const auto weights = weights_of_layer(*model, l); !weights.empty() && loss.requires_grad())
          all[l].gradient_norm = gradient_norm(loss, weights);
    }
  } catch (...) {
    model->train(was_training);
    throw;
  }
  model->train(was_training);
  return all;
}

}  // namespace gsan
