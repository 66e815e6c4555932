// A layer on complexes so small that each goes through all of it while it is in a cache (ops/part_layer.h):
// one node of the graph for the whole layer. What the other pass computes, in another order of sums.

#include <algorithm>

#include <ATen/autocast_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/graph_task.h>

#include "gsan/hodge/harmonic.h"
#include "gsan/nn/detail/layer_pass.h"
#include "gsan/nn/detail/local_gradients.h"
#include "gsan/ops/part_layer.h"

namespace gsan {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// A part of at most so many numbers in a signal between layers goes through a layer as a whole, in a batch of
// such parts.
constexpr std::int64_t largest_part = std::int64_t{1} << 17;

bool has_small_parts(const ComplexOperators& operators, std::int64_t width) {
  std::int64_t largest = 0;
  for (std::int64_t p = 0; p < operators.part_count(); ++p) {
    std::int64_t rows = 0;
    for (int k = 0; k <= operators.order(); ++k) {
      const auto parts = operators.parts(k);
      rows += parts[static_cast<std::size_t>(p) + 1] - parts[static_cast<std::size_t>(p)];
    }
    largest = std::max(largest, rows);
  }
  return largest * width <= largest_part;
}

// What a node computes, and how it is computed again where its gradient is to be differentiated.
struct Call : torch::CustomClassHolder {
  ops::PartLayer layer;
  mutable std::shared_ptr<const ops::PartKept> kept;
  std::vector<int> signals;             // their orders, as the inputs have them
  std::vector<std::size_t> weights, a;  // per term: number of the parameter
  std::vector<std::size_t> biases;      // per order, likewise
  std::size_t parameters = 0;
  std::shared_ptr<const torch::nn::Module> module;
  ComplexOperators operators;
  ForwardContext context;

  explicit Call(ComplexOperators operators_) : operators(std::move(operators_)) {}
};

}  // namespace

// The node of a whole layer.
struct PartNode : torch::autograd::Function<PartNode> {
  /// inputs: the signals that are defined, then all parameters.
  static variable_list forward(AutogradContext* ctx, const c10::intrusive_ptr<Call>& call,
                               at::TensorList inputs) {
    ctx->set_materialize_grads(false);
    const std::vector<Tensor> y =
        ops::part_layer(call->layer, call->context.recompute ? nullptr : &call->kept);
    variable_list saved = inputs.vec(), defined;
    for (const Tensor& of_order : y)
      if (of_order.defined()) defined.push_back(of_order);
    saved.insert(saved.end(), defined.begin(), defined.end());
    ctx->save_for_backward(std::move(saved));
    ctx->saved_data["call"] = c10::IValue::make_capsule(call);
    return defined;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto capsule = ctx->saved_data["call"].toCapsule();
    const Call& call = static_cast<const Call&>(*capsule);
    const variable_list saved = ctx->get_saved_variables();
    const std::size_t count = call.signals.size() + call.parameters;
    if (!any_defined(gradients)) return variable_list(count + 1);
    const variable_list inputs(saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(count));
    variable_list result =
        at::GradMode::is_enabled()
            ? differentiable(call, inputs, gradients)
            : plain(call, inputs, {saved.begin() + static_cast<std::ptrdiff_t>(count), saved.end()},
                    gradients);
    result.insert(result.begin(), Tensor());  // of the call
    return result;
  }

 private:
  static variable_list plain(const Call& call, const variable_list& inputs, const variable_list& outputs,
                             const variable_list& of_outputs) {
    const ops::PartLayer& layer = call.layer;
    std::vector<Tensor> y(layer.has_output.size()), g(y.size());
    for (std::size_t k = 0, next = 0; k < y.size(); ++k) {
      if (!layer.has_output[k]) continue;
      y[k] = outputs[next];
      if (of_outputs[next].defined()) g[k] = of_outputs[next].contiguous();
      ++next;
    }
    std::vector<bool> wanted(layer.signals.size());
    for (std::size_t i = 0; i < call.signals.size(); ++i)
      wanted[static_cast<std::size_t>(call.signals[i])] = inputs[i].requires_grad();
    const ops::PartGradients made = ops::part_layer_backward(layer, y, call.kept.get(), g, wanted);
    if (!torch::autograd::get_current_graph_task_keep_graph()) call.kept.reset();
    variable_list result(inputs.size());
    const auto add = [&](std::size_t input, Tensor gradient) {
      if (!gradient.defined() || !inputs[input].requires_grad()) return;
      const Tensor& of = inputs[input];
      if (gradient.sizes() != of.sizes()) {  // fewer taps than a longer term, or a matrix without taps
        if (gradient.numel() == of.numel()) {
          gradient = gradient.view(of.sizes());
        } else {
          const Tensor whole = at::zeros_like(of);
          whole.narrow(1, 0, gradient.size(1)).copy_(gradient);
          gradient = whole;
        }
      }
      result[input] = result[input].defined() ? result[input] + gradient : gradient;
    };
    for (std::size_t i = 0; i < call.signals.size(); ++i)
      add(i, made.signals[static_cast<std::size_t>(call.signals[i])]);
    const std::size_t first = call.signals.size();
    for (std::size_t t = 0; t < layer.terms.size(); ++t) {
      add(first + call.weights[t], made.weights[t]);
      if (layer.terms[t].attention) add(first + call.a[t], made.a[t]);
    }
    for (std::size_t k = 0; k < made.biases.size(); ++k)
      if (made.biases[k].defined()) add(first + call.biases[k], made.biases[k]);
    return result;
  }

  // By the other pass, whose ops differentiate any number of times.
  static variable_list differentiable(const Call& call, const variable_list& inputs,
                                      const variable_list& of_outputs) {
    const auto& module = static_cast<const SimplicialLayerImpl&>(*call.module);
    Cochains signals(static_cast<std::size_t>(module.options().order) + 1);
    const LocalGradients local;
    variable_list leaves = inputs;
    for (std::size_t i = 0; i < call.signals.size(); ++i)
      signals[static_cast<std::size_t>(call.signals[i])] = leaves[i] = local.gate(inputs[i]);
    const Cochains outputs = LayerPass(module, call.operators, signals, call.context, false).run().signals;
    variable_list wanted, of, with, result(inputs.size());
    for (const Tensor& leaf : leaves)
      if (leaf.requires_grad()) wanted.push_back(leaf);
    std::size_t next = 0;
    for (const int k : module.options().active_orders()) {
      const Tensor& gradient = of_outputs[next++];
      if (!gradient.defined() || !outputs[k].requires_grad()) continue;
      of.push_back(outputs[k]), with.push_back(gradient);
    }
    if (of.empty()) return result;
    const variable_list found = local.of(of, wanted, with);
    next = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].requires_grad()) result[i] = found[next++];
    return result;
  }
};

bool LayerPass::goes_by_parts() const {
  const SimplicialLayerOptions& o = options_;
  const std::int64_t width = std::int64_t{o.heads} * o.out_channels;
  if (!context_.by_parts || context_.return_attention_weights ||
      context_.attention_kernel != AttentionKernel::automatic)
    return false;
  if (!ops::has_part_layer(operators_.device()) || operators_.is_padded() || operators_.is_oriented())
    return false;
  if (!kind_.leading.empty() || (type() != torch::kFloat32 && type() != torch::kFloat64)) return false;
  // One number a row is read ahead of the rows of a part.
  if (width < 2 || o.in_channels < 2 || (o.head_mode == HeadMode::mean && o.heads > 1)) return false;
  if (o.activation == Activation::gelu || o.basis != Basis::monomial || layer_.has_metric()) return false;
  if (o.harmonic == HarmonicKind::exact || !layer_.weak_from_this().lock()) return false;
  if (at::autocast::is_autocast_enabled(torch::kCPU)) return false;
  const auto is_other = [&](const Tensor& x) {
    return x.defined() &&
           (x.scalar_type() != type() || x._fw_grad(0).defined());  // a tangent of forward mode
  };
  const std::vector<Tensor> parameters = layer_.parameters();
  if (parameters.empty()) return false;  // a layer without terms
  if (std::any_of(parameters.begin(), parameters.end(), has_hooks)) return false;
  if (std::any_of(z_.begin(), z_.end(), is_other) ||
      std::any_of(parameters.begin(), parameters.end(), is_other))
    return false;
  if (!has_small_parts(operators_, std::max<std::int64_t>(width, o.in_channels))) return false;
  for (const LayerTerm& term : layer_.terms()) {
    const bool is_attention = term.shift == ShiftKind::attention && term.needs_shift();
    if (is_attention && !attentional_operator(term).has_plain_pairs(o.out_channels)) return false;
    if (!is_attention && term.needs_shift() && !part_laplacian(term)) return false;
  }
  return true;
}

std::optional<ops::PartLaplacian> LayerPass::part_laplacian(const LayerTerm& term) const {
  const bool has_lower = term.side != Side::upper, has_upper = term.side != Side::lower;
  const auto side = [&](Side one) {
    return side_operator(operators_, term.k, one, normalization_of(term.shift),
                         options_.active_orders().front(), options_.order, type());
  };
  ops::PartLaplacian made;
  made.absolute = operators_.is_absolute();
  const auto use = [&](const SideOperator& of, bool lower) {
    const Incidence& B = of.shift;
    (lower ? made.lower : made.upper) = B.tables();
    made.beta = of.factor;
    if (of.part_factor.defined()) {
      made.row_beta = of.part_factor;
    } else {
      const Tensor &own = lower ? B.column_scale() : B.row_scale(),
                   &middle = lower ? B.row_scale() : B.column_scale();
      if (own.defined()) made.own = made.row_beta = own.contiguous();
      if (middle.defined()) made.middle = middle.square();
    }
    if (!of.diagonal.defined()) return;
    made.alpha = 1;
    made.row_alpha =
        made.row_alpha.defined() ? made.row_alpha + of.diagonal.squeeze(-1) : of.diagonal.squeeze(-1);
  };
  if (has_lower) use(side(Side::lower), true);
  if (has_upper) {
    if (has_lower && made.own.defined()) return {};
    use(side(Side::upper), false);
    if (has_lower && (made.own.defined() || made.middle.defined())) return {};
    // One −I belongs to the whole of 2 L / λ_max − I.
    if (has_lower && term.shift == ShiftKind::centered) return {};
  }
  return made;
}

ops::PartLayer LayerPass::part_layer(std::vector<Tensor>& weights, std::vector<Tensor>& a) {
  ops::PartLayer made;
  const auto orders = z_.size();
  for (std::size_t k = 0; k < orders; ++k) {
    const auto parts = operators_.parts(static_cast<int>(k));
    made.parts.emplace_back(parts.begin(), parts.end());
    made.signals.push_back(z_[k].defined() ? z_[k].detach().contiguous() : z_[k]);
    made.biases.push_back(
        layer_.bias(static_cast<int>(k)).defined() ? layer_.bias(static_cast<int>(k)).detach() : Tensor());
    made.has_output.push_back(options_.is_active(static_cast<int>(k)));
  }
  made.activation = name_of(options_.activation);
  made.heads = options_.heads, made.width = std::int64_t{options_.heads} * options_.out_channels;
  made.type = kind_.type;
  const auto input = [&](int order, int source, const Incidence* B) {
    for (std::size_t i = 0; i < made.inputs.size(); ++i)
      if (made.inputs[i].order == order && made.inputs[i].source == source) return i;
    ops::PartInput one{order, source, {}};
    if (B) one.coupling = {B->tables(), B->row_scale(), B->column_scale(), B->is_absolute()};
    made.inputs.push_back(std::move(one));
    return made.inputs.size() - 1;
  };
  const auto add = [&](ops::PartTerm term, const Tensor& weight, const Tensor& scores) {
    made.terms.push_back(std::move(term));
    weights.push_back(weight), a.push_back(scores);
  };
  const auto matrix = [&](int k, const Tensor& W, std::optional<ops::PartLaplacian> laplacian,
                          std::int64_t first) {
    add({.input = input(k, k, nullptr),
         .weight = W.detach().unsqueeze(1).contiguous(),
         .first = first,
         .laplacian = std::move(laplacian)},
        W, {});
  };
  for (const int k : options_.active_orders()) {
    for (const LayerTerm& term : layer_.terms()) {
      if (term.k != k) continue;
      const int source = term.use == Use::own ? k : term.side == Side::lower ? k - 1 : k + 1;
      if (!z_[source].defined()) continue;
      std::optional<Incidence> B;
      if (source != k) B = coupling(term);
      ops::PartTerm one{.input = input(k, source, B ? &*B : nullptr),
                        .weight = weight(term).detach().contiguous(),
                        .first = term.first};
      const bool is_attention = term.shift == ShiftKind::attention && term.needs_shift();
      if (is_attention)
        one.attention = attentional_operator(term).part_term(type());
      else if (term.needs_shift())
        one.laplacian = part_laplacian(term);
      add(std::move(one), layer_.weight(term.weight),
          is_attention ? layer_.attention(term.attention)->parameter("a") : Tensor());
    }
    if (!z_[k].defined()) continue;
    if (options_.identity) matrix(k, layer_.weight(identity_weight(options_, k)), {}, 0);
    if (options_.harmonic == HarmonicKind::skip) matrix(k, layer_.weight("harmonic"), {}, 0);
    if (options_.harmonic == HarmonicKind::projector) {
      const HarmonicProjector projector = harmonic_projector(k);
      ops::PartLaplacian step;
      step.lower = operators_.incidence(k).tables(), step.upper = operators_.incidence(k + 1).tables();
      step.alpha = 1, step.beta = -1;
      step.row_beta =
          projector.row_epsilon().to(type()).squeeze(-1).expand({operators_.count(k)}).contiguous();
      matrix(k, layer_.weight("harmonic"), std::move(step), projector.steps());
    }
  }
  return made;
}

void LayerPass::run_by_parts() {
  std::vector<Tensor> weights, a;
  auto call = c10::make_intrusive<Call>(operators_);
  call->layer = part_layer(weights, a);
  call->module = layer_.weak_from_this().lock();
  call->context = context_;
  call->context.dropout = dropout_;
  call->context.by_parts = false;
  variable_list inputs;
  for (std::size_t k = 0; k < z_.size(); ++k)
    if (z_[k].defined()) call->signals.push_back(static_cast<int>(k)), inputs.push_back(z_[k]);
  const std::vector<Tensor> parameters = layer_.parameters();
  const auto number = [&](const Tensor& parameter) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameter.defined() && parameters[i].is_same(parameter)) return i;
    return parameters.size();
  };
  for (std::size_t t = 0; t < weights.size(); ++t)
    call->weights.push_back(number(weights[t])), call->a.push_back(number(a[t]));
  for (std::size_t k = 0; k < z_.size(); ++k)
    call->biases.push_back(number(layer_.bias(static_cast<int>(k))));
  call->parameters = parameters.size();
  inputs.insert(inputs.end(), parameters.begin(), parameters.end());
  const bool records =
      at::GradMode::is_enabled() &&
      std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return x.requires_grad(); });
  if (!records) {
    output_.signals = ops::part_layer(call->layer);
    return;
  }
  const variable_list outputs = PartNode::apply(call, at::TensorList(inputs));
  std::size_t next = 0;
  for (const int k : options_.active_orders()) output_.signals[k] = outputs[next++];
}

}  // namespace gsan
