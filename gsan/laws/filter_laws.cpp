#include "gsan/laws/detail/filter_laws.h"

#include "gsan/hodge/polynomial.h"
#include "gsan/hodge/spectral/fourier.h"
#include "gsan/hodge/spectral/response.h"
#include "gsan/laws/defects.h"
#include "gsan/laws/measures.h"

namespace gsan::laws {
namespace {

// The mean over a neighbourhood (spec 1), from incidences alone: neighbours share exactly one face (or
// coface), a simplex shares k + 1 faces (or all its cofaces) with itself and counts once.
class AveragingShift final : public Shift {
 public:
  AveragingShift(const ComplexOperators& operators, int k, Side side)
      : B_(operators.incidence(side == Side::lower ? k : k + 1)), is_lower_(side == Side::lower) {
    const auto type = torch::TensorOptions(torch::kFloat64).device(operators.device());
    const Tensor ones = torch::ones({operators.count(k), 1}, type);
    repeats_ = (is_lower_ ? (k + 1) * ones : operators.coface_counts(k).unsqueeze(1)) - 1;
    count_ = sum(ones);
  }

  Tensor apply(const Tensor& x) const override { return sum(x) / count_; }

 private:
  Tensor sum(const Tensor& x) const {
    const Tensor over_stars = is_lower_ ? B_.absolute_coboundary(B_.absolute_boundary(x))
                                        : B_.absolute_boundary(B_.absolute_coboundary(x));
    return over_stars - repeats_ * x;
  }

  Incidence B_;
  bool is_lower_;
  Tensor repeats_, count_;  // [N_k, 1]
};

// The signal that a term filters.
Tensor source_of(LawCase& law, const LayerTerm& term) {
  if (term.use == Use::own) return law.x[term.k];
  return term.side == Side::lower ? law.operators.incidence(term.k).coboundary(law.x[term.k - 1])
                                  : law.operators.incidence(term.k + 1).boundary(law.x[term.k + 1]);
}

double relative_difference(const Cochains& a, const Cochains& b) {
  const double size = largest(b);
  return largest_difference(a, b) / (size > 0 ? size : 1);
}

}  // namespace

// |L_W^d L_W^u x| over the same with every entry positive.
Law metric_keeps_exactness(LawCase& law, const LawModel& hodge) {
  return layer_law(
      "L_W^d L_W^u = 0", "largest entry of L_W^d L_W^u x / that of |L_W^d| |L_W^u| |x|", 1e-12, law, {hodge},
      1, [&](const SimplicialLayerOptions& options) {
        const SimplicialLayer layer = tame_layer(law, options);
        Worst worst;
        if (!layer->has_metric()) return worst.value();
        std::vector<Tensor> g;
        for (int k = 0; k <= options.order; ++k)
          g.push_back(layer->metric(k)->forward(law.x[k], law.operators.part_offsets(k)));
        for (int k = 1; k < options.order; ++k) {
          const Incidence lower = weighted_incidence(law.operators.incidence(k), g[k - 1], g[k]);
          const Incidence upper = weighted_incidence(law.operators.incidence(k + 1), g[k], g[k + 1]);
          const Tensor x = law.x[k].narrow(1, 0, options.heads);
          const Tensor zero = lower.coboundary(lower.boundary(upper.boundary(upper.coboundary(x))));
          const Tensor scale = lower.absolute_coboundary(
              lower.absolute_boundary(upper.absolute_boundary(upper.absolute_coboundary(x.abs()))));
          if (largest(scale) > 0) worst.see(largest(zero) / largest(scale));
        }
        return worst.value();
      });
}

Law rows_sum_to_one(LawCase& law, const LawModel& attention) {
  return layer_law(
      "rows of attention", concat("largest |sum of a row of alpha - 1|: ", names_of<Mechanism>()), 1e-12, law,
      {attention}, 1, [&](SimplicialLayerOptions options) {
        Worst worst;
        for (const auto& entry : EnumNames<Mechanism>::names) {
          options.mechanism = entry.first;
          SimplicialLayer layer = tame_layer(law, options);
          worst.see(attention_row_defect(
              layer->forward(law.operators, law.x, {.return_attention_weights = true}), law.operators));
        }
        return worst.value();
      });
}

Law constant_scores_average(LawCase& law, const LawModel& attention) {
  return layer_law(
      "constant scores average", "relative difference of Y from uniform averaging over neighbours", rounding,
      law, {attention}, 1, [&](SimplicialLayerOptions options) {
        options.activation = Activation::identity;
        options.harmonic = HarmonicKind::none;
        SimplicialLayer layer = tame_layer(law, options);
        Cochains expected(law.x.size());
        for (const LayerTerm& term : layer->terms()) {
          if (!term.attention.empty()) layer->attention(term.attention)->parameter("a").zero_();
          const Tensor W = layer->weight(term.weight);  // [F_in, taps, H, F_out]
          std::vector<Tensor> taps;
          for (int p = 0; p < term.taps; ++p)
            taps.push_back(source_of(law, term).matmul(W.select(1, p).flatten(1)));
          const Tensor sum = polynomial(AveragingShift(law.operators, term.k, term.side), taps, term.first);
          expected[term.k] = expected[term.k].defined() ? expected[term.k] + sum : sum;
        }
        Cochains y = layer->forward(law.operators, law.x);
        y.resize(expected.size());
        for (std::size_t k = 0; k < y.size(); ++k)  // an order without sides has no term
          if (!expected[k].defined()) expected[k] = torch::zeros_like(y[k]);
        return relative_difference(y, expected);
      });
}

// The layer by Fourier transforms: each term multiplies the coefficients of its signal by a response.
Law filtering_in_the_spectrum(LawCase& law, const LawModel& convolution) {
  constexpr std::int64_t most_rows = 600;
  const std::string name = "space = spectrum",
                    statement = "relative difference of Y, filtered in space and spectrum";
  for (int k = 0; k <= law.operators.order(); ++k) {
    if (law.operators.count(k) > most_rows)
      return {concat(name, ", ", convolution.name), statement, 0, 1e-9,
              concat("a whole spectrum of ", law.operators.count(k), " simplices of order ", k,
                     ", more than ", most_rows)};
  }
  return layer_law(name, statement, 1e-9, law, {convolution}, 1, [&](SimplicialLayerOptions options) {
    options.activation = Activation::identity;
    options.heads = 1;
    SimplicialLayer layer = tame_layer(law, options);
    LayerOutput output = layer->forward(law.operators, law.x, {});
    output.signals.resize(law.x.size());
    Cochains expected;
    for (int k = 0; k <= law.operators.order(); ++k) {
      const HodgeSpectrum spectrum = hodge_spectrum(law.operators, k);
      const Tensor harmonic = projector_response(spectrum.values, output.harmonic_epsilon[k].item<double>(),
                                                 options.harmonic_steps);
      Tensor sum =
          fourier(spectrum, law.x[k]).matmul(layer->weight("harmonic").flatten(1)) * harmonic.unsqueeze(1);
      for (const LayerTerm& term : layer->terms()) {
        if (term.k != k) continue;
        const Tensor W = layer->weight(term.weight).squeeze(2).transpose(0, 1);  // [taps, F_in, F_out]
        const Tensor response = frequency_response(side_frequencies(spectrum, term.side), W, term.first);
        sum = sum + multiply_response(fourier(spectrum, source_of(law, term)), response);
      }
      expected.push_back(inverse_fourier(spectrum, sum));
    }
    return relative_difference(output.signals, expected);
  });
}

}  // namespace gsan::laws
