// Values and every gradient of the layer against cases that an independent dense program computed
// (tests/golden/README.md says how closely). GSAN_GOLDEN names another folder of such cases.

#include <algorithm>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "nn/golden_case.h"

namespace gsan {
namespace {

using golden::Json;

double largest(const Tensor& x) { return x.numel() == 0 ? 0 : x.abs().max().item<double>(); }

// A group of numbers (all of y, of grad_x, of grad_params): differences relative to its largest entry.
class Group {
 public:
  Group(const char* name, double tolerance) : name_(name), tolerance_(tolerance) {}

  void add(const std::string& what, const Tensor& computed, const Tensor& expected) {
    ASSERT_TRUE(computed.isfinite().all().item<bool>()) << name_ << " " << what << " is not finite";
    scale_ = std::max(scale_, largest(expected));
    const double difference = largest(computed.to(torch::kFloat64) - expected);
    if (difference > worst_) {
      worst_ = difference;
      where_ = what;
    }
  }

  ~Group() { EXPECT_LE(worst_, tolerance_ * scale_) << name_ << ", worst in " << where_; }

 private:
  const char* name_;
  double tolerance_, scale_ = 1, worst_ = 0;
  std::string where_;
};

class GoldenCase : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void check(torch::ScalarType type, double tolerance, torch::Device device = torch::kCPU) {
    const Json golden = golden::read(GetParam());
    const ComplexOperators operators = golden::operators(golden, device);
    SimplicialLayer layer(golden::layer_options(golden));
    layer->to(device, type);

    // Every parameter of the file is one of the layer's and the other way round.
    std::int64_t listed = 0, existing = 0;
    for (const Tensor& parameter : layer->parameters()) existing += parameter.numel();
    golden::visit_parameters(
        golden.at("params"), *layer, [](const Tensor& x) { return x.detach(); },
        [&](const Json& numbers, Tensor part) {
          part.copy_(golden::tensor(numbers, torch::kFloat64, part.sizes()));
          listed += part.numel();
        });
    ASSERT_EQ(listed, existing);

    const int K = layer->options().order;
    Cochains x;
    for (int k = 0; k <= K; ++k) {
      x.push_back(golden::tensor(golden.at("x")[k], type, {operators.count(k), layer->options().in_channels})
                      .to(device));
      x.back().requires_grad_();
    }
    const LayerOutput output = layer->forward(operators, x, {});
    Tensor loss;
    Group values("y", tolerance);
    for (int k = 0; k <= K; ++k) {
      const Tensor& y = output.signals[k];
      values.add(concat("order ", k), y.detach().cpu(),
                 golden::tensor(golden.at("y")[k], torch::kFloat64, y.sizes()));
      const Tensor part = (y * golden::tensor(golden.at("cotangent")[k], type, y.sizes()).to(device)).sum();
      loss = loss.defined() ? loss + part : part;
    }
    if (loss.requires_grad()) loss.backward();  // a layer without any term is constant

    Group of_x("grad_x", tolerance);
    for (int k = 0; k <= K; ++k) {
      const Tensor gradient = x[k].grad().defined() ? x[k].grad() : torch::zeros_like(x[k]);
      of_x.add(concat("order ", k), gradient.cpu(),
               golden::tensor(golden.at("grad_x")[k], torch::kFloat64, x[k].sizes()));
    }
    Group of_parameters("grad_params", tolerance);
    int count = 0;
    golden::visit_parameters(
        golden.at("grad_params"), *layer,
        [](const Tensor& p) { return p.grad().defined() ? p.grad() : torch::zeros_like(p); },
        [&](const Json& numbers, Tensor part) {
          of_parameters.add(concat("parameter ", count++), part.cpu(),
                            golden::tensor(numbers, torch::kFloat64, part.sizes()));
        });
    check_epsilon(golden, output, tolerance);
  }

  // ε that the layer found itself, [complex][head][order] in the file.
  void check_epsilon(const Json& golden, const LayerOutput& output, double tolerance) {
    if (golden.at("config").at("harmonic") != "projector") return;
    const Json& expected = golden::epsilon(golden);
    for (std::size_t k = 0; k < output.harmonic_epsilon.size(); ++k) {
      const Tensor& found = output.harmonic_epsilon[k];  // [P] or [P, H]
      for (std::size_t p = 0; p < expected.size(); ++p) {
        for (std::size_t h = 0; h < expected[p].size(); ++h) {
          const auto part = static_cast<std::int64_t>(p), head = static_cast<std::int64_t>(h);
          const double value = (found.dim() == 1 ? found[part] : found[part][head]).item<double>();
          const double epsilon = expected[p][h][k];
          EXPECT_NEAR(value, epsilon, tolerance * std::max(1.0, epsilon)) << "epsilon of order " << k;
        }
      }
    }
  }
};

TEST_P(GoldenCase, HoldsInFloat64) { check(torch::kFloat64, 1e-9); }

double tolerance_in_float32(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  const bool hard =
      name.find("extreme") != std::string::npos || name.find("large_scores") != std::string::npos;
  return hard ? 1e-3 : 1e-5;
}

TEST_P(GoldenCase, HoldsInFloat32) { check(torch::kFloat32, tolerance_in_float32(GetParam())); }

TEST_P(GoldenCase, HoldsOnCuda) {
  if (!at::hasCUDA()) GTEST_SKIP() << "torch has no CUDA here";
  check(torch::kFloat64, 1e-9, torch::kCUDA);
  check(torch::kFloat32, tolerance_in_float32(GetParam()), torch::kCUDA);
}

TEST(GoldenCases, NameEveryMechanism) {
  if (std::getenv("GSAN_GOLDEN") != nullptr) GTEST_SKIP() << "cases of another folder";
  std::set<std::string> named;
  for (const std::filesystem::path& file : golden::files())
    named.insert(golden::read(file).at("config").at("attention").dump());
  for (const auto& [mechanism, name] : EnumNames<Mechanism>::names)
    EXPECT_TRUE(named.contains(concat('"', name, '"'))) << "no golden case has " << name;
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenCase, testing::ValuesIn(golden::files()), [](const auto& file) {
  std::string name = file.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace gsan
