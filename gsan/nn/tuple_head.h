#pragma once
// One vector per tuple of simplices of one order, e.g. per candidate triangle from its three edges.

#include "gsan/nn/head_options.h"
#include "gsan/nn/readout.h"

namespace gsan {

struct TupleHeadOptions {
  HeadOptions head;
  int tuple_size = 3;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("head", self.head);
    visit("tuple_size", self.tuple_size);
  }
  void validate() const;
};

/// Mlp of the concatenated features of the tuple's simplices, in the order of the tuple.
class TupleHeadImpl : public Readout {
 public:
  explicit TupleHeadImpl(TupleHeadOptions options);
  TupleHeadImpl(TupleHeadOptions options, const RandomStream& stream);

  /// tuples int64 [M, tuple_size], rows of options.head.order → [..., M, out_channels].
  Tensor forward(const ComplexOperators& operators, const std::vector<Cochains>& layers,
                 const Tensor& tuples);
  void reset_parameters(const RandomStream& stream) override { mlp_->reset_parameters(stream); }
  Tensor read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
              const Tensor& tuples) override {
    return forward(operators, layers, tuples);
  }
  void pretty_print(std::ostream& stream) const override;
  const TupleHeadOptions& options() const { return options_; }

 private:
  TupleHeadOptions options_;
  Mlp mlp_{nullptr};
};
TORCH_MODULE(TupleHead);

}  // namespace gsan
