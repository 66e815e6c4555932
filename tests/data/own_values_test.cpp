#include <cmath>

#include <gtest/gtest.h>

#include <torch/types.h>

#include "data/own_sample.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool same(const Tensor& a, const std::vector<double>& b) {
  return torch::allclose(a, torch::tensor(b, torch::kFloat64).view(a.sizes()), 0, 0, true);
}

ValueDataset read_values(const OwnSample& sample) {
  OwnFolder folder = sample.open();
  return read_own_values(folder);
}
ValueDataset read_classes(const OwnSample& sample) {
  OwnFolder folder = sample.open();
  return read_own_classes(folder);
}

TEST(OwnValues, MissingOnesAreNan) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("values_1.csv", "v0,v1,value\nd,c,1\nb,a,\na,c,nan\nc,b,4\n")
      .write("values_2.csv", "value\n5\nnan\n")
      .write("features_0.csv", "v0,x,y\nd,1,2\nc,3,4\nb,5,6\na,7,8\n");
  const ValueDataset dataset = read_values(sample);
  EXPECT_FALSE(dataset.values[0].defined());
  EXPECT_TRUE(same(dataset.values[1], {nan, nan, 4, nan, 1}));
  EXPECT_TRUE(same(dataset.values[2], {5, nan}));
  EXPECT_TRUE(same(dataset.features[0], {7, 8, 5, 6, 3, 4, 1, 2}));
  EXPECT_FALSE(dataset.features[1].defined());
  EXPECT_EQ(dataset.vertex_names, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(dataset.class_names.empty());
}

TEST(OwnValues, TargetsAreTablesOfTheirOwnAndMayBeMissingBesideAComplex) {
  OwnSample sample;
  sample.write("targets_1.csv", "v0,v1,value\nrome,paris,3\nparis,oslo,\n");
  const auto read = [&] {
    OwnFolder folder = sample.open();
    return read_own_targets(folder);
  };
  EXPECT_TRUE(same(read().values[1], {nan, 3}));
  sample.remove("targets_1.csv");
  expect_error(Fault::io, {"targets_K.csv"}, read);
  sample.write("complex.txt", two_triangles).write("values_1.csv", "v0,v1,value\nd,c,1\n");
  EXPECT_FALSE(read().values[1].defined());  // a value of the folder is no target
}

TEST(OwnValues, FlowsChangeTheirSignWithTheVertices) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("values_1.csv", "v0,v1,value\nd,c,1\nc,b,4\n")
      .write("dataset.yaml", "oriented: true\n");
  EXPECT_TRUE(same(read_values(sample).values[1], {nan, nan, -4, nan, -1}));
}

TEST(OwnValues, ATableOfEdgesIsEnough) {
  OwnSample sample;
  sample.write("values_1.csv", "v0,v1,value\nrome,paris,3\nparis,oslo,\n");
  const ValueDataset dataset = read_values(sample);
  EXPECT_EQ(dataset.complex.count(0), 3);
  EXPECT_EQ(dataset.vertex_names, (std::vector<std::string>{"oslo", "paris", "rome"}));
  EXPECT_TRUE(same(dataset.values[1], {nan, 3}));
}

TEST(OwnClasses, KeepTheirTextAndCarryOneWithoutFeatures) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("classes_0.csv", "v0,class\na,club\nc,team\nb,\n")
      .write("classes_2.csv", "class\nteam\n10\n");
  ValueDataset dataset = read_classes(sample);
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"10", "club", "team"}));
  EXPECT_TRUE(same(dataset.values[0], {1, nan, 2, nan}));
  EXPECT_TRUE(same(dataset.values[2], {2, 0}));
  for (int k = 0; k <= 2; ++k)
    EXPECT_TRUE(
        torch::equal(dataset.features[k], torch::ones({dataset.complex.count(k), 1}, torch::kFloat64)));
  sample.write("features_2.csv", "x\n1\n2\n");
  dataset = read_classes(sample);
  EXPECT_FALSE(dataset.features[0].defined());
  EXPECT_TRUE(same(dataset.features[2], {1, 2}));
}

TEST(OwnValues, ErrorsSayWhereAndWhatToDo) {
  OwnSample sample;
  expect_error(Fault::io, {sample.path(), "values_1.csv", "v0,v1,value"}, [&] { read_values(sample); });
  expect_error(Fault::io, {sample.path(), "classes_1.csv", "v0,v1,class"}, [&] { read_classes(sample); });
  sample.write("values_1.csv", "1\n2\n");
  expect_error(Fault::format, {"values_1.csv:1:1", "v0, v1"}, [&] { read_values(sample); });
  for (const char* nothing : {"", "\n\n"}) {
    sample.write("values_1.csv", nothing);
    expect_error(Fault::format, {"values_1.csv:1", "empty", "v0, v1"}, [&] { read_values(sample); });
  }
  sample.write("values_1.csv", "v0,v1,value\n").write("classes_0.csv", "v0,class\n");
  expect_error(Fault::format, {"values_1.csv:1", "no row", "complex.*"}, [&] { read_values(sample); });
  expect_error(Fault::format, {"classes_0.csv:1", "no row", "complex.*"}, [&] { read_classes(sample); });
  sample.remove("classes_0.csv");
  sample.write("values_1.csv", "1\n2\n").write("complex.txt", two_triangles);
  expect_error(Fault::format, {"values_1.csv", "2 rows", "3 simplices"}, [&] { read_values(sample); });
  sample.write("values_1.csv", "v0,v1,value\na,d,2\n");
  expect_error(Fault::format, {"values_1.csv", "(a d)", "not a simplex"}, [&] { read_values(sample); });
  sample.write("values_1.csv", "v0,v1,value\na,b,two\n");
  expect_error(Fault::format, {"values_1.csv:2:5", "'two'"}, [&] { read_values(sample); });
  sample.write("values_1.csv", "v0,v1,x,y\na,b,2,3\n");
  expect_error(Fault::format, {"values_1", "one column", "features_1.csv"}, [&] { read_values(sample); });
  sample.write("values_1.csv", "v0,v1,x\na,b,2\n").write("values_3.csv", "1\n");
  expect_error(Fault::format, {"values_3", "up to 2"}, [&] { read_values(sample); });
  sample.remove("values_3.csv");
  sample.write("values_one.csv", "1\n");
  expect_error(Fault::format, {"values_one.csv", "K = 'one'"}, [&] { read_values(sample); });
  sample.remove("values_one.csv");
  sample.write("features_0.csv", "v0,x\na,1\nb,2\nc,3\n");
  expect_error(Fault::format, {"features_0.csv", "(d)", "no value"}, [&] { read_values(sample); });
  sample.remove("features_0.csv");
  sample.write("classes_1.csv", "v0,class\na,1\n");
  expect_error(Fault::format, {"classes_1.csv:1:1", "v0 ... v1,class"}, [&] { read_classes(sample); });
}

}  // namespace
}  // namespace gsan
