#include "ops/cuda_kernels.h"

#include "gsan/ops/narrow_products.h"
#include "gsan/ops/pair_dropout.h"
#include "gsan/ops/segments.h"
#include "gsan/ops/sum_activation.h"

namespace gsan {
namespace {

constexpr std::int64_t widths[] = {1, 3, 4, 17, 32, 64, 256};

TEST_F(CudaKernels, NarrowProducts) {
  const Call product = [](const Tensors& t) { return Tensors{ops::narrow_product(t[0], t[2])}; };
  const Call transposed = [](const Tensors& t) {
    return Tensors{ops::narrow_product(t[0], t[2].t().contiguous().t())};
  };
  const Call gram = [](const Tensors& t) { return Tensors{ops::narrow_gram(t[0], t[1])}; };
  const Call tall = [](const Tensors& t) { return Tensors{ops::tall_gram(t[0], t[1])}; };
  const Call add = [](const Tensors& t) {
    const Tensor x = t[0].clone();
    ops::add_narrow_product(x, t[1], t[2]);
    return Tensors{x};
  };
  for (const std::int64_t K : widths) {
    for (const std::int64_t C : {1, 2, 8, 17, 64}) {
      for (const std::int64_t rows : {0, 1, 1000, 70001}) {
        if (rows > 1000 && K * C > 2048) continue;
        const Tensors inputs = {values({rows, K}), values({rows, C}), values({K, C})};
        const std::string shape = std::to_string(rows) + ' ' + std::to_string(K) + ' ' + std::to_string(C);
        expect_same("product " + shape, product, inputs);
        expect_same("product, columns one after the other " + shape, transposed, inputs);
        expect_same("gram " + shape, gram, inputs);
        expect_same("tall gram " + shape, tall, inputs);
        expect_same("add " + shape, add, inputs);
      }
    }
  }
}

TEST_F(CudaKernels, NarrowProductsOfBfloat16) {
  for (const std::int64_t K : {3, 32, 64}) {
    const Tensor x = values({5000, K}).to(torch::kBFloat16), y = values({5000, 6}), v = values({K, 6});
    const Tensor wide = x.to(torch::kFloat64), on = x.cuda(), f = y.to(torch::kFloat32).cuda(),
                 w = v.to(torch::kFloat32).cuda();
    expect_near(ops::narrow_product(on, w), ops::narrow_product(wide, v), 1e-5, "product");
    expect_near(ops::narrow_gram(on, f), ops::narrow_gram(wide, y), 1e-5, "gram");
    expect_near(ops::tall_gram(on, on), ops::tall_gram(wide, wide), 1e-2, "tall gram");
    Tensor sum = on.clone(), expected = wide.clone();
    ops::add_narrow_product(sum, f, w), ops::add_narrow_product(expected, y, v);
    expect_near(sum, expected, 1e-2, "add");
  }
}

TEST_F(CudaKernels, DropoutMask) {
  const auto keys = [](std::int64_t count, std::int64_t low, std::int64_t high) {
    return torch::randint(low, high, {count}, torch::kInt32);
  };
  const Tensor sources = keys(3000, 0, 200), shared = keys(3000, -1, 500), source = keys(200, 0, 200),
               part = keys(200, 0, 9), signal = torch::randint(0, std::int64_t{1} << 40, {3}, torch::kInt64);
  for (const auto type : {torch::kFloat32, torch::kFloat64})
    for (const std::int64_t heads : {0, 1, 3, 4, 9})
      for (const double p : {0.0, 0.4}) {
        const auto mask = [&](const char* device) {
          return ops::pair_dropout_mask(sources.to(device), shared.to(device), source.to(device),
                                        part.to(device), signal.to(device), -77, p, heads, type);
        };
        expect_near(mask("cuda"), mask("cpu"), 0, "mask");
      }
}

Tensor offsets_of(const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> offsets = {0};
  for (const std::int64_t length : lengths) offsets.push_back(offsets.back() + length);
  return torch::tensor(at::ArrayRef<std::int64_t>(offsets), torch::kInt64);
}

std::vector<std::pair<std::string, Tensor>> segment_cases() {
  std::vector<std::int64_t> few, hub;
  for (std::int64_t s = 0; s < 1000; ++s) few.push_back(s * 7919 % 25), hub.push_back(s * 7919 % 25);
  hub[77] = 5000, hub[78] = 700, hub[999] = 600;
  return {{"short", offsets_of(few)},
          {"short with a hub", offsets_of(hub)},
          {"long", offsets_of({100, 0, 7000, 1, 30000, 64, 65})},
          {"one", offsets_of({100000})},
          {"none", offsets_of({})},
          {"empty", offsets_of({0, 0})}};
}

TEST_F(CudaKernels, Segments) {
  for (const auto& one : segment_cases()) {
    const auto& [name, of_case] = one;
    const Tensor& offsets = of_case;  // clang 14 lets no lambda keep a structured binding
    const std::int64_t rows = offsets[-1].item<std::int64_t>(), count = offsets.size(0) - 1;
    for (const std::int64_t C : {1, 3, 4, 17, 64}) {
      for (const Layout layout : layouts) {
        const Tensor x = values({2, rows, C}), weights = ops::segment_softmax(x, offsets),
                     g = values({2, rows, C});
        const std::string what = name + ' ' + std::to_string(C);
        const auto reduce = [&](const char* op, const auto& f) {
          expect_same(
              op + what, [&](const Tensors& t) { return Tensors{f(t[0], t[1])}; }, {x, offsets}, layout);
        };
        reduce("softmax ", [](auto& a, auto& b) { return ops::segment_softmax(a, b); });
        reduce("sum ", [](auto& a, auto& b) { return ops::segment_sum(a, b); });
        reduce("argmax ", [](auto& a, auto& b) { return ops::segment_argmax(a, b); });
        expect_same(
            "spread " + what,
            [&](const Tensors& t) { return Tensors{ops::segment_spread(t[0], t[1], rows)}; },
            {values({2, count, C}), offsets}, layout);
        expect_same(
            "softmax backward " + what,
            [](const Tensors& t) { return Tensors{ops::segment_softmax_backward(t[0], t[1], t[2])}; },
            {g, weights, offsets}, layout);
      }
    }
  }
}

TEST_F(CudaKernels, SegmentsOfWhatIsNoNumber) {
  const double nan = std::nan(""), large = std::numeric_limits<double>::infinity();
  for (const auto& [name, offsets] : segment_cases()) {
    const std::int64_t rows = offsets[-1].item<std::int64_t>();
    if (rows < 100) continue;
    const Tensor x = values({rows, 4}).round();  // with ties
    x.select(1, 1).slice(0, 0, rows, 37).fill_(nan);
    x.select(1, 2).slice(0, 5, rows, 50).fill_(large);
    x.select(1, 3).slice(0, 0, rows / 2).fill_(-large);
    const Tensor y = x.cuda(), starts = offsets.cuda();
    expect_near(ops::segment_argmax(y, starts), ops::segment_argmax(x, offsets), 0, name);
    expect_near(ops::segment_softmax(y, starts), ops::segment_softmax(x, offsets), 1e-12, name);
  }
}

TEST_F(CudaKernels, RowsBehindTheLastOffsetBelongToNoSegment) {
  for (const auto& [name, offsets] : segment_cases()) {
    const std::int64_t rows = offsets[-1].item<std::int64_t>(), count = offsets.size(0) - 1;
    const Tensor x = values({2, rows, 3}), starts = offsets.cuda();
    const Tensor nothing = torch::full({2, 19, 3}, std::nan(""), torch::kFloat64);
    const auto padded = [&](const Tensor& y) { return torch::cat({y, nothing}, 1).cuda(); };
    const auto cleared = [&](const Tensor& y) { return torch::cat({y, torch::zeros_like(nothing)}, 1); };
    const Tensor weights = ops::segment_softmax(x, offsets), each = values({2, count, 3});
    expect_near(ops::segment_softmax(padded(x), starts), cleared(weights), 1e-12, name);
    expect_near(ops::segment_softmax_backward(padded(x), padded(weights), starts),
                cleared(ops::segment_softmax_backward(x, weights, offsets)), 1e-12, name);
    expect_near(ops::segment_spread(each.cuda(), starts, rows + 19),
                cleared(ops::segment_spread(each, offsets, rows)), 0, name);
    expect_near(ops::segment_sum(padded(x), starts), ops::segment_sum(x, offsets), 1e-12, name);
    expect_near(ops::segment_argmax(padded(x), starts), ops::segment_argmax(x, offsets), 0, name);
  }
}

TEST_F(CudaKernels, SumActivation) {
  for (const char* activation : {"identity", "relu", "leaky_relu", "elu", "gelu", "tanh", "sigmoid"}) {
    for (const std::int64_t C : widths) {
      for (const std::size_t count : {1, 2, 5, 16, 17, 40}) {
        if (count > 5 && C != 17 && C != 32) continue;
        Tensors inputs = {values({C})};
        for (std::size_t t = 0; t < count; ++t) inputs.push_back(values({2, 3, 301, C}));
        const std::string what =
            std::string(activation) + ' ' + std::to_string(C) + ' ' + std::to_string(count);
        const Call sum = [&](const Tensors& t) {
          return Tensors{ops::sum_activation(Tensors(t.begin() + 1, t.end()), t[0], activation),
                         ops::sum_activation(Tensors(t.begin() + 1, t.end()), {}, activation)};
        };
        for (const Layout layout : layouts) expect_same(what, sum, inputs, layout);
        if (count > 1) continue;
        const Call backward = [&](const Tensors& t) {
          const auto [g, sums] = ops::sum_activation_backward(t[0], t[1], activation, true);
          return Tensors{g, sums};
        };
        // For gelu this stands for the argument, which may be any number.
        const Tensor y = sum(inputs)[0].to(torch::kFloat32).to(torch::kFloat64);
        for (const Layout layout : layouts)
          expect_same("backward " + what, backward, {values({2, 3, 301, C}), y}, layout);
      }
    }
  }
}

TEST_F(CudaKernels, SumActivationOfBfloat16) {
  const Tensor a = values({40, 24}).to(torch::kBFloat16), b = values({40, 24}).to(torch::kBFloat16),
               bias = values({24}).to(torch::kBFloat16);
  const Tensor expected =
      torch::tanh(a.to(torch::kFloat64) + b.to(torch::kFloat64) + bias.to(torch::kFloat64));
  expect_near(ops::sum_activation({a.cuda(), b.cuda()}, bias.cuda(), "tanh"), expected, 1e-2, "bfloat16");
  expect_near(ops::sum_activation({a.cuda(), b.cuda()}, bias.to(torch::kFloat32).cuda(), "tanh"), expected,
              1e-2, "bias in float32");
  const auto [g, sums] = ops::sum_activation_backward(a.cuda(), b.cuda(), "relu", true);
  EXPECT_EQ(sums.scalar_type(), torch::kFloat32);
  expect_near(sums, (a.to(torch::kFloat64) * (b > 0)).sum(0), 1e-2, "column sums");
}

}  // namespace
}  // namespace gsan
