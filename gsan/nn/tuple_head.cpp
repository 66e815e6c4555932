#include "gsan/nn/tuple_head.h"

#include <ostream>

#include "gsan/nn/initialization.h"
#include "gsan/nn/row_tuples.h"

namespace gsan {

void TupleHeadOptions::validate() const {
  std::vector<std::string> faults = head.faults();
  for (std::string& fault : faults) fault = "head." + fault;
  if (tuple_size < 1) faults.push_back(concat("tuple_size must be at least 1, got ", tuple_size));
  options::report("TupleHeadOptions", faults);
}

TupleHeadImpl::TupleHeadImpl(TupleHeadOptions options)
    : TupleHeadImpl(std::move(options), stream_from_torch("head")) {}

TupleHeadImpl::TupleHeadImpl(TupleHeadOptions options, const RandomStream& stream)
    : Readout("gsan::TupleHead"), options_(std::move(options)) {
  options_.validate();
  const int width = options_.tuple_size * options_.head.feature_count();
  mlp_ = register_module("mlp", Mlp(options_.head.mlp(width), stream));
}

Tensor TupleHeadImpl::forward(const ComplexOperators& operators, const std::vector<Cochains>& layers,
                              const Tensor& tuples) {
  GSAN_CHECK(tuples.defined() && tuples.dim() == 2 && tuples.size(1) == options_.tuple_size,
             "TupleHead: tuples must be [M, ", options_.tuple_size, "] (tuple_size)",
             tuples.defined() ? concat(", got ", tuples.sizes()) : "");
  const Tensor x = head_features("TupleHead", options_.head, operators, layers, mlp_->parameters().front());
  return mlp_->forward(gather_tuples("TupleHead", x, tuples).flatten(-2, -1));
}

void TupleHeadImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::TupleHead(" << describe(options_) << ")";
}

}  // namespace gsan
