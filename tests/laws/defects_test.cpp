// Every defect is 0 for a map that obeys its law and sees one that does not.

#include "gsan/laws/defects.h"

#include <gtest/gtest.h>

#include "gsan/laws/measures.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/relabel.h"

namespace gsan::laws {
namespace {

class Defects : public testing::Test {
 protected:
  Cochains signals(std::int64_t columns = 2) const {
    return normal_cochains(operators_, RandomStream(1, "defects"), columns);
  }

  ComplexOperators operators_{example_complex("annulus").complex};
};

Cochains laplacians(const ComplexOperators& operators, const Cochains& x) {
  Cochains y;
  for (int k = 0; k < static_cast<int>(x.size()); ++k)
    y.push_back(x[k].defined() ? operators.laplacian(k, x[k]) : x[k]);
  return y;
}

Cochains each(const Cochains& x, const std::function<Tensor(const Tensor&)>& change) {
  Cochains y;
  for (const Tensor& order : x) y.push_back(order.defined() ? change(order) : order);
  return y;
}

TEST_F(Defects, RenamingSeesSignsAndRows) {
  RandomStream stream(2, "names");
  const MappedComplex mapped =
      relabel(operators_.complex(), stream.permutation(static_cast<Vertex>(operators_.count(0))));
  EXPECT_LE(renaming_defect(laplacians, operators_, mapped, signals()), 1e-12);
  const auto absolute = [](const ComplexOperators&, const Cochains& x) {
    return each(x, [](const Tensor& t) { return t.abs(); });
  };
  EXPECT_GT(renaming_defect(absolute, operators_, mapped, signals()), 0.1);
  const auto reversed = [](const ComplexOperators&, const Cochains& x) {
    return each(x, [](const Tensor& t) { return t.flip(0); });
  };
  EXPECT_GT(renaming_defect(reversed, operators_, mapped, signals()), 0.1);
}

TEST_F(Defects, BatchSeesThatPartsMeet) {
  const auto parts = complex_and_skeletons(operators_.complex());
  std::vector<Cochains> x;
  const Cochains all = signals();
  for (const SimplicialComplex& part : parts) x.emplace_back(all.begin(), all.begin() + part.order() + 1);
  x[0][0] = x[0][0] + 1;  // parts with different means
  EXPECT_LE(batch_defect(laplacians, parts, x), 1e-12);
  const auto centred = [](const ComplexOperators&, const Cochains& y) {
    return each(y, [](const Tensor& t) { return t - t.mean(); });
  };
  EXPECT_GT(batch_defect(centred, parts, x), 0.1);
}

TEST_F(Defects, OneByOneSeesThatSignalsMeet) {
  const Cochains two_by_three = each(signals(), [](const Tensor& t) {
    return torch::stack({t, -t, 2 * t, t + 1, t.flip(0), t * t}).unflatten(0, {2, 3});
  });
  EXPECT_LE(one_by_one_defect(laplacians, operators_, two_by_three), 1e-12);
  const auto mixed = [](const ComplexOperators&, const Cochains& x) {
    return each(x, [](const Tensor& t) { return t.dim() > 2 ? t + t.mean(0, true) : 2 * t; });
  };
  EXPECT_GT(one_by_one_defect(mixed, operators_, two_by_three), 0.1);
}

TEST_F(Defects, AttentionRowsMustSumToOne) {
  const Neighborhood& neighborhood = operators_.neighborhood(1, Side::lower);
  const Tensor receivers = neighborhood.receivers().to(torch::kInt64);
  const Tensor ones = torch::ones({neighborhood.pairs(), 1}, torch::kFloat64);
  const Tensor counts = torch::zeros({operators_.count(1), 1}, torch::kFloat64).index_add(0, receivers, ones);
  AttentionWeights average;
  average.order = 1;
  average.receivers = receivers;
  average.weights = ones / counts.index_select(0, receivers);
  LayerOutput output;
  output.attention = {average};
  EXPECT_LE(attention_row_defect(output, operators_), 1e-12);
  output.attention[0].weights = average.weights / 2;
  EXPECT_NEAR(attention_row_defect(output, operators_), 0.5, 1e-12);
}

}  // namespace
}  // namespace gsan::laws
