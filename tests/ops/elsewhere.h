#pragma once
// The implementation of an op for a device without a kernel of its own, on CPU tensors: the
// dispatch entry of PrivateUse1, which nobody fills, is the composition for any other device.

#include <utility>

#include <ATen/core/dispatch/Dispatcher.h>

namespace gsan {

template <class Signature, class... Arguments>
auto elsewhere(const char* op, Arguments&&... arguments) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(op, "").typed<Signature>().redispatch(
      c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), std::forward<Arguments>(arguments)...);
}

}  // namespace gsan
