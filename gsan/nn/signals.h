#pragma once
// The signals that a module is given: checked against the complex and the module's
// parameters, with zeros where an order carries none.

#include <span>
#include <string_view>
#include <vector>

#include "gsan/hodge/operators.h"

namespace gsan {

/// What all signals of one pass share.
struct SignalKind {
  std::vector<std::int64_t> leading;  ///< dimensions in front of [N_k, F]
  torch::TensorOptions type;          ///< float type and device of the module

  /// Zeros of shape [leading…, rows, width].
  Tensor zeros(std::int64_t rows, std::int64_t width) const;
};

/// Whether x has the float type of a parameter, or the narrower one of torch.autocast while that is on.
bool has_type_of(const Tensor& parameter, const Tensor& x);

/// The kind of `layers` (signals of one complex, e.g. after each layer); without any signal it has no leading
/// dimension. Throws unless every signal has the leading dimensions of the first and the float
/// type and device of `parameter`.
SignalKind signal_kind(std::string_view who, const ComplexOperators& operators,
                       std::span<const Cochains> layers, const Tensor& parameter);

/// x[k], checked to be [leading…, N_k, width]; undefined when the order carries no signal.
Tensor signal_or_none(std::string_view who, const ComplexOperators& operators, const Cochains& x, int k,
                      std::int64_t width);

/// The same with zeros in place of "no signal".
Tensor signal_or_zeros(std::string_view who, const ComplexOperators& operators, const Cochains& x, int k,
                       std::int64_t width, const SignalKind& kind);

/// Throws Fault::numeric with order, row and feature of the first entry that is not finite.
void check_finite(std::string_view who, const Cochains& x);

}  // namespace gsan
