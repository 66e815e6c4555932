#pragma once
// One vector per simplex of one order.

#include "gsan/nn/head_options.h"
#include "gsan/nn/readout.h"

namespace gsan {

class SimplexHeadImpl : public Readout {
 public:
  explicit SimplexHeadImpl(HeadOptions options);
  SimplexHeadImpl(HeadOptions options, const RandomStream& stream);

  /// One Cochains per entry of options.widths → [..., N_order, out_channels].
  Tensor forward(const ComplexOperators& operators, const std::vector<Cochains>& layers);
  void reset_parameters(const RandomStream& stream) override { mlp_->reset_parameters(stream); }
  Tensor read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
              const Tensor&) override {
    return forward(operators, layers);
  }
  void pretty_print(std::ostream& stream) const override;
  const HeadOptions& options() const { return options_; }

 private:
  HeadOptions options_;
  Mlp mlp_{nullptr};
};
TORCH_MODULE(SimplexHead);

}  // namespace gsan
