#include "gsan/nn/flattened_readout.h"

#include <ostream>

#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"

namespace gsan {

void FlattenedReadoutOptions::validate() const {
  std::vector<std::string> faults;
  const auto require = [&](int value, int least, const char* name) {
    if (value < least) faults.push_back(concat(name, " must be at least ", least, ", got ", value));
  };
  require(order, 0, "order");
  require(simplices, 1, "simplices");
  require(width, 1, "width");
  require(out_channels, 1, "out_channels");
  options::report("FlattenedReadoutOptions", faults);
}

FlattenedReadoutImpl::FlattenedReadoutImpl(FlattenedReadoutOptions options)
    : FlattenedReadoutImpl(options, stream_from_torch("readout")) {}

FlattenedReadoutImpl::FlattenedReadoutImpl(FlattenedReadoutOptions options, const RandomStream& stream)
    : Readout("gsan::FlattenedReadout"), options_(options) {
  options_.validate();
  output_ = register_module("output", Linear(options_.simplices * options_.width, options_.out_channels, true,
                                             stream.substream("output")));
}

Tensor FlattenedReadoutImpl::forward(const ComplexOperators& operators, const std::vector<Cochains>& layers) {
  static constexpr const char* who = "FlattenedReadout";
  GSAN_CHECK(operators.part_count() == 1, who, ": reads signals on one complex, got a batch of ",
             operators.part_count(), "; use a pooled readout");
  GSAN_CHECK(operators.count(options_.order) == options_.simplices, who, ": made for a complex with ",
             options_.simplices, " simplices of order ", options_.order, ", got one with ",
             operators.count(options_.order), "; a pooled readout takes complexes of any size");
  GSAN_CHECK(!layers.empty(), who, ": needs the signals of at least one layer");
  const std::span<const Cochains> last(&layers.back(), 1);
  const SignalKind kind = signal_kind(who, operators, last, output_->weight);
  return output_->forward(
      signal_or_zeros(who, operators, layers.back(), options_.order, options_.width, kind).flatten(-2));
}

void FlattenedReadoutImpl::reset_parameters(const RandomStream& stream) {
  output_->reset_parameters(stream.substream("output"));
}

void FlattenedReadoutImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::FlattenedReadout(" << describe(options_) << ")";
}

}  // namespace gsan
