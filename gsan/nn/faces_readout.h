#pragma once
// One vector per candidate simplex, from all of its proper faces.

#include "gsan/nn/mlp.h"
#include "gsan/nn/readout.h"

namespace gsan {

struct FacesReadoutOptions {
  int order = 2;                          ///< of the candidates
  std::vector<int> orders = {0, 1};       ///< of the faces that are read
  std::vector<int> in_channels = {0, 0};  ///< features of the input, per order 0 … ; 0: none
  int width = 32;                         ///< features of the last layer
  std::vector<int> hidden = {32};         ///< of the Mlp; none: one Linear
  int out_channels = 1;
  Activation activation = Activation::relu;
  bool absolute = false;  ///< read |x|: the output does not depend on the orientation
  bool inputs = true;     ///< read the input of the model, too
  bool batch_norm = false;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order);
    visit("orders", self.orders);
    visit("in_channels", self.in_channels);
    visit("width", self.width);
    visit("hidden", self.hidden, "widths between features and output; empty: one linear map");
    visit("out_channels", self.out_channels);
    visit("activation", self.activation, "between these");
    visit("absolute", self.absolute, "read |x|, which no orientation changes");
    visit("inputs", self.inputs, "read the input of the model beside its last layer");
    visit("batch_norm", self.batch_norm, "normalise before every activation");
  }
  std::vector<std::string> faults() const;

  int feature_count() const;  ///< of one candidate, as the Mlp sees it
};

/// Mlp( ‖_j (mean ‖ min ‖ max over the faces of order j of x_j) ), x_j the input and the last layer: the
/// faces of one order are a set, so the answer does not depend on how vertices are numbered.
class FacesReadoutImpl : public Readout {
 public:
  FacesReadoutImpl(FacesReadoutOptions options, const RandomStream& stream);

  /// tuples int64 [M, 2^{k+1} − 2] for candidates of order k: the faces of order 0, then 1, …, then k − 1,
  /// rows of their orders. layers: the input of the model, then what each layer gives.
  Tensor read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
              const Tensor& tuples) override;
  bool reads_input() const override { return options_.inputs; }
  void reset_parameters(const RandomStream& stream) override { mlp_->reset_parameters(stream); }
  void pretty_print(std::ostream& stream) const override;
  const FacesReadoutOptions& options() const { return options_; }

 private:
  FacesReadoutOptions options_;
  Mlp mlp_{nullptr};
};

/// How many faces of order j a simplex of order k has, C(k + 1, j + 1).
std::int64_t face_count(int k, int j);

}  // namespace gsan
