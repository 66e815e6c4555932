#include "gsan/nn/signals.h"

#include <ATen/autocast_mode.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

bool same_device(torch::Device a, torch::Device b) {
  return a.type() == b.type() && (a.index() == b.index() || !a.has_index() || !b.has_index());
}

}  // namespace

bool has_type_of(const Tensor& parameter, const Tensor& x) {
  if (x.scalar_type() == parameter.scalar_type()) return true;
  const torch::Device device = parameter.device();
  return parameter.scalar_type() == torch::kFloat && at::autocast::is_autocast_enabled(device.type()) &&
         x.scalar_type() == at::autocast::get_autocast_dtype(device.type());
}

Tensor SignalKind::zeros(std::int64_t rows, std::int64_t width) const {
  std::vector<std::int64_t> shape = leading;
  shape.insert(shape.end(), {rows, width});
  return torch::zeros(shape, type);
}

SignalKind signal_kind(std::string_view who, const ComplexOperators& operators,
                       std::span<const Cochains> layers, const Tensor& parameter) {
  GSAN_CHECK(same_device(operators.device(), parameter.device()), who, ": the operators live on ",
             operators.device(), ", the parameters on ", parameter.device(), "; move the module with to()");
  SignalKind kind{{}, torch::TensorOptions().dtype(parameter.scalar_type()).device(parameter.device())};
  bool is_first = true;
  for (const Cochains& x : layers) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!x[k].defined()) continue;
      GSAN_CHECK(x[k].dim() >= 2, who, ": the signal of order ", k, " must be [..., N, F], got ",
                 x[k].sizes());
      GSAN_CHECK(has_type_of(parameter, x[k]), who, ": the signal of order ", k, " is ", x[k].scalar_type(),
                 ", the parameters are ", parameter.scalar_type(), "; convert one of them with to()");
      GSAN_CHECK(same_device(x[k].device(), parameter.device()), who, ": the signal of order ", k,
                 " lives on ", x[k].device(), ", the parameters on ", parameter.device(),
                 "; move one of them with to()");
      const auto leading = x[k].sizes().slice(0, x[k].dim() - 2);
      if (is_first) kind.leading = leading.vec();
      is_first = false;
      GSAN_CHECK(leading == torch::IntArrayRef(kind.leading), who,
                 ": all signals need the same leading dimensions, order ", k, " has ", leading,
                 " and a signal before it ", torch::IntArrayRef(kind.leading));
    }
  }
  return kind;
}

Tensor signal_or_none(std::string_view who, const ComplexOperators& operators, const Cochains& x, int k,
                      std::int64_t width) {
  if (k >= static_cast<int>(x.size()) || !x[k].defined()) return {};
  GSAN_CHECK(x[k].dim() >= 2, who, ": the signal of order ", k, " must be [..., ", operators.count(k), ", ",
             width, "], got ", x[k].sizes());
  GSAN_CHECK(x[k].size(-2) == operators.count(k) && x[k].size(-1) == width, who, ": the signal of order ", k,
             " must have ", operators.count(k), " rows (its simplices) and ", width, " features, got ",
             x[k].sizes());
  return x[k];
}

Tensor signal_or_zeros(std::string_view who, const ComplexOperators& operators, const Cochains& x, int k,
                       std::int64_t width, const SignalKind& kind) {
  const Tensor signal = signal_or_none(who, operators, x, k, width);
  return signal.defined() ? signal : kind.zeros(operators.count(k), width);
}

void check_finite(std::string_view who, const Cochains& x) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!x[k].defined()) continue;
    const Tensor broken = x[k].detach().isfinite().logical_not().nonzero();
    if (broken.size(0) == 0) continue;
    const Tensor first = broken[0].to(torch::kCPU);
    fail(Fault::numeric, who, ": the signal of order ", k, " is not finite in ", broken.size(0),
         " entries, first in row ", first[-2].item<std::int64_t>(), ", feature ",
         first[-1].item<std::int64_t>());
  }
}

}  // namespace gsan
