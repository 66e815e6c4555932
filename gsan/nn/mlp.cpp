#include "gsan/nn/mlp.h"

#include <ostream>

#include "gsan/nn/initialization.h"

namespace gsan {

void MlpOptions::validate() const {
  std::vector<std::string> faults;
  if (in_channels < 1) faults.push_back(concat("in_channels must be at least 1, got ", in_channels));
  if (out_channels < 1) faults.push_back(concat("out_channels must be at least 1, got ", out_channels));
  for (const int width : hidden)
    if (width < 1) faults.push_back(concat("hidden widths must be at least 1, got ", width));
  options::report("MlpOptions", faults);
}

MlpImpl::MlpImpl(MlpOptions options) : MlpImpl(std::move(options), stream_from_torch("mlp")) {}

MlpImpl::MlpImpl(MlpOptions options, const RandomStream& stream)
    : torch::nn::Module("gsan::Mlp"), options_(std::move(options)) {
  options_.validate();
  std::vector<int> widths = options_.hidden;
  widths.push_back(options_.out_channels);
  int in = options_.in_channels;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    linears_.push_back(
        register_module("linear" + std::to_string(i),
                        Linear(in, widths[i], options_.bias, stream.substream(std::uint64_t{i}))));
    const bool has_activation = i + 1 < widths.size() || options_.activate_last;
    if (options_.batch_norm && has_activation)
      norms_.push_back(register_module("norm" + std::to_string(i), BatchNorm(widths[i])));
    in = widths[i];
  }
}

Tensor MlpImpl::forward(const Tensor& x) {
  Tensor y = x;
  for (std::size_t i = 0; i < linears_.size(); ++i) {
    y = linears_[i]->forward(y);
    if (i + 1 == linears_.size() && !options_.activate_last) break;
    if (options_.batch_norm) y = norms_[i]->forward(y);
    y = activate(options_.activation, y);
  }
  return y;
}

void MlpImpl::reset_parameters(const RandomStream& stream) {
  for (std::size_t i = 0; i < linears_.size(); ++i)
    linears_[i]->reset_parameters(stream.substream(std::uint64_t{i}));
  for (BatchNorm& norm : norms_) norm->reset_parameters();
}

void MlpImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::Mlp(" << describe(options_) << ")";
}

}  // namespace gsan
