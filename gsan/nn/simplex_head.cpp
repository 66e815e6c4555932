#include "gsan/nn/simplex_head.h"

#include <ostream>

#include "gsan/nn/initialization.h"

namespace gsan {

SimplexHeadImpl::SimplexHeadImpl(HeadOptions options)
    : SimplexHeadImpl(std::move(options), stream_from_torch("head")) {}

SimplexHeadImpl::SimplexHeadImpl(HeadOptions options, const RandomStream& stream)
    : Readout("gsan::SimplexHead"), options_(std::move(options)) {
  options::report("SimplexHead options", options_.faults());
  mlp_ = register_module("mlp", Mlp(options_.mlp(options_.feature_count()), stream));
}

Tensor SimplexHeadImpl::forward(const ComplexOperators& operators, const std::vector<Cochains>& layers) {
  return mlp_->forward(head_features("SimplexHead", options_, operators, layers, mlp_->parameters().front()));
}

void SimplexHeadImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::SimplexHead(" << describe(options_) << ")";
}

}  // namespace gsan
