#pragma once
// One vector per signal on one complex of fixed size: a linear map of the whole signal, number by number. It
// belongs to that complex and to its orientation, and no renumbering leaves it as it is.

#include "gsan/core/options.h"
#include "gsan/hodge/operators.h"
#include "gsan/nn/linear.h"
#include "gsan/nn/readout.h"

namespace gsan {

struct FlattenedReadoutOptions {
  int order = 1;      ///< whose simplices are read
  int simplices = 1;  ///< N of that order
  int width = 1;      ///< features of the last layer
  int out_channels = 2;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order);
    visit("simplices", self.simplices);
    visit("width", self.width);
    visit("out_channels", self.out_channels);
  }
  void validate() const;  ///< one Error with every fault
};

/// W vec(x) + b, x [N, F] the signal of the last layer, row after row.
class FlattenedReadoutImpl : public Readout {
 public:
  explicit FlattenedReadoutImpl(FlattenedReadoutOptions options);
  FlattenedReadoutImpl(FlattenedReadoutOptions options, const RandomStream& stream);

  /// Signals of the layers, of which the last is read → [..., out_channels]. One complex, no batch.
  Tensor forward(const ComplexOperators& operators, const std::vector<Cochains>& layers);
  void reset_parameters(const RandomStream& stream) override;
  Tensor read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
              const Tensor&) override {
    return forward(operators, layers);
  }
  void pretty_print(std::ostream& stream) const override;
  const FlattenedReadoutOptions& options() const { return options_; }

 private:
  FlattenedReadoutOptions options_;
  Linear output_{nullptr};
};
TORCH_MODULE(FlattenedReadout);

}  // namespace gsan
