#pragma once
// Tensors that outlive the call that makes them.

#include <ATen/core/grad_mode.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace gsan {

/// While it lives, new tensors are ordinary ones that hold numbers, and nothing is recorded, whatever the
/// caller runs under: inference mode (whose tensors cannot be saved for a backward pass), fake tensors of
/// torch.export, torch.jit.trace, a transform of torch.func. What is kept serves every later caller.
class KeptTensors {
 public:
  KeptTensors() = default;
  KeptTensors(const KeptTensors&) = delete;
  KeptTensors& operator=(const KeptTensors&) = delete;

 private:
  const c10::InferenceMode ordinary_{false};  // turns gradients on: hence first
  const at::NoGradGuard no_grad_;
  const c10::impl::ExcludeDispatchKeyGuard no_recorders_{c10::DispatchKeySet(
      {c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot, c10::DispatchKey::PreDispatch,
       c10::DispatchKey::Tracer, c10::DispatchKey::Functionalize,
       c10::DispatchKey::FuncTorchDynamicLayerFrontMode, c10::DispatchKey::FuncTorchDynamicLayerBackMode})};
};

}  // namespace gsan
