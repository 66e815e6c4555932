// The columns part, time and group of every table that holds labels.

#include <cmath>

#include <gtest/gtest.h>

#include <torch/types.h>

#include "data/own_sample.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

using Parts = std::vector<Part>;
using Groups = std::vector<std::int64_t>;

template <class Read>
auto read(const OwnSample& sample, Read reader) {
  OwnFolder folder = sample.open();
  return reader(folder);
}
ItemMarks marks_of_signals(const OwnSample& sample) { return read(sample, read_own_signals).marks; }

OwnSample& with_paths(OwnSample& sample) {
  return sample.write("complex.txt", two_triangles).write("paths.csv", "a,b\nb,c\nc,d\n");
}

TEST(OwnMarks, StandBesideTheLabelsOfSignals) {
  OwnSample sample;
  with_paths(sample).write("labels.csv",
                           "part,label,time,group\ntrain,up,2020-01-02,x\n,down,2020-01-01,y\nTEST,up,,x\n");
  const SignalDataset data = read(sample, read_own_signals);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"down", "up"}));
  EXPECT_EQ(data.marks.parts, (Parts{Part::train, Part::none, Part::test}));
  EXPECT_EQ(data.marks.groups, (Groups{0, 1, 0}));
  EXPECT_TRUE(data.marks.are_dates);
  EXPECT_EQ(data.marks.times[0] - data.marks.times[1], 86400);
  EXPECT_TRUE(std::isnan(data.marks.times[2]));
  EXPECT_EQ(data.marks.table, "labels.csv");
}

TEST(OwnMarks, AreJoinedByNameLikeTheLabels) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("signals.csv", "name,x,y,z\np,1,2,3\nq,4,5,6\n")
      .write("labels.csv", "name,label,part\nq,up,val\np,down,train\n");
  EXPECT_EQ(marks_of_signals(sample).parts, (Parts{Part::train, Part::validation}));
  sample.write("labels.csv", "part,name,label\nval,q,up\n");
  EXPECT_EQ(marks_of_signals(sample).parts, (Parts{Part::none, Part::validation}));
}

TEST(OwnMarks, AreNoneWhereTheTableHasNone) {
  OwnSample sample;
  for (const char* labels : {"up\ndown\nup\n", "label\nup\ndown\nup\n", "a,up\nb,down\nc,up\n"}) {
    with_paths(sample).write("labels.csv", labels);
    const ItemMarks marks = marks_of_signals(sample);
    EXPECT_TRUE(marks.parts.empty() && marks.times.empty() && marks.groups.empty());
    EXPECT_EQ(marks.table, "labels.csv");
  }
}

TEST(OwnMarks, StandBesideTheLabelsOfComplexes) {
  OwnSample sample;
  sample.write("one/complex.txt", "a b\n")
      .write("two/complex.txt", "a b c\n")
      .write("labels.csv", "name,label,group\ntwo,disc,lab\none,path,\n");
  const ItemMarks marks = read(sample, read_own_complexes).marks;
  EXPECT_EQ(marks.groups, (Groups{no_group, 0}));
}

TEST(OwnMarks, OfValuesFollowTheSimplices) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("values_1.csv", "v0,v1,part,value,time\nd,c,test,1,5\nb,a,train,2,4\n")
      .write("values_2.csv", "value,group\n5,x\n6,y\n");
  const ValueDataset data = read(sample, read_own_values);
  // Rows of order 1: (a b) (a c) (b c) (b d) (c d).
  EXPECT_EQ(data.marks[1].parts, (Parts{Part::train, Part::none, Part::none, Part::none, Part::test}));
  EXPECT_EQ(data.marks[1].times[4], 5);
  EXPECT_EQ(data.values[1][4].item<double>(), 1);
  EXPECT_EQ(data.marks[2].groups, (Groups{0, 1}));
  EXPECT_EQ(data.marks[2].table, "values_2.csv");
  EXPECT_TRUE(data.marks[0].parts.empty());
}

TEST(OwnMarks, OfClassesFollowTheSimplices) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("classes_0.csv", "v0,time,class,part\nb,2,club,test\na,1,team,valid\n")
      .write("classes_2.csv", "class,part\nclub,train\nteam,test\n");
  const ValueDataset data = read(sample, read_own_classes);
  EXPECT_EQ(data.marks[0].parts, (Parts{Part::validation, Part::test, Part::none, Part::none}));
  EXPECT_EQ(data.marks[0].times[1], 2);
  EXPECT_EQ(data.values[0][0].item<double>(), 1);
  EXPECT_EQ(data.marks[2].parts, (Parts{Part::train, Part::test}));
}

TEST(OwnMarks, ASingleColumnHoldsTheClassesOrValuesWhateverItsName) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles)
      .write("classes_0.csv", "v0,group\na,x\nb,y\n")
      .write("values_1.csv", "v0,v1,time\na,b,3\n");
  const ValueDataset classes = read(sample, read_own_classes), values = read(sample, read_own_values);
  EXPECT_EQ(classes.class_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(classes.marks[0].groups.empty());
  EXPECT_EQ(values.values[1][0].item<double>(), 3);
  EXPECT_TRUE(values.marks[1].times.empty());
}

TEST(OwnMarks, OfCandidatesFollowTheSimplices) {
  OwnSample sample;
  sample.write("complex.txt", "a b\na c\nb c\nb d\nc d\n")
      .write("candidates.csv", "v0,v1,v2,part,label,time\nd,c,b,test,1,7\na,b,c,train,0,6\n");
  OwnFolder folder = sample.open();
  const CandidateDataset data = read_own_candidates(folder, 2);
  EXPECT_EQ(data.marks.parts, (Parts{Part::train, Part::test}));
  EXPECT_EQ(data.marks.times, (std::vector<double>{6, 7}));
  EXPECT_TRUE(torch::equal(data.labels, torch::tensor({0, 1}, torch::kInt64)));
}

TEST(OwnMarks, ErrorsNameTheColumn) {
  OwnSample sample;
  with_paths(sample);
  const auto labels = [&](const char* text, std::initializer_list<std::string> words) {
    sample.write("labels.csv", text);
    expect_error(Fault::format, words, [&] { marks_of_signals(sample); });
  };
  labels("name,label,prat\na,up,train\n",
         {"labels.csv:1:12", "unknown column 'prat'", "name, label, part, time, group"});
  labels("a,up,train\n", {"labels.csv:1:6", "3 columns", "part, time, group"});
  labels("name,part\na,train\n", {"labels.csv:1:1", "no column label"});
  labels("label,part,part\nup,train,test\n", {"labels.csv:1:12", "two columns part"});
  labels("label,part\nup,train\ndown,dev\nup,\n", {"labels.csv:3:6", "train, validation", "'dev'"});
  labels("label,time\nup,soon\n", {"labels.csv:2:4", "2024-02-29", "'soon'"});
  labels("label,time\nup,1\ndown,2020-01-01\n", {"labels.csv:3", "numbers", "'2020-01-01'"});
  sample.write("values_1.csv", "v0,v1,value,prat\na,b,2,3\n");
  expect_error(Fault::format, {"values_1", "one column", "value, prat", "part, time, group"},
               [&] { read(sample, read_own_values); });
  sample.write("classes_0.csv", "v0,class,prat\na,x,train\n");
  expect_error(Fault::format, {"classes_0.csv:1:10", "unknown column 'prat'", "part, time, group"},
               [&] { read(sample, read_own_classes); });
  sample.write("classes_0.csv", "v0,part,time\na,train,1\n");
  expect_error(Fault::format, {"classes_0.csv:1", "no column class"},
               [&] { read(sample, read_own_classes); });
  sample.write("candidates.csv", "v0,v1,v2,prat,label\na,b,c,train,1\n");
  expect_error(Fault::format, {"candidates.csv:1:10", "unknown column 'prat'"}, [&] {
    OwnFolder folder = sample.open();
    read_own_candidates(folder, 2);
  });
}

}  // namespace
}  // namespace gsan
