#include <numeric>

#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/data/formats/arrays/npy.h"

#include "data/own_sample.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

// Rows of order 1: (a b) (a c) (b c) (b d) (c d); listed are (b a), (c b), (b d).
OwnSample& with_signals(OwnSample& sample) {
  return sample.write("complex.txt", two_triangles)
      .write("signals.csv", "1,2,3\n4,5,6\n")
      .write("labels.csv", "label\nright\nleft\n");
}

Tensor rows(const std::vector<double>& values, std::int64_t count) {
  return torch::tensor(values, torch::kFloat64).view({count, -1, 1});
}

SignalDataset read(const OwnSample& sample) {
  OwnFolder folder = sample.open();
  return read_own_signals(folder);
}

TEST(OwnSignals, FollowTheListedSimplicesWithTheirSigns) {
  OwnSample sample;
  const SignalDataset dataset = read(with_signals(sample));
  EXPECT_TRUE(torch::equal(dataset.signals, rows({-1, 0, -2, 3, 0, -4, 0, -5, 6, 0}, 2)));
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({1, 0}, torch::kInt64)));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(dataset.classes, 2);
  EXPECT_EQ(dataset.order, 1);
}

TEST(OwnSignals, DatasetYamlSaysNameOrderAndOrientation) {
  OwnSample sample;
  with_signals(sample).write("dataset.yaml", "name: tides\noriented: false\n");
  SignalDataset dataset = read(sample);
  EXPECT_EQ(dataset.name, "tides");
  EXPECT_TRUE(torch::equal(dataset.signals, rows({1, 0, 2, 3, 0, 4, 0, 5, 6, 0}, 2)));
  sample.write("dataset.yaml", "order: 2\n").write("signals.csv", "7 8\n9 10\n");
  dataset = read(sample);
  EXPECT_EQ(dataset.order, 2);
  EXPECT_TRUE(torch::equal(dataset.signals, rows({7, 8, 9, 10}, 2)));
  sample.write("dataset.yaml", "order: 0\n").write("signals.csv", "1,2,3,4\n");  // no vertex is listed: all
  sample.remove("labels.csv");
  EXPECT_TRUE(torch::equal(read(sample).signals, rows({1, 2, 3, 4}, 1)));
}

TEST(OwnSignals, NamesJoinTheLabels) {
  OwnSample sample;
  with_signals(sample).write("signals.csv", "name,ba,cb,bd\nx,1,2,3\ny,4,5,6\n");
  sample.write("labels.csv", "name,class\ny,10\nx,9\n");
  const SignalDataset dataset = read(sample);
  EXPECT_EQ(dataset.item_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"9", "10"}));  // by value, not by text
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({0, 1}, torch::kInt64)));
}

TEST(OwnSignals, NamesThatJoinNothingMayRepeat) {
  OwnSample sample;
  with_signals(sample).write("labels.csv", "name,label\ncar,1\ncar,2\n");  // row by row
  EXPECT_TRUE(torch::equal(read(sample).labels, torch::tensor({0, 1}, torch::kInt64)));
}

TEST(OwnSignals, AColumnPerSignalWithNamedSimplices) {
  OwnSample sample;
  with_signals(sample).write("signals.csv", "v0,v1,first,second\nd,c,1,2\na,c,3,4\n");
  const SignalDataset dataset = read(sample);
  EXPECT_TRUE(torch::equal(dataset.signals, rows({0, 3, 0, 0, -1, 0, 4, 0, 0, -2}, 2)));
  EXPECT_EQ(dataset.item_names, (std::vector<std::string>{"first", "second"}));
}

TEST(OwnSignals, ArraysHaveFeaturesInTheThirdDimension) {
  OwnSample sample;
  with_signals(sample);
  sample.remove("signals.csv");
  Signal flat = missing_signal(2, 6);
  std::iota(flat.values.begin(), flat.values.end(), 1);
  std::string bytes = print_npy(flat);
  const std::size_t at = bytes.find("(2, 6), }   ");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 12, "(2, 3, 2), }");
  sample.write("signals.npy", bytes);
  const Tensor signals = read(sample).signals;
  ASSERT_EQ(signals.sizes(), (torch::IntArrayRef{2, 5, 2}));
  EXPECT_TRUE(torch::equal(
      signals[1],
      torch::tensor({-7., -8., 0., 0., -9., -10., 11., 12., 0., 0.}, torch::kFloat64).view({5, 2})));
}

TEST(OwnSignals, PathsAreFlows) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles).write("paths.csv", "a,c,d,\nd,b,c,d\n");
  const SignalDataset dataset = read(sample);
  EXPECT_TRUE(torch::equal(dataset.signals, rows({0, 1, 0, 0, 1, 0, 0, 1, -1, 1}, 2)));
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({-1, -1}, torch::kInt64)));
  EXPECT_EQ(dataset.classes, 0);
}

TEST(OwnSignals, ErrorsSayWhereAndWhatToDo) {
  OwnSample sample;
  expect_error(Fault::io, {sample.path(), "signals.csv", "own-data.md"}, [&] { read(sample); });
  sample.write("signals.csv", "1\n");
  expect_error(Fault::io, {"complex.txt"}, [&] { read(sample); });
  with_signals(sample).write("signals.csv", "1,2,3\n4,x,6\n");
  expect_error(Fault::format, {"signals.csv:2:3", "'x'"}, [&] { read(sample); });
  sample.write("signals.csv", "1,2\n");
  expect_error(Fault::format, {"signals.csv", "2 values", "3 simplices of order 1"}, [&] { read(sample); });
  with_signals(sample).write("labels.csv", "left\n");
  expect_error(Fault::format, {"labels.csv", "1 labels", "2 signals"}, [&] { read(sample); });
  with_signals(sample).write("signals.csv", "name,1,2,3\nx,1,2,3\n").write("labels.csv", "x,1\nz,2\n");
  expect_error(Fault::format, {"labels.csv:2", "'z'"}, [&] { read(sample); });
  sample.write("labels.csv", "name,label\nx,1\nx,2\n");
  expect_error(Fault::format, {"labels.csv:3", "'x'", "line 2"}, [&] { read(sample); });
  sample.write("signals.csv", "name,1,2,3\nx,1,2,3\ny,1,2,3\nx,4,5,6\n").write("labels.csv", "x,1\ny,2\n");
  expect_error(Fault::format, {"signals.csv:4", "'x'", "line 2"}, [&] { read(sample); });
  sample.write("signals.csv", "v0,v1,x,x\na,b,1,2\n");
  expect_error(Fault::format, {"signals.csv:1", "'x'"}, [&] { read(sample); });
  with_signals(sample).write("paths.csv", "a,b\n");
  expect_error(Fault::format, {"both signals.csv and paths.csv"}, [&] { read(sample); });
  sample.remove("signals.csv");
  sample.write("paths.csv", "a,b\na,d\n");
  expect_error(Fault::format, {"paths.csv:2:3", "from 'a' to 'd'", "no edge"}, [&] { read(sample); });
  sample.write("paths.csv", "a,q\n");
  expect_error(Fault::format, {"paths.csv:1:3", "no vertex 'q'"}, [&] { read(sample); });
  sample.write("complex.off", "OFF\n0 0 0\n");
  expect_error(Fault::format, {"both complex.off and complex.txt"}, [&] { read(sample); });
  sample.remove("complex.off");
  sample.write("dataset.yaml", "order: 3\n");
  expect_error(Fault::format, {"order 3", "up to 2", "dataset.yaml"}, [&] { read(sample); });
  sample.write("dataset.yaml", "orientated: true\n");
  expect_error(Fault::argument, {"dataset.yaml:1", "did you mean 'oriented'"}, [&] { read(sample); });
  expect_error(Fault::io, {"/nowhere"}, [] { OwnFolder("/nowhere"); });
}

TEST(OwnSignals, AnArrayWithoutValuesIsRefused) {
  OwnSample sample;
  with_signals(sample);
  sample.remove("signals.csv");
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 0), }\n";
  sample.write("signals.npy",
               std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header);
  expect_error(Fault::format, {"signals.npy", "[2, 3, 0]", "without a value"}, [&] { read(sample); });
}

}  // namespace
}  // namespace gsan
