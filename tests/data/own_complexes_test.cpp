#include <gtest/gtest.h>

#include <torch/types.h>

#include "data/own_sample.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

ComplexDataset read_complexes(const OwnSample& sample) {
  OwnFolder folder = sample.open();
  return read_own_complexes(folder);
}
CandidateDataset read_candidates(const OwnSample& sample, int order = 2) {
  OwnFolder folder = sample.open();
  return read_own_candidates(folder, order);
}

OwnSample& with_complexes(OwnSample& sample) {
  return sample.write("ring/complex.txt", "1 2\n2 3\n1 3\n")
      .write("disc/complex.txt", "1 2 3\n")
      .write("labels.csv", "name,label\nring,hole\ndisc,full\n");
}

TEST(OwnComplexes, OrdersWithoutFeaturesAreOneOrTheMeanOfFaces) {
  OwnSample sample;
  ComplexDataset dataset = read_complexes(with_complexes(sample));
  EXPECT_EQ(dataset.item_names, (std::vector<std::string>{"disc", "ring"}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"full", "hole"}));
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({0, 1}, torch::kInt64)));
  EXPECT_EQ(dataset.widths, (std::vector<int>{1, 1, 1}));
  EXPECT_TRUE(torch::equal(dataset.features[0][2], torch::ones({1, 1})));
  EXPECT_EQ(dataset.features[1][2].sizes(), (torch::IntArrayRef{0, 1}));
  sample.write("ring/features_0.csv", "1,2\n3,4\n5,6\n")
      .write("disc/features_0.csv", "v0,x,y\n3,9,9\n1,3,0\n2,0,3\n");
  dataset = read_complexes(sample);
  EXPECT_EQ(dataset.widths, (std::vector<int>{2, 2, 2}));
  EXPECT_TRUE(torch::equal(dataset.features[0][1],
                           torch::tensor({1.5, 1.5, 6., 4.5, 4.5, 6.}).view({3, 2}).to(torch::kFloat32)));
  EXPECT_TRUE(torch::equal(dataset.features[0][2], torch::tensor({4.f, 4.f}).view({1, 2})));
}

TEST(OwnComplexes, WithoutLabelsAllAreUnknown) {
  OwnSample sample;
  with_complexes(sample).remove("labels.csv");
  EXPECT_TRUE(torch::equal(read_complexes(sample).labels, torch::tensor({-1, -1}, torch::kInt64)));
}

TEST(OwnComplexes, ErrorsSayWhereAndWhatToDo) {
  OwnSample sample;
  expect_error(Fault::io, {sample.path(), "sub-folder", "NAME_A.txt"}, [&] { read_complexes(sample); });
  with_complexes(sample).write("labels.csv", "ring,1\ndisk,2\n");
  expect_error(Fault::format, {"labels.csv:2", "'disk'"}, [&] { read_complexes(sample); });
  sample.write("labels.csv", "label\n1\n2\n");
  expect_error(Fault::format, {"labels.csv:2", "name,label"}, [&] { read_complexes(sample); });
  sample.write("labels.csv", "name,label\nring,hole\ndisc,full\nring,full\n");
  expect_error(Fault::format, {"labels.csv:4", "'ring'", "line 2"}, [&] { read_complexes(sample); });
  with_complexes(sample).write("ring/features_1.csv", "1\n2\n3\n");
  expect_error(Fault::format, {"disc", "no features_1.csv", "ring"}, [&] { read_complexes(sample); });
  sample.write("disc/features_1.csv", "v0,v1,x,y\n1,2,1,1\n2,3,1,1\n1,3,1,1\n");
  expect_error(Fault::format, {"ring", "1 features", "disc", "2"}, [&] { read_complexes(sample); });
  sample.write("empty/notes.txt", "");
  expect_error(Fault::io, {"empty", "complex.txt"}, [&] { read_complexes(sample); });
}

TEST(OwnCandidates, AreKeptApartFromTheComplex) {
  OwnSample sample;
  sample.write("complex.txt", "a b c\na d\nb d\nc d\n")
      .write("candidates.csv", "v0,v1,v2,label\nd,b,a,1\na,c,d,0\nb,c,d,\n")
      .write("features_1.csv", "v0,v1,x\na,b,1\na,c,2\nb,c,3\na,d,4\nb,d,5\nc,d,6\n");
  const CandidateDataset dataset = read_candidates(sample);
  EXPECT_EQ(dataset.complex.count(2), 4);  // (a b c) (a b d) (a c d) (b c d)
  EXPECT_EQ(dataset.is_candidate, (std::vector<bool>{false, true, true, true}));
  EXPECT_TRUE(torch::equal(dataset.labels, torch::tensor({-1, 1, 0, -1}, torch::kInt64)));
  ASSERT_EQ(dataset.features.size(), 2u);
  EXPECT_FALSE(dataset.features[0].defined());
  EXPECT_TRUE(
      torch::equal(dataset.features[1].squeeze(1), torch::tensor({1., 2., 4., 3., 5., 6.}, torch::kFloat64)));
}

TEST(OwnCandidates, ErrorsSayWhereAndWhatToDo) {
  OwnSample sample;
  expect_error(Fault::io, {"candidates.csv", "v0 ... v2,label"}, [&] { read_candidates(sample); });
  sample.write("complex.txt", "a b c\na d\nb d\n")
      .write("candidates.csv", "v0,v1,v2,label\na,b,d,1\nb,c,d,1\n");
  expect_error(Fault::format, {"candidates.csv:3", "no simplex (c d)", "(b c d)", "proper face"},
               [&] { read_candidates(sample); });
  sample.write("candidates.csv", "v0,v1,v2,label\na,b,d,yes\n");
  expect_error(Fault::format, {"candidates.csv:2:7", "1 (belongs", "'yes'"},
               [&] { read_candidates(sample); });
  sample.write("candidates.csv", "v0,v1,v2,label\na,b,c,0\n");
  expect_error(Fault::format, {"candidates.csv:2", "(a b c)", "must be 1"}, [&] { read_candidates(sample); });
  sample.write("candidates.csv", "v0,v1,v2\na,b,d\nd,a,b\n");
  expect_error(Fault::format, {"candidates.csv:3", "twice"}, [&] { read_candidates(sample); });
  sample.write("candidates.csv", "v0,v1,v2\na,b,a\n");
  expect_error(Fault::format, {"candidates.csv:2", "differ"}, [&] { read_candidates(sample); });
  sample.write("candidates.csv", "v0,v1,v2\na,b,z\n");
  expect_error(Fault::format, {"candidates.csv:2:5", "'z'"}, [&] { read_candidates(sample); });
  expect_error(Fault::format, {"order 3", "3 vertices", "simplex-prediction.order"},
               [&] { read_candidates(sample, 3); });
}

}  // namespace
}  // namespace gsan
