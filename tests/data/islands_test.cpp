#include "gsan/data/sources/islands.h"

#include <cmath>

#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/data/open_data.h"
#include "gsan/hodge/harmonic_basis.h"
#include "gsan/topology/homology.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

IslandsSettings few(double noise, int holes = 2) {
  IslandsSettings settings;
  settings.signals = 24;
  settings.noise = noise;
  settings.holes = holes;
  settings.columns = 10 * holes;
  return settings;
}

// A closed form around an island: the angle that each edge turns around it, in turns.
Tensor angles(const SignalDataset& dataset, double x, double y) {
  const Tensor turns = torch::zeros({dataset.complex.count(1)}, torch::kFloat64);
  const auto at = dataset.points.accessor<double, 2>();
  for (Index e = 0; e < dataset.complex.count(1); ++e) {
    const auto ends = dataset.complex.vertices(1, e);
    const auto angle = [&](Vertex v) { return std::atan2(at[v][1] - y, at[v][0] - x); };
    turns[e] = std::remainder(angle(ends[1]) - angle(ends[0]), 2 * M_PI) / (2 * M_PI);
  }
  return turns;
}

TEST(Islands, EveryHoleIsAHoleAndEveryVertexHasAPlace) {
  for (const int holes : {2, 3}) {
    const SignalDataset dataset = islands_dataset(few(0.2, holes));
    EXPECT_EQ(betti_numbers(dataset.complex), (std::vector<Index>{1, holes, 0}));
    EXPECT_EQ(dataset.points.sizes(), (torch::IntArrayRef{dataset.complex.count(0), 2}));
    EXPECT_EQ(dataset.signals.sizes(), (torch::IntArrayRef{24, dataset.complex.count(1), 1}));
    EXPECT_EQ(dataset.labels.sum().item<int>(), 12);
    EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"same", "opposite"}));
  }
}

TEST(Islands, AWalkTurnsAroundBothIslandsAsItsClassSays) {
  const IslandsSettings settings = few(0);
  const SignalDataset dataset = islands_dataset(settings);
  const Tensor ends = ComplexOperators(dataset.complex).incidence(1).boundary(dataset.signals).squeeze(-1);
  const double height = 0.5 * (settings.rows - 1) * std::sqrt(3) / 2;
  const Tensor around[] = {angles(dataset, 0.25 * settings.columns, height),
                           angles(dataset, 0.75 * settings.columns, height)};
  for (int i = 0; i < settings.signals; ++i) {
    EXPECT_LE(ends[i].abs().sum().item<double>(), 2);  // one walk, or a closed one
    double turns[2];
    for (int island = 0; island < 2; ++island) {
      turns[island] = dataset.signals[i].squeeze(-1).dot(around[island]).item<double>();
      EXPECT_NEAR(std::abs(turns[island]), 1, 0.6);  // the way between the islands adds up to a half
    }
    EXPECT_EQ(turns[0] * turns[1] > 0, dataset.labels[i].item<int>() == 0) << i;
  }
}

TEST(Islands, TheNoiseHasNoHarmonicPart) {
  const SignalDataset clean = islands_dataset(few(0)), noisy = islands_dataset(few(0.7));
  const Tensor noise = noisy.signals - clean.signals;
  EXPECT_NEAR(noise.std().item<double>(), 0.7, 0.05);
  const Tensor basis = harmonic_basis(ComplexOperators(clean.complex), 1);
  EXPECT_LT(torch::matmul(basis.t(), noise).abs().max().item<double>(), 1e-6);
  EXPECT_GT(torch::matmul(basis.t(), clean.signals).abs().max().item<double>(), 1);
}

TEST(Islands, AWalkDependsOnItsNumberAndTheSeedAlone) {
  IslandsSettings settings = few(0.2);
  const SignalDataset all = islands_dataset(settings);
  settings.signals = 5;
  EXPECT_TRUE(islands_dataset(settings).signals.equal(all.signals.slice(0, 0, 5)));
  settings.seed = 1;
  EXPECT_FALSE(islands_dataset(settings).signals.equal(all.signals.slice(0, 0, 5)));
}

TEST(Islands, SettingsThatHaveNoRoomAreNamedTogether) {
  IslandsSettings settings;
  settings.rows = 3;
  settings.columns = 20;
  settings.holes = 4;
  settings.noise = -1;
  expect_error(Fault::argument, {"rows", "got 3", "columns", "per hole (4), got 20", "noise", "got -1"},
               [&] { islands_dataset(settings); });
}

TEST(Islands, ZeroSignalsAreAsManyAsTheProtocolHas) {
  DataSettings settings = data_settings("islands", "");
  settings.options.as<IslandsSettings>().signals = 0;
  EXPECT_EQ(open_signals(settings, 14).data.signals.size(0), 14);
}

}  // namespace
}  // namespace gsan
