#pragma once
// One vector per complex of a batch: per-order pooling with layer concatenation.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/hodge/operators.h"
#include "gsan/nn/activation.h"
#include "gsan/nn/batch_norm.h"
#include "gsan/nn/linear.h"
#include "gsan/nn/readout.h"

namespace gsan {

enum class Pooling { sum, mean, max };

template <>
struct EnumNames<Pooling> {
  static constexpr std::pair<Pooling, std::string_view> names[] = {
      {Pooling::sum, "sum"}, {Pooling::mean, "mean"}, {Pooling::max, "max"}};
};

struct PooledReadoutOptions {
  std::vector<int> widths = {32};       ///< features of each layer that is read, the same for every order
  std::vector<int> orders = {0, 1, 2};  ///< which are read
  bool inputs = false;                  ///< read the input of the model, too
  std::vector<int> in_channels = {};    ///< its features, per order 0 …; 0: none
  int hidden_channels = 32;
  int out_channels = 2;
  Pooling pooling = Pooling::sum;
  bool absolute = false;    ///< pool |x|: the output does not depend on the orientation
  bool batch_norm = false;  ///< normalise what was pooled
  Activation activation = Activation::relu;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("widths", self.widths);
    visit("orders", self.orders);
    visit("inputs", self.inputs, "read the input of the model beside its layers");
    visit("in_channels", self.in_channels);
    visit("hidden_channels", self.hidden_channels, "features of each order before they are added");
    visit("out_channels", self.out_channels);
    visit("pooling", self.pooling, "over the simplices of a complex");
    visit("absolute", self.absolute, "pool |x|, which no orientation changes");
    visit("batch_norm", self.batch_norm, "normalise every pooled feature over the complexes of a batch");
    visit("activation", self.activation, "before the orders are added");
  }
  std::vector<std::string> faults() const;
  void validate() const;  ///< one Error with every fault

  /// Of the input, of an order; 0 where it is not read.
  int input_width(int k) const;
};

/// out( Σ_k σ( U_k ‖_l pool_k x_k^(l) + u_k ) ): pooled over each complex, concatenated over the
/// layers l (and the input, where it is read), summed over the orders k. An order without simplices or
/// without a signal pools to zeros. With batch_norm, U_k reads the pools after normalisation: where a pool
/// over many simplices differs little from one complex (or signal) to the next, it is the difference that
/// tells them apart.
class PooledReadoutImpl : public Readout {
 public:
  explicit PooledReadoutImpl(PooledReadoutOptions options);
  PooledReadoutImpl(PooledReadoutOptions options, const RandomStream& stream);

  /// One Cochains per entry of options.widths, with options.inputs that of the input before them
  /// → [..., P, out_channels] for a batch of P complexes.
  Tensor forward(const ComplexOperators& operators, const std::vector<Cochains>& layers);
  void reset_parameters(const RandomStream& stream) override;
  Tensor read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
              const Tensor&) override {
    return forward(operators, layers);
  }
  bool reads_input() const override { return options_.inputs; }
  void pretty_print(std::ostream& stream) const override;
  const PooledReadoutOptions& options() const { return options_; }

 private:
  PooledReadoutOptions options_;
  std::vector<BatchNorm> norms_;    // as options.orders, or none
  std::vector<Linear> order_maps_;  // as options.orders
  Linear output_{nullptr};
};
TORCH_MODULE(PooledReadout);

}  // namespace gsan
