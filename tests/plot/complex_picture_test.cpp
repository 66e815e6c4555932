#include "gsan/plot/complex_picture.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/plot/layout.h"
#include "gsan/plot/panels.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/hex_grid.h"

#include "plot/elements.h"

namespace gsan {
namespace {

using test::attribute_of;
using test::elements_of_class;
using test::error_of;
using test::holds;
using test::number_of;

const double nan = std::nan("");

// (0 1 2) filled, an edge (2 3).
SimplicialComplex kite() {
  return from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1, 2}, {2, 3}});
}
VertexPlaces kite_places() { return {{0, 0, 1, 0, 0.5, 1, 2, 1}, {}}; }

TEST(ComplexPicture, EverySimplexIsAnElementWithItsLabelsAndValue) {
  const ComplexPicture picture = complex_picture(kite(), kite_places(),
                                                 {.title = "Kite",
                                                  .labels = {"a", "b", "c", "d"},
                                                  .signals = {{1, 2, 3, 4}, {0.5, -1.0 / 3, 2, 0}, {7}}});
  EXPECT_TRUE(test::is_balanced(picture.svg));
  EXPECT_TRUE(picture.remarks.empty());
  EXPECT_EQ(elements_of_class(picture.svg, "vertex").size(), 4u);
  const auto edges = elements_of_class(picture.svg, "edge");
  ASSERT_EQ(edges.size(), 4u);
  EXPECT_EQ(attribute_of(edges[1], "data-simplex"), "a c");
  EXPECT_EQ(number_of(edges[1], "data-value"), -1.0 / 3);
  const auto triangles = elements_of_class(picture.svg, "triangle");
  ASSERT_EQ(triangles.size(), 1u);
  EXPECT_EQ(attribute_of(triangles[0], "data-simplex"), "a b c");
  EXPECT_EQ(elements_of_class(picture.svg, "color-bar").size(), 3u);
  EXPECT_EQ(elements_of_class(picture.svg, "label").size(), 4u);
  EXPECT_TRUE(holds(picture.svg, "<title>a c: -0.33333</title>"));
}

TEST(ComplexPicture, ASketchIsOneShapeBelowTheValuesThatAreNot0) {
  const ComplexPicture picture =
      complex_picture(kite(), kite_places(), {.signals = {{}, {0.5, -1.0 / 3, 2, 0}, {}}, .is_sketch = true});
  EXPECT_TRUE(test::is_balanced(picture.svg));
  EXPECT_EQ(elements_of_class(picture.svg, "edge").size(), 3u);
  EXPECT_EQ(elements_of_class(picture.svg, "sketch").size(), 1u);  // the triangle
  EXPECT_EQ(elements_of_class(picture.svg, "mesh").size(), 1u);    // the edge that is in none
  EXPECT_TRUE(elements_of_class(picture.svg, "vertex").empty());
  EXPECT_TRUE(picture.remarks.empty());
}

TEST(ComplexPicture, AnArrowTurnsAroundWithItsSign) {
  // The edge (0 1) runs to the right on paper; the tip is the first corner of its arrow head.
  const auto tip_is_right = [](double value) {
    const std::string svg =
        complex_picture(kite(), kite_places(), {.signals = {{}, {value, 1, -1, 1}, {}}}).svg;
    const std::string path = attribute_of(elements_of_class(svg, "edge")[0], "d");
    const std::size_t second = path.find('M', 1);
    EXPECT_NE(second, std::string::npos) << path;
    const double tip = std::stod(path.substr(second + 1)),
                 base = std::stod(path.substr(path.find('L', second) + 1));
    return tip > base;
  };
  EXPECT_TRUE(tip_is_right(1));
  EXPECT_FALSE(tip_is_right(-1));
  const auto zero = complex_picture(kite(), kite_places(), {.signals = {{}, {0, 1, -1, 1}, {}}}).svg;
  EXPECT_EQ(attribute_of(elements_of_class(zero, "edge")[0], "d").find('Z'), std::string::npos)
      << "no direction";
  const auto plain =
      complex_picture(kite(), kite_places(), {.signals = {{}, {1, 1, 1, 1}, {}}, .is_oriented = false}).svg;
  EXPECT_EQ(attribute_of(elements_of_class(plain, "edge")[0], "d").find('Z'), std::string::npos);
}

TEST(ComplexPicture, AFlowWithoutNegativeValuesKeepsAllArrows) {
  for (const bool is_sketch : {false, true}) {
    const std::string svg =
        complex_picture(kite(), kite_places(), {.signals = {{}, {5, 6, 7, 8}, {}}, .is_sketch = is_sketch})
            .svg;
    const auto edges = elements_of_class(svg, "edge");
    ASSERT_EQ(edges.size(), 4u);
    for (const std::string& edge : edges) EXPECT_TRUE(holds(attribute_of(edge, "d"), "Z")) << edge;
    const double narrow = number_of(edges[0], "stroke-width"), wide = number_of(edges[3], "stroke-width");
    EXPECT_NEAR(narrow / wide, 0.3 + 0.7 * 5 / 8, 0.01) << "widths follow the values, not their places";
  }
  const std::string vertices =
      complex_picture(kite(), kite_places(), {.signals = {{5, 6, 7, 8}, {}, {}}, .is_sketch = true}).svg;
  EXPECT_EQ(elements_of_class(vertices, "vertex").size(), 4u);
}

TEST(ComplexPicture, SignedValuesDivergeAndOthersAreSequential) {
  const std::string diverging =
      complex_picture(kite(), kite_places(), {.signals = {{-2, 0, 1, 2}, {}, {}}}).svg;
  const auto signs = elements_of_class(diverging, "vertex");
  EXPECT_EQ(attribute_of(signs[0], "class"), "vertex negative");
  EXPECT_EQ(attribute_of(signs[1], "class"), "vertex zero");
  EXPECT_EQ(number_of(signs[2], "fill-opacity"), 0.5);
  const std::string sequential =
      complex_picture(kite(), kite_places(), {.signals = {{0, 1, 1, 2}, {}, {}}}).svg;
  EXPECT_EQ(attribute_of(elements_of_class(sequential, "vertex")[3], "color"), "#fde725");
  const auto bar = elements_of_class(diverging, "color-bar");
  EXPECT_EQ(number_of(bar[0], "data-low"), -2);
  EXPECT_EQ(number_of(bar[0], "data-high"), 2);
}

TEST(ComplexPicture, EqualMissingAndInfiniteValuesAreDrawn) {
  for (const std::vector<double>& values : {std::vector<double>{3, 3, 3, 3},
                                            {0, 0, 0, 0},
                                            {nan, nan, nan, nan},
                                            {1, nan, -1, INFINITY},
                                            {1e308, -1e308, 0, 1}}) {
    const std::string svg = complex_picture(kite(), kite_places(), {.signals = {values, values, {}}}).svg;
    EXPECT_EQ(elements_of_class(svg, "edge").size(), 4u);
    for (const std::string& edge : elements_of_class(svg, "edge"))
      for (const char* name : {"d", "opacity", "stroke-width"})
        EXPECT_FALSE(holds(attribute_of(edge, name), "nan") || holds(attribute_of(edge, name), "inf"))
            << edge;
  }
  const std::string svg = complex_picture(kite(), kite_places(), {.signals = {{}, {1, nan, 2, 3}, {}}}).svg;
  EXPECT_EQ(elements_of_class(svg, "missing").size(), 1u);
  EXPECT_TRUE(holds(svg, "<title>0 2: no value</title>"));
}

TEST(ComplexPicture, LabelsAreText) {
  const ComplexPicture picture = complex_picture(
      kite(), kite_places(),
      {.labels = {"<script>alert(1)</script>", "\"quoted\"", "\xff\xfe", std::string(100000, 'x')}});
  EXPECT_TRUE(test::is_balanced(picture.svg));
  EXPECT_FALSE(holds(picture.svg, "<script"));
  EXPECT_TRUE(holds(picture.svg, "&lt;script&gt;"));
  EXPECT_TRUE(holds(picture.svg, "&quot;quoted&quot;"));
  EXPECT_LT(picture.svg.size(), 20000u);
}

TEST(ComplexPicture, OneVertexAndVerticesInOnePlace) {
  const SimplicialComplex point = from_maximal_simplices(std::vector<std::vector<Vertex>>{{0}});
  const std::string svg = complex_picture(point, {vertex_layout(point), {}}, {.signals = {{5}}}).svg;
  ASSERT_EQ(elements_of_class(svg, "vertex").size(), 1u);
  EXPECT_NEAR(number_of(elements_of_class(svg, "vertex")[0], "cx"), 320, 1);
  const std::string heap = complex_picture(kite(), {std::vector<double>(8, 1.0), {}}, {}).svg;
  EXPECT_EQ(elements_of_class(heap, "edge").size(), 4u);
  EXPECT_FALSE(holds(attribute_of(elements_of_class(heap, "edge")[0], "d"), "nan"));
}

TEST(ComplexPicture, VerticesWithoutCoordinatesAreLeftOutWithASentence) {
  const ComplexPicture picture = complex_picture(kite(), {{0, 0, 1, 0, 0.5, 1, nan, 1}, {}}, {});
  EXPECT_EQ(elements_of_class(picture.svg, "vertex").size(), 3u);
  EXPECT_EQ(elements_of_class(picture.svg, "edge").size(), 3u);
  ASSERT_EQ(picture.remarks.size(), 1u);
  EXPECT_TRUE(holds(picture.svg, "1 of 4 vertices have no finite coordinates and are left out"));
}

TEST(ComplexPicture, WrongInputIsNamed) {
  EXPECT_TRUE(holds(error_of([] { complex_picture(SimplicialComplex(), {}, {}); }), "the complex is empty"));
  EXPECT_TRUE(holds(error_of([] { complex_picture(kite(), {{0, 0}, {}}, {}); }), "1 places for 4 vertices"));
  EXPECT_TRUE(holds(error_of([] {
                      complex_picture(kite(), {std::vector<double>(8, nan), {}}, {});
                    }),
                    "none of the 4 vertices has finite coordinates"));
  EXPECT_TRUE(holds(error_of([] {
                      complex_picture(kite(), kite_places(), {.signals = {{}, {1, 2}, {}}});
                    }),
                    "the signal on edges has 2 values, the complex has 4"));
}

TEST(ComplexPicture, AMillionEdgesAreSampledBelowTenMegabytes) {
  const EmbeddedComplex grid = hex_grid(578, 578);
  const auto edges = static_cast<std::size_t>(grid.complex.count(1));
  ASSERT_GT(edges, 990000u);
  std::vector<double> flow(edges);
  for (std::size_t e = 0; e < edges; ++e)
    flow[e] = static_cast<double>(e % 1000) - 500.25 + 1e-9 * static_cast<double>(e);
  const ComplexPicture picture =
      complex_picture(grid.complex, project_points(grid.points, 2), {.signals = {{}, flow, {}}});
  EXPECT_LT(picture.svg.size(), 10'000'000u);
  const auto drawn = elements_of_class(picture.svg, "edge");
  EXPECT_EQ(drawn.size(), 20000u);
  for (const std::string& edge : drawn) ASSERT_GT(std::abs(number_of(edge, "data-value")), 480);
  EXPECT_TRUE(holds(picture.svg, "shows 20000 of " + std::to_string(edges) + " edges"));
  ASSERT_EQ(picture.remarks.size(), 3u);
  const ComplexPicture three =
      complex_picture(grid.complex, project_points(grid.points, 2),
                      {.labels = std::vector<std::string>(grid.complex.count(0), std::string(50, '"')),
                       .signals = {std::vector<double>(grid.complex.count(0), 1. / 3), flow,
                                   std::vector<double>(grid.complex.count(2), -1. / 3)}});
  EXPECT_LT(three.svg.size(), 10'000'000u) << "signals on all orders, labels that grow when they are escaped";
  const ComplexPicture sketch =
      complex_picture(grid.complex, project_points(grid.points, 2),
                      {.signals = {{}, flow, {}}, .is_sketch = true, .max_elements = 1'000'000});
  EXPECT_LT(sketch.svg.size(), 10'000'000u);
  EXPECT_TRUE(holds(sketch.svg, "the shape below the signal shows 50000 of " +
                                    std::to_string(grid.complex.count(2)) + " triangles, evenly spaced"));
}

TEST(ComplexPicture, ASketchHasAtMostMaxElements) {
  const EmbeddedComplex grid = hex_grid(20, 20);
  const auto sketch = [&](std::size_t most) {
    return complex_picture(grid.complex, project_points(grid.points, 2),
                           {.signals = {std::vector<double>(grid.complex.count(0), 1)},
                            .is_sketch = true,
                            .max_elements = most});
  };
  const auto shapes = [](const ComplexPicture& picture, const char* name) {
    const std::string path = attribute_of(elements_of_class(picture.svg, name).at(0), "d");
    return std::count(path.begin(), path.end(), 'M');
  };
  EXPECT_EQ(shapes(sketch(100), "sketch"), 100);
  EXPECT_EQ(shapes(sketch(100), "mesh"), 100);
  EXPECT_EQ(sketch(100).remarks.size(), 3u) << "triangles, other edges, values";
  EXPECT_EQ(shapes(sketch(20000), "sketch"), grid.complex.count(2));
  EXPECT_TRUE(sketch(20000).remarks.empty());
}

TEST(ComplexPicture, ARemarkSaysWhichElementsTheBytesLeave) {
  const EmbeddedComplex grid = hex_grid(160, 160);
  std::vector<double> flow(static_cast<std::size_t>(grid.complex.count(1)));
  for (std::size_t e = 0; e < flow.size(); ++e) flow[e] = 1 + 1e-7 * static_cast<double>(e);
  const ComplexPicture picture = complex_picture(grid.complex, project_points(grid.points, 2),
                                                 {.signals = {{}, flow, {}}, .max_elements = 70'000});
  EXPECT_LT(picture.svg.size(), 10'000'000u);
  const auto edges = elements_of_class(picture.svg, "edge");
  ASSERT_LT(edges.size(), 70'000u);
  EXPECT_TRUE(holds(picture.svg, "shows " + std::to_string(edges.size()) + " of " +
                                     std::to_string(flow.size()) +
                                     " edges, the first of the 70000 of the largest absolute value, since a "
                                     "picture has at most 10 MB"));
}

TEST(ComplexPicture, LabelsStayOnThePaper) {
  ComplexPictureOptions options{.width = 200, .labels = {"a", "b", "c", "a long name"}};
  const ComplexPicture picture = complex_picture(kite(), kite_places(), options);
  const auto labels = elements_of_class(picture.svg, "label");
  ASSERT_EQ(labels.size(), 4u);
  EXPECT_TRUE(holds(labels[3], "end")) << labels[3];  // at the right border: it ends there
  EXPECT_FALSE(holds(labels[0], "end")) << labels[0];
}

TEST(ComplexPicture, AMarkedSimplexHasAHalo) {
  ComplexPictureOptions options;
  options.marked = {1, 0};
  const auto marks = elements_of_class(complex_picture(kite(), kite_places(), options).svg, "marked");
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(attribute_of(marks[0], "data-simplex"), "0 1");
}

}  // namespace
}  // namespace gsan
