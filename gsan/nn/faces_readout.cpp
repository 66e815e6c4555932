#include "gsan/nn/faces_readout.h"

#include <algorithm>
#include <ostream>

#include "gsan/nn/row_tuples.h"
#include "gsan/nn/signals.h"

namespace gsan {
namespace {

constexpr int pools = 3;  // mean, least, largest

Tensor pooled(const Tensor& of_faces) {  // [..., M, t, F] → [..., M, 3 F]
  return torch::cat({of_faces.mean(-2), of_faces.amin(-2), of_faces.amax(-2)}, -1);
}

}  // namespace

std::int64_t face_count(int k, int j) {
  std::int64_t count = 1;
  for (int i = 0; i <= j; ++i) count = count * (k + 1 - i) / (i + 1);
  return count;
}

std::vector<std::string> FacesReadoutOptions::faults() const {
  std::vector<std::string> found;
  if (order < 1) found.push_back(concat("order must be at least 1, got ", order));
  if (orders.empty()) found.emplace_back("orders must name at least one order, got none");
  for (const int k : orders)
    if (k < 0 || k >= order) found.push_back(concat("orders must lie in 0 ... ", order - 1, ", got ", k));
  for (const int channels : hidden)
    if (channels < 1) found.push_back(concat("hidden widths must be at least 1, got ", channels));
  if (width < 1) found.push_back(concat("width must be at least 1, got ", width));
  if (out_channels < 1) found.push_back(concat("out_channels must be at least 1, got ", out_channels));
  return found;
}

int FacesReadoutOptions::feature_count() const {
  int count = 0;
  for (const int k : orders) {
    const auto place = static_cast<std::size_t>(k);
    count += pools * (width + (inputs && place < in_channels.size() ? in_channels[place] : 0));
  }
  return count;
}

FacesReadoutImpl::FacesReadoutImpl(FacesReadoutOptions options, const RandomStream& stream)
    : Readout("gsan::FacesReadout"), options_(std::move(options)) {
  options::report("FacesReadoutOptions", options_.faults());
  MlpOptions mlp;
  mlp.in_channels = options_.feature_count();
  mlp.hidden = options_.hidden;
  mlp.out_channels = options_.out_channels;
  mlp.activation = options_.activation;
  mlp.batch_norm = options_.batch_norm;
  mlp_ = register_module("mlp", Mlp(mlp, stream));
}

Tensor FacesReadoutImpl::read(const ComplexOperators& operators, const std::vector<Cochains>& layers,
                              const Tensor& tuples) {
  static constexpr const char* who = "FacesReadout";
  const std::int64_t faces = (std::int64_t{2} << options_.order) - 2;
  GSAN_CHECK(tuples.defined() && tuples.dim() == 2 && tuples.size(1) == faces, who, ": tuples must be [M, ",
             faces, "], every proper face of a candidate of order ", options_.order,
             tuples.defined() ? concat(", got ", tuples.sizes()) : "");
  GSAN_CHECK(layers.size() > static_cast<std::size_t>(options_.inputs), who, ": there is no layer to read");
  const SignalKind kind = signal_kind(who, operators, layers, mlp_->parameters().front());
  std::vector<Tensor> features;
  std::int64_t first = 0;
  for (int k = 0; k < options_.order; ++k) {
    const std::int64_t count = face_count(options_.order, k);
    const Tensor rows = tuples.narrow(1, first, count);
    first += count;
    if (std::find(options_.orders.begin(), options_.orders.end(), k) == options_.orders.end()) continue;
    const auto place = static_cast<std::size_t>(k);
    std::vector<Tensor> x;
    if (options_.inputs && place < options_.in_channels.size() && options_.in_channels[place] > 0)
      x.push_back(signal_or_zeros(who, operators, layers.front(), k, options_.in_channels[place], kind));
    x.push_back(signal_or_zeros(who, operators, layers.back(), k, options_.width, kind));
    const Tensor all = torch::cat(x, -1);
    features.push_back(pooled(gather_tuples(who, options_.absolute ? all.abs() : all, rows)));
  }
  return mlp_->forward(torch::cat(features, -1));
}

void FacesReadoutImpl::pretty_print(std::ostream& stream) const {
  stream << "gsan::FacesReadout(" << describe(options_) << ")";
}

}  // namespace gsan
