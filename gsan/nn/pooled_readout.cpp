#include "gsan/nn/pooled_readout.h"

#include <numeric>
#include <ostream>
#include <set>

#include "gsan/nn/initialization.h"
#include "gsan/nn/signals.h"
#include "gsan/ops/branches.h"
#include "gsan/ops/segments.h"

namespace gsan {
namespace {

Tensor pool(Pooling pooling, const Tensor& x, const Tensor& offsets) {
  switch (pooling) {
    case Pooling::sum:
      return ops::segment_sum(x, offsets);
    case Pooling::mean:
      return ops::segment_mean(x, offsets);
    case Pooling::max:
      return ops::segment_max(x, offsets);
  }
  fail(Fault::argument, "PooledReadout: unknown pooling ", static_cast<int>(pooling));
}

std::string order_name(int k) { return "order" + std::to_string(k); }

}  // namespace

std::vector<std::string> PooledReadoutOptions::faults() const {
  std::vector<std::string> faults;
  if (widths.empty()) faults.emplace_back("widths must name the features of at least one layer, got none");
  for (const int width : widths)
    if (width < 1) faults.push_back(concat("widths must be at least 1, got ", width));
  if (orders.empty()) faults.emplace_back("orders must name at least one order, got none");
  for (const int k : orders)
    if (k < 0) faults.push_back(concat("orders must not be negative, got ", k));
  if (std::set<int>(orders.begin(), orders.end()).size() != orders.size())
    faults.push_back("orders must differ, got " + options::to_text(orders));
  if (hidden_channels < 1)
    faults.push_back(concat("hidden_channels must be at least 1, got ", hidden_channels));
  if (out_channels < 1) faults.push_back(concat("out_channels must be at least 1, got ", out_channels));
  return faults;
}

int PooledReadoutOptions::input_width(int k) const {
  const auto place = static_cast<std::size_t>(k);
  return inputs && place < in_channels.size() ? in_channels[place] : 0;
}

void PooledReadoutOptions::validate() const { options::report("PooledReadoutOptions", faults()); }

PooledReadoutImpl::PooledReadoutImpl(PooledReadoutOptions options)
    : PooledReadoutImpl(std::move(options), stream_from_torch("readout")) {}

PooledReadoutImpl::PooledReadoutImpl(PooledReadoutOptions options, const RandomStream& stream)
    : Readout("gsan::PooledReadout"), options_(std::move(options)) {
  options_.validate();
  const int of_layers = std::accumulate(options_.widths.begin(), options_.widths.end(), 0);
  for (const int k : options_.orders) {
    const int width = of_layers + options_.input_width(k);
    if (options_.batch_norm) norms_.push_back(register_module("norm" + std::to_string(k), BatchNorm(width)));
    order_maps_.push_back(register_module(
        order_name(k), Linear(width, options_.hidden_channels, true, stream.substream(order_name(k)))));
  }
  output_ = register_module(
      "output", Linear(options_.hidden_channels, options_.out_channels, true, stream.substream("output")));
}

Tensor PooledReadoutImpl::forward(const ComplexOperators& operators, const std::vector<Cochains>& layers) {
  const auto before = static_cast<std::size_t>(options_.inputs);
  GSAN_CHECK(layers.size() == before + options_.widths.size(), "PooledReadout: widths names ",
             options_.widths.size(), " layers", options_.inputs ? " behind the input" : "",
             ", got the signals of ", layers.size());
  const SignalKind kind = signal_kind("PooledReadout", operators, layers, output_->weight);
  std::vector<Tensor> terms(options_.orders.size());
  {
    ops::Branches branches;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const int k = options_.orders[i];
      const Tensor& offsets = operators.part_offsets(k);
      std::vector<Tensor> signals;  // of the layers that are pooled, undefined: zeros
      std::vector<int> widths;
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const int width = l < before ? options_.input_width(k) : options_.widths[l - before];
        if (width == 0) continue;
        signals.push_back(signal_or_none("PooledReadout", operators, layers[l], k, width));
        widths.push_back(width);
      }
      branches.run(signals, [&] {
        std::vector<Tensor> pools;
        for (std::size_t l = 0; l < signals.size(); ++l) {
          const Tensor& x = signals[l];
          pools.push_back(x.defined() ? pool(options_.pooling, options_.absolute ? x.abs() : x, offsets)
                                      : kind.zeros(operators.part_count(), widths[l]));
        }
        Tensor pooled = torch::cat(pools, -1);
        if (options_.batch_norm) pooled = norms_[i]->forward(pooled);
        terms[i] = activate(options_.activation, order_maps_[i]->forward(pooled));
      });
    }
  }
  Tensor sum = terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) sum = sum + terms[i];
  return output_->forward(sum);
}

void PooledReadoutImpl::reset_parameters(const RandomStream& stream) {
  for (BatchNorm& norm : norms_) norm->reset_parameters();
  for (std::size_t i = 0; i < order_maps_.size(); ++i)
    order_maps_[i]->reset_parameters(stream.substream(order_name(options_.orders[i])));
  output_->reset_parameters(stream.substream("output"));
}

void PooledReadoutImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::PooledReadout(" << describe(options_) << ")";
}

}  // namespace gsan
