#include "gsan/nn/layer_response.h"

#include <algorithm>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/nn/detail/layer_pass.h"

namespace gsan {
namespace {

constexpr std::int64_t block_numbers = std::int64_t{1} << 24;  // of one block of eigenvectors

// What the weights of a term multiply, and the weights: [A, H, N, n] and [F_in, A, H, F_out], float64.
struct Probe {
  Tensor signals, weight;
};

Probe probe(const LinearTerm& term, const Tensor& u) {
  const std::int64_t H = term.weight.size(2), n = u.size(1);
  const std::vector<Tensor> powers = term.powers(u.to(term.weight.scalar_type()).repeat({1, H}));
  const Tensor all = torch::stack(powers).to(torch::kFloat64);  // [A, N, H·n]
  return {all.unflatten(-1, {H, n}).transpose(1, 2), term.weight.to(torch::kFloat64)};
}

// Σ_f |Σ_a Y_a ⊗ W_a[f]|² / F_in for each column, from the inner products of the Y_a and of the W_a.
Tensor gain_of(const std::vector<Probe>& probes, HeadMode mode) {
  std::vector<Tensor> signals, weights;
  for (const Probe& one : probes) {
    signals.push_back(one.signals);
    weights.push_back(one.weight);
  }
  Tensor Y = torch::cat(signals), W = torch::cat(weights, 1);
  if (mode == HeadMode::mean) {  // the heads add up in one place
    W = (W / static_cast<double>(W.size(2))).flatten(1, 2).unsqueeze(2);
    Y = Y.flatten(0, 1).unsqueeze(1);
  }
  const Tensor of_signals = torch::einsum("ahin,bhin->habn", {Y, Y});
  const Tensor of_weights = torch::einsum("fahc,fbhc->hab", {W, W});
  const Tensor energy = torch::einsum("habn,hab->n", {of_signals, of_weights});
  return (energy / static_cast<double>(W.size(0))).clamp_min(0).sqrt();
}

// Where the neighbouring order has the signal of an eigenvector: gradients come from below, curls from above.
Tensor is_sent(const std::vector<HodgePart>& parts, bool from_below) {
  const Tensor sent = torch::zeros({static_cast<std::int64_t>(parts.size())}, torch::kBool);
  for (std::size_t i = 0; i < parts.size(); ++i)
    sent[static_cast<std::int64_t>(i)] = parts[i] == (from_below ? HodgePart::gradient : HodgePart::curl);
  return sent;
}

}  // namespace

LayerResponse layer_response(const SimplicialLayerImpl& layer, const ComplexOperators& operators,
                             const Cochains& signals, int k, const HodgeSpectrum& spectrum) {
  const SimplicialLayerOptions& options = layer.options();
  GSAN_CHECK(options.is_active(k), "layer_response: the layer works on the orders ",
             options::to_text(options.active_orders()), ", got order ", k);
  GSAN_CHECK(spectrum.vectors.size(0) == operators.count(k), "layer_response: order ", k, " has ",
             operators.count(k), " simplices, but the eigenvectors have ", spectrum.vectors.size(0), " rows");
  const torch::NoGradGuard no_grad;
  LayerPass pass(layer, operators, signals, {});
  const std::vector<LinearTerm> terms = pass.linear_terms(k);
  const std::int64_t n = spectrum.values.size(0), rows = std::max<std::int64_t>(1, operators.count(k));

  LayerResponse response{k, spectrum.values.to(torch::kFloat64), spectrum.parts, {}, {}};
  std::int64_t channels = 1;  // A · H of all terms
  for (const LinearTerm& term : terms) {
    channels += term.weight.size(1) * term.weight.size(2);
    response.terms.push_back({term.name, torch::zeros({n}, torch::kFloat64), term.is_exact});
    response.is_exact = response.is_exact && term.is_exact;
    response.reads_signals = response.reads_signals || term.reads_signals;
  }
  response.total = torch::zeros({n}, torch::kFloat64);
  const std::int64_t block = std::max<std::int64_t>(1, block_numbers / (channels * rows));
  for (std::int64_t first = 0; first < n; first += block) {
    const std::int64_t last = std::min(n, first + block);
    const Tensor u = spectrum.vectors.slice(1, first, last);
    const Tensor length = spectrum.values.slice(0, first, last).clamp_min(0).sqrt();
    std::vector<Probe> own;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      Tensor source = u;
      if (terms[t].source < k) source = operators.incidence(k).boundary(u) / length;
      if (terms[t].source > k) source = operators.incidence(k + 1).coboundary(u) / length;
      const Probe one = probe(terms[t], torch::nan_to_num(source, 0, 0, 0));
      response.terms[t].gain.slice(0, first, last).copy_(gain_of({one}, options.head_mode));
      if (terms[t].source == k) own.push_back(one);
    }
    if (!own.empty()) response.total.slice(0, first, last).copy_(gain_of(own, options.head_mode));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (terms[t].source != k)
      response.terms[t].gain.masked_fill_(is_sent(spectrum.parts, terms[t].source < k).logical_not(), nan);
  return response;
}

}  // namespace gsan
