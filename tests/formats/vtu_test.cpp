#include "gsan/data/formats/mesh/vtu.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gsan/topology/builder.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

// (0 1 2) filled.
SimplicialComplex triangle() { return from_maximal_simplices(std::vector<std::vector<Vertex>>{{0, 1, 2}}); }

// Names of the arrays of an element, in their order.
std::vector<std::string> names_in(const std::string& text, const std::string& element) {
  const std::size_t begin = text.find("<" + element + ">"), end = text.find("</" + element + ">");
  EXPECT_LT(begin, end) << element;
  std::vector<std::string> names;
  for (std::size_t at = text.find("Name=\"", begin); at < end; at = text.find("Name=\"", at)) {
    at += 6;
    names.push_back(text.substr(at, text.find('"', at) - at));
  }
  return names;
}

std::vector<std::string> cell_arrays(const std::vector<VtuSignal>& signals) {
  return names_in(print_vtu(triangle(), std::vector<double>(6), 2, signals), "CellData");
}

using Names = std::vector<std::string>;

TEST(Vtu, ANameThatIsUsedOnceIsKept) {
  EXPECT_EQ(cell_arrays({{"flow", 1, {1, 2, 3}}, {"a<b", 0, {1, 2, 3}}}), (Names{"order", "flow", "a&lt;b"}));
}

TEST(Vtu, SignalsOfOneNameAreToldApartByTheirOrders) {
  const std::vector<VtuSignal> signals{{"value", 0, {1, 2, 3}}, {"value", 1, {4, 5, 6}}};
  EXPECT_EQ(cell_arrays(signals), (Names{"order", "value (order 0)", "value (order 1)"}));
  EXPECT_EQ(names_in(print_vtu(triangle(), std::vector<double>(6), 2, signals), "PointData"),
            (Names{"value (order 0)"}));
}

TEST(Vtu, NoSignalTakesTheNameOfTheOrders) {
  EXPECT_EQ(cell_arrays({{"order", 2, {1}}}), (Names{"order", "order (order 2)"}));
}

TEST(Vtu, NamesStayUniqueWithinAnOrderAndBesideMadeOnes) {
  Names names =
      cell_arrays({{"x", 1, {1, 2, 3}}, {"x", 1, {1, 2, 3}}, {"x (order 1)", 1, {1, 2, 3}}, {"x", 2, {1}}});
  ASSERT_EQ(names.size(), 5u);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

TEST(Vtu, LengthsThatDoNotMatchAreNamed) {
  expect_error(Fault::argument, {"'flow' has 2 values", "3 simplices of order 1"}, [] {
    cell_arrays({{"flow", 1, {1, 2}}});
  });
}

}  // namespace
}  // namespace gsan
