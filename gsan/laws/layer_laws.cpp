#include "gsan/laws/layer_laws.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <torch/autograd.h>

#include "gsan/laws/defects.h"
#include "gsan/laws/detail/filter_laws.h"
#include "gsan/laws/detail/sample_layers.h"
#include "gsan/laws/measures.h"
#include "gsan/topology/relabel.h"

namespace gsan::laws {
namespace {

using Models = std::vector<LawModel>;

CochainMap map_of(LawCase& law, const SimplicialLayerOptions& options) {
  return [layer = tame_layer(law, options)](const ComplexOperators& operators, const Cochains& x) mutable {
    return layer->forward(operators, x);
  };
}

// New vertex names change the order of rows and, through sorting, their orientation.
Law orientation_equivariance(LawCase& law, const MappedComplex& mapped, const Models& models) {
  return layer_law("orientation", "largest entry of Y(P x) - P Y(x), P: new vertex names", rounding, law,
                   models, 1, [&](const SimplicialLayerOptions& options) {
                     return renaming_defect(map_of(law, options), law.operators, mapped, law.x);
                   });
}

// Without signs new vertex names move rows, and nothing else (spec 9).
Law renumbering(LawCase& law, MappedComplex mapped, const Models& models) {
  for (auto& of_order : mapped.sign) std::fill(of_order.begin(), of_order.end(), std::int8_t{1});
  return layer_law("renumbering", "largest entry of Y(P x) - P Y(x), P: new vertex names, no signs", rounding,
                   law, models, 1, [&](const SimplicialLayerOptions& options) {
                     return renaming_defect(map_of(law, options), law.operators, mapped, law.x);
                   });
}

Law batch_is_its_parts(LawCase& law, const Models& models) {
  return layer_law("batch = parts", "largest difference of Y, together and alone", 1e-12, law, models, 3,
                   [&](const SimplicialLayerOptions& options) {
                     const auto parts = complex_and_skeletons(law.operators.complex());
                     std::vector<Cochains> x;
                     for (const SimplicialComplex& part : parts)
                       x.emplace_back(law.x.begin(), law.x.begin() + part.order() + 1);
                     return batch_defect(map_of(law, options), parts, x,
                                         {law.operators.device(), law.operators.max_memory()});
                   });
}

Law signals_one_by_one(LawCase& law, const Models& models) {
  constexpr int count = 2;
  return layer_law("signals one by one", "largest difference of Y, many signals at once and each alone",
                   1e-12, law, models, count, [&](const SimplicialLayerOptions& options) {
                     Cochains both;
                     for (const Tensor& x : law.x) both.push_back(torch::stack({x, x.flip(0)}));
                     return one_by_one_defect(map_of(law, options), law.operators, both);
                   });
}

// A random direction with entries of the size of those of x.
Tensor direction_like(const Tensor& x, const RandomStream& stream) {
  const Tensor direction = normals(stream, x.numel(), 1, x.device()).view(x.sizes());
  const double size = x.numel() == 0 ? 0 : x.detach().square().mean().sqrt().item<double>();
  return direction * (size > 0 ? size : 1);
}

// |∂f/∂d − central difference| over max(|∂f/∂d|, |∇f| |d| / √n), d a random direction of `variables`: the
// second is the expected size, should the first vanish by chance.
double gradient_error(const Tensor& f, const std::vector<Tensor>& variables, const RandomStream& stream,
                      const std::function<double()>& value) {
  constexpr double h = 1e-5;
  const auto gradients = torch::autograd::grad({f}, variables, {}, /*retain_graph=*/true,
                                               /*create_graph=*/false, /*allow_unused=*/true);
  std::vector<Tensor> directions;
  double slope = 0, squares = 0, length = 0, count = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    directions.push_back(direction_like(variables[i], stream.substream(std::uint64_t{i})));
    length += directions[i].square().sum().item<double>();
    count += static_cast<double>(variables[i].numel());
    if (!gradients[i].defined()) continue;
    slope += (gradients[i] * directions[i]).sum().item<double>();
    squares += gradients[i].square().sum().item<double>();
  }
  const torch::NoGradGuard no_grad;
  const auto step = [&](double by) {
    for (std::size_t i = 0; i < variables.size(); ++i) variables[i].data().add_(directions[i], by);
  };
  step(h);
  const double ahead = value();
  step(-2 * h);
  const double behind = value();
  step(h);
  const double size = std::max(std::abs(slope), count > 0 ? std::sqrt(squares * length / count) : 0);
  const double error = std::abs((ahead - behind) / (2 * h) - slope);
  return size > 0 ? error / size : error;
}

// Where the layer is smooth: slope 1 takes the kink from every LReLU, and ε of a learned metric is not
// differentiated (spec 6), so that there the harmonic term is a skip.
Law gradients(LawCase& law, Models models) {
  for (LawModel& model : models) {
    model.options.negative_slope = 1;
    model.options.is_equivariant = false;
    if (model.options.uses(ShiftKind::weighted)) model.options.harmonic = HarmonicKind::skip;
  }
  return layer_law("gradient", "relative error along random directions of input and of weights", 1e-6, law,
                   models, 1, [&](const SimplicialLayerOptions& options) {
                     SimplicialLayer layer = tame_layer(law, options);
                     std::vector<Tensor> x;
                     for (const Tensor& order : law.x) x.push_back(order.clone().requires_grad_());
                     // f = Σ_k ⟨Y_k, R_k⟩ with fixed random R.
                     const Cochains R = normal_cochains(law.operators, law.stream.substream("functional"),
                                                        options.output_channels());
                     const auto functional = [&] {
                       const Cochains y = layer->forward(law.operators, x);
                       Tensor sum = torch::zeros({}, y.front().options());
                       for (std::size_t k = 0; k < R.size(); ++k) sum = sum + (y[k] * R[k]).sum();
                       return sum;
                     };
                     Worst worst;
                     const torch::AutoGradMode recording(true);
                     const Tensor f = functional();
                     if (!f.requires_grad()) return worst.value();  // a layer without terms
                     const auto value = [&] { return functional().item<double>(); };
                     const RandomStream stream = law.stream.substream("directions");
                     worst.see(gradient_error(f, x, stream.substream("input"), value));
                     worst.see(gradient_error(f, layer->parameters(), stream.substream("weights"), value));
                     return worst.value();
                   });
}

}  // namespace

std::vector<Law> measure_layer_laws(const ComplexOperators& operators, std::uint64_t seed) {
  const RandomStream stream(seed, "check layers");
  LawCase law{operators, normal_cochains(operators, stream.substream("signals"), law_width), stream};
  RandomStream names = stream.substream("names");
  const MappedComplex mapped =
      relabel(operators.complex(), names.permutation(static_cast<Vertex>(operators.count(0))));

  const int order = operators.order();
  const LawModel gsccn = law_model("gsccn", presets::gsccn, order),
                 gsan = law_model("gsan", presets::gsan, order),
                 joint = law_model("gsan-joint", presets::gsan_joint, order),
                 hodge = law_model("gsan-hodge", presets::gsan_hodge, order);
  const auto equivariant = [](LawModel model) {
    model.name += " equivariant";
    model.options.is_equivariant = true;
    return model;
  };
  const auto unsigned_ = [](LawModel model) {
    model.name += " unsigned";
    model.options.incidence = IncidenceKind::absolute;
    model.options.harmonic = HarmonicKind::skip;
    return model;
  };
  const auto gated = [](LawModel model) {
    model.name += " gated";
    model.options.gate = Gate::sigmoid;
    return model;
  };
  return {orientation_equivariance(law, mapped, {gsccn, equivariant(hodge)}),
          orientation_equivariance(law, mapped, {equivariant(gsan), equivariant(joint)}),
          orientation_equivariance(law, mapped, {gated(equivariant(gsan))}),
          renumbering(law, mapped, {unsigned_(gsccn), unsigned_(hodge)}),
          renumbering(law, mapped, {unsigned_(gsan), unsigned_(joint), gated(unsigned_(gsan))}),
          batch_is_its_parts(law, {gsccn, hodge}),
          batch_is_its_parts(law, {gsan, joint}),
          batch_is_its_parts(law, {unsigned_(gsccn), unsigned_(hodge)}),
          batch_is_its_parts(law, {unsigned_(gsan), gated(gsan)}),
          signals_one_by_one(law, {gsccn, hodge}),
          signals_one_by_one(law, {gsan, joint}),
          signals_one_by_one(law, {unsigned_(gsccn), unsigned_(hodge)}),
          signals_one_by_one(law, {unsigned_(gsan), gated(gsan)}),
          gradients(law, {gsccn, hodge}),
          gradients(law, {gsan, joint}),
          gradients(law, {unsigned_(gsccn), unsigned_(hodge)}),
          gradients(law, {unsigned_(joint), gated(unsigned_(gsan))}),
          metric_keeps_exactness(law, hodge),
          rows_sum_to_one(law, gsan),
          constant_scores_average(law, gsan),
          filtering_in_the_spectrum(law, gsccn)};
}

}  // namespace gsan::laws
