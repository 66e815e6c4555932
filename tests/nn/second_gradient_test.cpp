// Gradients of gradients where one layer is applied to its own output: weights act along two paths, and each
// counts once, at no more than its price. Against central differences of the gradient in float64.

#include <functional>

#include <gtest/gtest.h>

#include <ATen/record_function.h>
#include <torch/csrc/autograd/autograd.h>

#include "gsan/nn/recompute.h"

#include "nn/layer_samples.h"
#include "nn/sample_batch.h"

namespace gsan {
namespace {

constexpr int width = 4;

using Forward = std::function<Cochains(SimplicialLayer, const ComplexOperators&, const Cochains&)>;

Forward forward_with(bool by_parts) {
  return [by_parts](SimplicialLayer layer, const ComplexOperators& operators, const Cochains& x) {
    ForwardContext context;
    context.by_parts = by_parts;
    return layer->forward(operators, x, context).signals;
  };
}

// Of the sum of squares of a layer's output for its own output, in its parameters.
std::vector<Tensor> gradients(const SimplicialLayer& layer, const SampleBatch& batch, const Forward& forward,
                              bool create_graph) {
  Tensor total = torch::zeros({}, torch::kFloat64);
  for (const Tensor& y : forward(layer, batch.operators, forward(layer, batch.operators, batch.signals)))
    total = total + y.square().sum();
  return torch::autograd::grad({total}, layer->parameters(), {}, {}, create_graph);
}

double along(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] * b[i]).sum().item<double>();
  return sum;
}

void expect_differences(const Forward& forward, ShiftKind shift, const char* name) {
  SCOPED_TRACE(name);
  SimplicialLayerOptions options = sample_options(shift);
  options.in_channels = options.out_channels = width;
  options.activation = Activation::tanh;
  const SimplicialLayer layer = make_layer(options, 3);
  const SampleBatch batch = sample_batch(1, {width, width, width, width});
  std::vector<Tensor> u, v;  // d/dt of gradient(w + t v) along u
  for (const Tensor& parameter : layer->parameters()) {
    const auto number = static_cast<std::int64_t>(u.size());
    const auto drawn = [&](const char* what) {
      return random_signal(parameter.numel(), 1, concat(what, number), torch::kFloat64).view_as(parameter);
    };
    u.push_back(drawn("u")), v.push_back(drawn("v"));
  }
  Tensor first = torch::zeros({}, torch::kFloat64);
  const std::vector<Tensor> made = gradients(layer, batch, forward, true);
  for (std::size_t i = 0; i < made.size(); ++i) first = first + (made[i] * u[i]).sum();
  const double second = along(torch::autograd::grad({first}, layer->parameters()), v);

  constexpr double step = 1e-6;
  const auto moved = [&](double by) {
    const torch::NoGradGuard no_grad;
    std::size_t i = 0;
    for (Tensor& parameter : layer->parameters()) parameter.add_(v[i++], by);
  };
  moved(step);
  const double after = along(gradients(layer, batch, forward, false), u);
  moved(-2 * step);
  const double before = along(gradients(layer, batch, forward, false), u);
  const double expected = (after - before) / (2 * step);
  EXPECT_NEAR(second, expected, 1e-5 * std::abs(expected));
}

TEST(SecondGradient, OfALayerAppliedToItsOutputCountsEachPathOnce) {
  for (const ShiftKind shift : {ShiftKind::attention, ShiftKind::hodge}) {
    expect_differences(forward_with(true), shift, "by parts");
    expect_differences(forward_with(false), shift, "as a whole");
    expect_differences([](SimplicialLayer layer, const ComplexOperators& operators,
                          const Cochains& x) { return recomputed_forward(layer, operators, x, {}); },
                       shift, "recomputed");
  }
}

// Operations of torch, nested ones included, that a differentiable gradient through so many applications
// takes.
std::int64_t calls_of_depth(int depth, const Forward& forward) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention);
  options.in_channels = options.out_channels = width;
  options.activation = Activation::tanh;
  const SimplicialLayer layer = make_layer(options, 3);
  const SampleBatch batch = sample_batch(1, {width, width, width, width});
  Cochains x = batch.signals;
  for (int i = 0; i < depth; ++i) x = forward(layer, batch.operators, x);
  Tensor total = torch::zeros({}, torch::kFloat64);
  for (const Tensor& y : x) total = total + y.square().sum();
  static thread_local std::int64_t calls = 0;
  calls = 0;
  const auto handle = at::addThreadLocalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> {
        ++calls;
        return nullptr;
      }));
  torch::autograd::grad({total}, layer->parameters(), {}, {}, /*create_graph=*/true);
  at::removeCallback(handle);
  return calls;
}

TEST(SecondGradient, CostsNoMoreThanInProportionToTheApplications) {
  const auto recomputed = [](SimplicialLayer layer, const ComplexOperators& operators, const Cochains& x) {
    return recomputed_forward(layer, operators, x, {});
  };
  for (const Forward& forward : {forward_with(true), Forward(recomputed)}) {
    const std::int64_t few = calls_of_depth(4, forward), many = calls_of_depth(8, forward);
    EXPECT_GT(few, 0);
    EXPECT_LT(many, 3 * few);  // 2.0 times; 5.7 and 27 where each application started those before it anew
  }
}

TEST(SecondGradient, HooksOfParametersRunOnce) {
  SimplicialLayerOptions options = sample_options(ShiftKind::attention);
  options.in_channels = options.out_channels = width;
  const SampleBatch batch = sample_batch(1, {width, width, width, width});
  const SimplicialLayer layer = make_layer(options, 3);
  const std::vector<Tensor> expected = gradients(layer, batch, forward_with(true), true);
  for (const Tensor& parameter : layer->parameters())
    parameter.register_hook([](const Tensor& g) { return 0.5 * g; });
  const std::vector<Tensor> found = gradients(layer, batch, forward_with(true), true);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(torch::allclose(found[i], 0.5 * expected[i]));
  try {
    recomputed_forward(layer, batch.operators, batch.signals, {});
    FAIL() << "took the hooks";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).find("has a hook, which would run twice") != std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gsan
