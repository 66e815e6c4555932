#pragma once
// A whole model behind the tensors of a Python module, and what a call of a module may say.

#include "gsan/models/model.h"
#include "gsan/nn/layer_response.h"

#include "bindings/python/src/bind.h"
#include "bindings/python/src/bound_module.h"

namespace gsan::python {

/// What a call may say besides signals; kernel is the name of an AttentionKernel.
struct CallOptions {
  bool training = false;
  std::optional<std::uint64_t> dropout_seed;
  std::optional<Tensor> signal_keys;
  bool return_attention_weights = false;
  bool recompute = false;
  bool check_finite = false;

  ForwardContext context() const {
    ForwardContext made;
    if (dropout_seed) made.dropout = RandomStream(*dropout_seed, "dropout");
    made.signal_keys = to_tensor(signal_keys);
    made.return_attention_weights = return_attention_weights;
    made.recompute = recompute;
    made.check_finite = check_finite;
    return made;
  }
};

/// (order, side, use, receivers, sources, weights) each.
py::list attention_list(const std::vector<AttentionWeights>& all);

/// Whether modules with these weights follow torch.autocast: float32 on a GPU, in a region of bfloat16.
/// Elsewhere they compute in the type of their weights.
bool follows_autocast(const std::vector<Tensor>& weights);

/// What a forward pass runs under: without the GIL, and with autocast only where modules follow it.
class __attribute__((visibility("hidden"))) Quietly {
 public:
  explicit Quietly(const std::vector<Tensor>& weights) {
    if (!follows_autocast(weights)) no_autocast_.emplace(c10::autocast_dispatch_keyset);
  }

 private:
  const WithoutGil release_;
  std::optional<c10::impl::ExcludeDispatchKeyGuard> no_autocast_;
};

/// Signals that autocast made narrower come back to the type of the weights, unless modules follow it; other
/// types are the caller's error.
Cochains uncast(const Signals& signals, const std::vector<Tensor>& weights);

/// (terms as (name, gain, exact) each, total, exact, reads signals).
py::tuple response_tuple(const LayerResponse& response);

/// Eigenpairs of L_k as Python holds them: λ [n], vectors [N_k, n], numbers of HodgePart [n].
HodgeSpectrum to_spectrum(const Tensor& values, const Tensor& vectors, const std::vector<int>& parts);

class NetworkModel : public BoundModule {
 public:
  explicit NetworkModel(std::shared_ptr<ModelImpl> model);

  const OptionMap& options() const { return options_; }
  const std::vector<int>& orders() const { return orders_; }

  /// The module itself, with these tensors.
  Model module(const std::vector<Tensor>& tensors, bool training);

  /// Measures what the model's standardize needs, on these signals.
  void fit_inputs(const std::vector<Tensor>& tensors, const std::vector<Signals>& batches);
  /// nn/batch_norm.h; `passes` calls forward() with these tensors.
  void measure_batch_norms(const std::vector<Tensor>& tensors, const py::function& passes);

  /// The readout's values or None; the signals of every layer; the attention weights of every layer.
  py::tuple forward(const std::vector<Tensor>& tensors, const ComplexOperators& operators,
                    const Signals& signals, const std::optional<Tensor>& tuples, bool all_layers,
                    const CallOptions& call);

  /// The response of layer `number` = 1 … on order k, for the attention that these signals make.
  LayerResponse response(const std::vector<Tensor>& tensors, const ComplexOperators& operators,
                         const Signals& signals, const std::optional<Tensor>& tuples, int number, int k,
                         const HodgeSpectrum& spectrum);

 private:
  OptionMap options_;
  std::vector<int> orders_;
};

}  // namespace gsan::python
