// The ops inside a torch.autocast region. On a GPU with bfloat16 the signals of attention and the terms of a
// layer are stored in it: half the memory to move; scores, weights of pairs and all sums stay float32, and so
// do parameters. Everything else, the CPU, and regions of another type, compute in float32. float64 is left
// as it is.
//
// On a GPU ops/incidence.h takes signals as they come.

#include <ATen/autocast_mode.h>
#include <torch/library.h>

namespace gsan::ops {
namespace {

// Which arguments are stored in the type of the region.
enum class Stored { none, first };

at::Tensor cast(const at::Tensor& x, at::ScalarType type) {
  const bool is_narrow = x.defined() && x.is_floating_point() && x.scalar_type() != at::kDouble;
  return is_narrow && x.scalar_type() != type ? x.to(type) : x;
}

c10::IValue cast(const c10::IValue& value, at::ScalarType type) {
  if (value.isTensor()) return cast(value.toTensor(), type);
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> made;
  for (const at::Tensor& x : value.toTensorVector()) made.push_back(cast(x, type));
  return made;
}

template <c10::DeviceType device, Stored stored>
void cast_and_call(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard below(c10::autocast_dispatch_keyset);
  const bool narrow = device == at::kCUDA && at::autocast::get_autocast_dtype(device) == at::kBFloat16;
  const std::size_t count = op.schema().arguments().size(), first = stack->size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    c10::IValue& value = (*stack)[first + i];
    value = cast(value, narrow && stored == Stored::first && i == 0 ? at::kBFloat16 : at::kFloat);
  }
  op.callBoxed(stack);
}

template <c10::DeviceType device, Stored stored>
void implement(torch::Library& m, std::initializer_list<const char*> names) {
  for (const char* name : names)
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&cast_and_call<device, stored>>());
}

template <c10::DeviceType device>
void implement_all(torch::Library& m) {
  implement<device, Stored::first>(m, {"attention", "sum_activation"});
  implement<device, Stored::none>(m, {"laplacian_step", "scaled_incidence", "pair_sum", "pair_dot",
                                      "weighted_gather", "gatv2_scores", "segment_softmax", "segment_sum",
                                      "segment_mean", "segment_max", "segment_argmax", "segment_spread"});
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, AutocastCPU, m) {
  implement_all<at::kCPU>(m);
  implement<at::kCPU, Stored::none>(m, {"boundary", "coboundary"});
}
TORCH_LIBRARY_IMPL(gsan, AutocastCUDA, m) { implement_all<at::kCUDA>(m); }

}  // namespace gsan::ops
