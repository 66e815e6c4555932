// The charts: what they draw is the data, and odd data give a picture or a named error.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/plot/bar_chart.h"
#include "gsan/plot/histogram.h"
#include "gsan/plot/line_chart.h"
#include "gsan/plot/matrix_chart.h"
#include "gsan/plot/panels.h"

#include "plot/elements.h"

namespace gsan {
namespace {

using test::attribute_of;
using test::elements_of_class;
using test::error_of;
using test::holds;
using test::number_of;

const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();

TEST(LineChart, CountsHaveNoTicksBetweenWholeNumbers) {
  const std::array curves{Curve{"loss", {1, 2, 3}, {0.5, 0.4, 0.1}}};
  EXPECT_TRUE(holds(line_chart(curves, {}), ">1.5<"));
  EXPECT_FALSE(holds(line_chart(curves, {.whole_x = true}), ">1.5<"));
}

TEST(LineChart, PointsCarryTheData) {
  const std::array curves{Curve{"loss <1>", {1, 2, 3}, {0.5, 1.0 / 3, 0.1}},
                          Curve{"b", {1, 3}, {-1, 2}, true, true}};
  const std::string svg = line_chart(curves, {.title = "T", .x_label = "epoch", .y_label = "loss"});
  EXPECT_TRUE(test::is_balanced(svg));
  const auto groups = elements_of_class(svg, "curve");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(attribute_of(groups[0], "data-name"), "loss &lt;1&gt;");
  const auto points = elements_of_class(svg, "point");
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(number_of(points[1], "data-y"), 1.0 / 3);
  EXPECT_LT(number_of(points[0], "cx"), number_of(points[1], "cx"));
  EXPECT_LT(number_of(points[0], "cy"), number_of(points[1], "cy")) << "larger values are higher up";
  EXPECT_EQ(elements_of_class(svg, "legend").size(), 2u);
}

TEST(LineChart, ValuesWithoutAPlaceInterruptTheLine) {
  const std::array curves{Curve{"a", {1, 2, 3, 4, 5}, {1, nan, 2, infinity, 3}}};
  EXPECT_EQ(elements_of_class(line_chart(curves, {}), "point").size(), 3u);
  const std::array none{Curve{"a", {1, nan}, {nan, 2}}};
  EXPECT_TRUE(holds(line_chart(none, {}), "no finite values"));
  const std::array negative{Curve{"a", {1, 2, 3}, {0.01, 0, 100}}};
  EXPECT_EQ(elements_of_class(line_chart(negative, {.log_y = true}), "point").size(), 2u);
}

TEST(LineChart, EqualTinyAndHugeValuesHavePlaces) {
  for (const double value : {0.0, -3.0, 1e-300, 1e300, 1e308}) {
    const std::array curves{Curve{"a", {0, 1}, {value, value}}, Curve{"b", {0}, {-value}}};
    const std::string svg = line_chart(curves, {});
    EXPECT_FALSE(holds(svg, "nan") || holds(svg, "inf")) << value << svg;
  }
}

TEST(LineChart, LongCurvesAreThinnedAndSaySo) {
  Curve curve{"long", {}, {}};
  for (int i = 0; i < 100000; ++i) curve.x.push_back(i), curve.y.push_back(std::sin(i * 0.001));
  const std::string svg = line_chart(std::array{curve}, {});
  const auto points = elements_of_class(svg, "point");
  EXPECT_LE(points.size(), 200u);
  EXPECT_EQ(number_of(points.back(), "data-x"), 99999);
  EXPECT_TRUE(holds(svg, "shows about 1000 of 100000 points"));
}

TEST(LineChart, ThinnedCurvesKeepTheirEndsAndExtremesInFewBytes) {
  Curve curve{"validation.loss of a run with a long name", {}, {}};
  for (int i = 0; i < 4000; ++i) curve.x.push_back(i + 1), curve.y.push_back(std::sin(i * 0.37) / 3);
  curve.y[1234] = 7.5, curve.y[2345] = -7.5;
  const std::string svg = line_chart(std::array{curve}, {});
  EXPECT_LT(svg.size(), 60'000u);
  std::vector<double> kept;
  for (const std::string& point : elements_of_class(svg, "point")) kept.push_back(number_of(point, "data-x"));
  EXPECT_GT(kept.size(), 190u);
  EXPECT_LE(kept.size(), 200u);
  for (const double x : {1, 4000, 1235, 2346})
    EXPECT_NE(std::find(kept.begin(), kept.end(), x), kept.end()) << x;
  EXPECT_TRUE(holds(svg, ": 1235, 7.5</title>")) << "a tooltip without script";
}

TEST(LineChart, DotsBeyondTheMarkersAreStillSeen) {
  Curve curve{"eigenvalues", {}, {}, false, true, false};
  for (int i = 0; i < 500; ++i) curve.x.push_back(i), curve.y.push_back(i);
  const auto dots = elements_of_class(line_chart(std::array{curve}, {}), "dots");
  ASSERT_EQ(dots.size(), 1u);
  const std::string path = attribute_of(dots[0], "d");
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 500);
}

TEST(LineChart, ALegendTakesNothingFromTheData) {
  // How high the picture is, and how much of it lies between the smallest and the largest value.
  const auto heights = [](std::size_t count) {
    std::vector<Curve> curves;
    for (std::size_t c = 0; c < count; ++c)
      curves.push_back({concat("a run with a rather long name, number ", c), {0, 1}, {0, 1}});
    const std::string svg = line_chart(curves, {.title = "loss", .width = 440, .height = 300});
    const auto points = elements_of_class(svg, "point");
    return std::pair(picture_size(svg).height, number_of(points[0], "cy") - number_of(points[1], "cy"));
  };
  EXPECT_EQ(heights(1).first, 300);
  EXPECT_EQ(heights(12).first, 300 + 12 * 18);
  EXPECT_NEAR(heights(12).second, heights(1).second, 0.02);
}

TEST(LineChart, WrongInputIsNamed) {
  EXPECT_TRUE(holds(error_of([] { line_chart({}, {}); }), "no curves"));
  EXPECT_TRUE(holds(error_of([] {
                      line_chart(std::array{Curve{"a", {1}, {}}}, {});
                    }),
                    "'a' has 1 values of x and 0"));
  EXPECT_TRUE(holds(error_of([] { line_chart(std::array{Curve{"a", {}, {}}}, {}); }), "'a' has no points"));
  EXPECT_TRUE(holds(error_of([] { line_chart(std::array{Curve{"a", {1}, {1}}}, {.width = 1}); }), "width"));
}

TEST(Histogram, CountsAreThoseOfTheValues) {
  const std::array values{0.0, 0.1, 0.9, 1.0, 2.0, nan, infinity};
  const std::string svg = histogram(values, 2, {});
  const auto bins = elements_of_class(svg, "bin");
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_EQ(attribute_of(bins[0], "data-count"), "3");
  EXPECT_EQ(attribute_of(bins[1], "data-count"), "2");
  EXPECT_EQ(attribute_of(bins[0], "data-high"), "1");
  EXPECT_TRUE(holds(svg, "2 of 7 values cannot be shown on this axis"));
}

TEST(Histogram, EqualValuesAreOneBarAndNoFiniteOnesNone) {
  const auto bins = elements_of_class(histogram(std::array{5.0, 5.0, 5.0}, 20, {}), "bin");
  ASSERT_EQ(bins.size(), 1u);
  EXPECT_EQ(attribute_of(bins[0], "data-count"), "3");
  const auto none = elements_of_class(histogram(std::array{nan, nan}, 20, {}), "bin");
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(attribute_of(none[0], "data-count"), "0");
  EXPECT_TRUE(holds(error_of([] { histogram({}, 5, {}); }), "no values"));
  EXPECT_TRUE(holds(error_of([] { histogram(std::array{1.0}, 0, {}); }), "bins must be 1 to 1000, got 0"));
}

TEST(MatrixChart, EveryCellNamesItsRowColumnAndValue) {
  const std::array<std::string, 2> rows{"cat", "<dog>"};
  const std::array<std::string, 3> columns{"a", "b", "c"};
  const std::string svg =
      matrix_chart(rows, columns, std::array{1.0, 2.0, 3.0, 4.0, nan, 0.25}, {.title = "M"});
  EXPECT_TRUE(test::is_balanced(svg));
  const auto cells = elements_of_class(svg, "cell");
  ASSERT_EQ(cells.size(), 6u);
  EXPECT_EQ(attribute_of(cells[5], "data-row"), "&lt;dog&gt;");
  EXPECT_EQ(attribute_of(cells[5], "data-column"), "c");
  EXPECT_EQ(number_of(cells[5], "data-value"), 0.25);
  EXPECT_EQ(attribute_of(cells[4], "data-value"), "nan");
  EXPECT_TRUE(holds(svg, "&lt;dog&gt;, b: no value"));
  EXPECT_TRUE(
      holds(error_of([&] { matrix_chart(rows, columns, std::array{1.0}, {}); }), "need 6 values, got 1"));
  EXPECT_TRUE(holds(error_of([&] { matrix_chart({}, columns, {}, {}); }), "at least one"));
}

TEST(BarChart, BarsStartAtZero) {
  const std::array bars{Bar{"gsan", 0.98, 0.01}, Bar{"rule", -0.5, 0, 1}, Bar{"broken", nan}};
  const std::string svg = bar_chart(bars, {.title = "Accuracy"});
  EXPECT_TRUE(test::is_balanced(svg));
  const auto drawn = elements_of_class(svg, "bar");
  ASSERT_EQ(drawn.size(), 3u);
  EXPECT_EQ(number_of(drawn[0], "data-value"), 0.98);
  EXPECT_NEAR(number_of(drawn[0], "x"), number_of(drawn[1], "x") + number_of(drawn[1], "width"), 0.02);
  EXPECT_TRUE(holds(svg, "0.98 ± 0.01"));
  EXPECT_TRUE(holds(svg, "broken: no value"));
  EXPECT_TRUE(holds(error_of([] { bar_chart({}, {}); }), "no bars"));
}

}  // namespace
}  // namespace gsan
