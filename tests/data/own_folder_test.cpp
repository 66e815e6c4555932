// What folders of own data may hold, and what is done with files that nobody reads.
#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/open_data.h"
#include "gsan/data/own/own_settings.h"
#include "gsan/data/sources/source.h"
#include "gsan/topology/delaunay.h"

#include "data/own_sample.h"
#include "support/expect_error.h"
#include "support/gzip_sample.h"

namespace gsan {
namespace {

DataSettings settings_of(const OwnSample& sample, int max_order = -1) {
  DataSettings settings = data_settings("mine", sample.path());
  settings.options.as<OwnSettings>().max_order = max_order;
  return settings;
}
ValueDataset values_of(const OwnSample& sample) { return open_values(settings_of(sample)).data; }

OwnSample& with_values(OwnSample& sample) {
  return sample.write("complex.txt", two_triangles).write("values_1.csv", "v0,v1,value\nb,a,1\nc,b,2\n");
}

TEST(OwnFolder, AFileThatNobodyReadsIsRefusedWithTheNearestName) {
  const std::vector<std::pair<std::string, std::string>> misspelt{
      {"feature_1.csv", "features_1.csv"}, {"Features_0.csv", "features_0.csv"},
      {"values_1.txt", "values_1.csv"},    {"datset.yaml", "dataset.yaml"},
      {"complx.txt", "complex.txt"},       {"feature_12.npy", "features_1.npy"}};
  for (const auto& [name, meant] : misspelt) {
    OwnSample sample;
    with_values(sample).write(name, "1\n");
    expect_error(Fault::format, {sample.path() + "/" + name, "did you mean " + meant, "values_K.csv"},
                 [&] { values_of(sample); });
  }
}

TEST(OwnFolder, TablesOfAnotherTaskAreRefused) {
  OwnSample sample;
  with_values(sample).write("values_0.csv", "v0,value\na,1\n");
  EXPECT_NO_THROW(values_of(sample));
  sample.write("labels.csv", "a,b\n");
  expect_error(Fault::format, {"labels.csv", "does not read"}, [&] { values_of(sample); });
  sample.remove("labels.csv");
  sample.write("classes_0.csv", "v0,class\na,x\n");
  expect_error(Fault::format, {"classes_0.csv"}, [&] { values_of(sample); });
  expect_error(Fault::format, {"values_0.csv", "classes_K.csv"}, [&] { open_classes(settings_of(sample)); });
}

TEST(OwnFolder, NotesHiddenFilesSplitsAndSubFoldersMayStay) {
  OwnSample sample;
  with_values(sample)
      .write("README.txt", "?")
      .write("LICENSE", "?")
      .write("notes.md", "?")
      .write(".DS_Store", "?")
      .write("split.csv", "?")
      .write("old/values_1.csv", "?");
  EXPECT_NO_THROW(values_of(sample));
}

TEST(OwnFolder, SubFoldersOfComplexesAreLookedAtToo) {
  OwnSample sample;
  sample.write("a/complex.txt", "1 2\n").write("b/complex.txt", "1 2\n").write("b/feature_0.csv", "1\n1\n");
  expect_error(Fault::format, {"/b/feature_0.csv", "features_0.csv"},
               [&] { open_complexes(settings_of(sample)); });
}

TEST(OwnFolder, FeaturesOfTheCandidatesThemselvesAreRefused) {
  OwnSample sample;
  sample.write("complex.txt", "a b\nb c\na c\n")
      .write("candidates.csv", "v0,v1,v2,label\na,b,c,NA\n")
      .write("features_1.csv", "1\n2\n3\n");
  EXPECT_TRUE(torch::equal(open_candidates(settings_of(sample), 2).data.labels,
                           torch::tensor({unknown_label}, torch::kInt64)));
  sample.write("features_2.csv", "v0,v1,v2,x\na,b,c,1\n");
  expect_error(Fault::format, {"features_2.csv"}, [&] { open_candidates(settings_of(sample), 2); });
}

TEST(OwnFolder, GzippedTablesAreTheSameData) {
  OwnSample plain, packed;
  with_values(plain).write("features_0.csv", "v0,x\na,1\nb,2\nc,3\nd,4\n");
  packed.write("complex.txt.gz", gzipped(two_triangles))
      .write("values_1.csv.gz", gzipped("v0,v1,value\nb,a,1\nc,b,2\n"))
      .write("features_0.csv.gz", gzipped("v0,x\na,1\nb,2\nc,3\nd,4\n"));
  const ValueDataset one = values_of(plain), two = values_of(packed);
  EXPECT_EQ(one.complex, two.complex);
  EXPECT_TRUE(torch::allclose(one.values[1], two.values[1], 0, 0, true));
  EXPECT_TRUE(torch::equal(one.features[0], two.features[0]));
  packed.write("values_1.csv", "v0,v1,value\nb,a,1\n");
  expect_error(Fault::format, {"values_1.csv", "values_1.csv.gz"}, [&] { values_of(packed); });
}

TEST(OwnFolder, BensonsFilesAreAComplex) {
  OwnSample sample;
  sample.write("talks-nverts.txt", "3\n2\n")
      .write("talks-simplices.txt", "1\n2\n3\n3\n4\n")
      .write("talks-times.txt", "7\n8\n")
      .write("values_0.csv", "v0,value\n1,1\n2,\n3,2\n4,N/A\n");
  const OpenedData<ValueDataset> opened = open_values(settings_of(sample));
  EXPECT_EQ(opened.data.complex.count(2), 1);
  EXPECT_EQ(opened.hashes.size(), 4u);
  EXPECT_EQ(opened.data.values[0].isnan().sum().item<int>(), 2);
  sample.write("complex.txt", "1 2\n");
  expect_error(Fault::format, {"complex.txt", "talks-nverts.txt"}, [&] { values_of(sample); });
}

TEST(OwnFolder, MaxOrderReadsTheSkeleton) {
  OwnSample sample;
  std::string vertices;
  for (int v = 0; v < 30; ++v) vertices += concat(v, " ");
  sample.write("complex.txt", vertices + "\n").write("values_1.csv", "v0,v1,value\n0,1,5\n");
  expect_error(Fault::resource, {"complex.txt:1", "max_order"}, [&] { values_of(sample); });
  EXPECT_EQ(open_values(settings_of(sample, 2)).data.complex.count(2), 30 * 29 * 28 / 6);
  EXPECT_EQ(open_values(settings_of(sample, 1)).data.complex.order(), 1);
  OwnSample many;
  many.write("complexes.csv", "g,0,1,2\nh,0,1\n");
  EXPECT_EQ(open_complexes(settings_of(many, 1)).data.order(), 1);
}

TEST(OwnFolder, LiftsAreAStageOfTheData) {
  OwnSample graph;
  graph.write("complex.edges", "c a\na b\nb c\nc d\n").write("values_1.csv", "4\n1\n2\n3\n");
  DataSettings settings = settings_of(graph);
  EXPECT_EQ(open_values(settings).data.complex.order(), 1);
  settings.options.as<OwnSettings>().lift = ComplexLift::clique;
  const ValueDataset cliques = open_values(settings).data;
  EXPECT_EQ(cliques.complex.count(2), 1);
  // Rows stay those of the file: its first edge is (a c).
  EXPECT_TRUE(torch::equal(cliques.values[1], torch::tensor({1., 4., 2., 3.}, torch::kFloat64)));
  settings.options.as<OwnSettings>().lift = ComplexLift::rips;
  expect_error(Fault::argument, {"data.threshold must be positive"}, [&] { open_values(settings); });
  settings.options.as<OwnSettings>().threshold = 1.2;
  expect_error(Fault::format, {"complex.edges", "needs points"}, [&] { open_values(settings); });

  OwnSample points;
  points.write("points.csv", "id,x,y\na,0,0\nb,1,0\nc,0,1\nd,1,1.1\n")
      .write("values_0.csv", "v0,value\na,1\n");
  settings = settings_of(points);
  expect_error(Fault::format, {"points.csv", "does not read"}, [&] { open_values(settings); });
  settings.options.as<OwnSettings>() = {-1, ComplexLift::rips, 1.2};
  EXPECT_EQ(open_values(settings).data.complex.count(1), 4);
  settings.options.as<OwnSettings>() = {-1, ComplexLift::delaunay, 0};
  if (has_delaunay()) {
    EXPECT_EQ(open_values(settings).data.complex.count(2), 2);
  }

  OwnSample many;
  many.write("complexes.txt", "g 0 1\ng 1 2\ng 0 2\nh 0 1\n");
  settings = settings_of(many);
  settings.options.as<OwnSettings>().lift = ComplexLift::clique;
  EXPECT_EQ(open_complexes(settings).data.order(), 2);
}

TEST(OwnFolder, ArraysMayHaveAFileOfKeys) {
  OwnSample sample;
  Signal array = missing_signal(4, 1);
  array.values = {4, 3, 2, 1};
  with_values(sample).write("features_0.npy", print_npy(array)).write("features_0.simplices", "d\nc\nb\na\n");
  EXPECT_TRUE(torch::equal(values_of(sample).features[0].squeeze(1),
                           torch::tensor({1., 2., 3., 4.}, torch::kFloat64)));
  sample.write("features_0.simplices", "d\nc\nb\n");
  expect_error(Fault::format, {"features_0.simplices", "3 simplices", "4 rows"}, [&] { values_of(sample); });
  sample.write("features_0.simplices", "d\nc\nb\na b\n");
  expect_error(Fault::format, {"features_0.simplices", "order 0", "(a b)"}, [&] { values_of(sample); });
  sample.remove("features_0.npy");
  expect_error(Fault::format, {"features_0.simplices", "does not read"}, [&] { values_of(sample); });
}

TEST(OwnFolder, CommonNamesOfKeysAreUnderstood) {
  OwnSample sample;
  sample.write("values_1.csv", "source,target,flow\na,b,1\nb,c,NA\n")
      .write("features_0.csv", "node,x\nc,3\nb,2\na,1\n");
  const ValueDataset dataset = values_of(sample);
  EXPECT_EQ(dataset.complex.count(1), 2);
  EXPECT_TRUE(torch::equal(dataset.features[0].squeeze(1), torch::tensor({1., 2., 3.}, torch::kFloat64)));
  OwnSample classes;
  classes.write("complex.txt", "a b\n").write("classes_0.csv", "id,class\nb,NA\na,x\n");
  EXPECT_EQ(open_classes(settings_of(classes)).data.class_names, (std::vector<std::string>{"x"}));
}

TEST(OwnFolder, ItsNameIsThatOfItsSettings) {
  OwnSample sample;
  with_values(sample);
  EXPECT_EQ(find_source("", sample.path()).title, std::filesystem::path(sample.path()).filename());
  sample.write("dataset.yaml", "name: the pipes\n");
  EXPECT_EQ(find_source("", sample.path()).title, "the pipes");
  EXPECT_EQ(values_of(sample).name, "the pipes");
}

TEST(OwnComplexRows, AreTheSameDataAsSubFolders) {
  OwnSample folders, rows;
  folders.write("ring/complex.txt", "1 2\n2 3\n1 3\n")
      .write("disc/complex.txt", "1 2 3\n")
      .write("ring/features_0.csv", "v0,x,y\n1,1,2\n2,3,4\n3,5,6\n")
      .write("disc/features_0.csv", "v0,x,y\n3,9,9\n1,3,0\n2,0,3\n")
      .write("labels.csv", "name,label\nring,hole\ndisc,NA\n");
  rows.write("complexes.csv", "complex,v0,v1,v2\nring,1,2\ndisc,1,2,3\nring,2,3,\nring,1,3\n")
      .write("features_0.csv",
             "complex,node,x,y\nring,1,1,2\nring,2,3,4\ndisc,3,9,9\nring,3,5,6\ndisc,1,3,0\ndisc,2,0,3\n")
      .write("labels.csv", "name,label\nring,hole\ndisc,NA\n");
  const ComplexDataset one = open_complexes(settings_of(folders)).data,
                       two = open_complexes(settings_of(rows)).data;
  EXPECT_EQ(two.item_names, (std::vector<std::string>{"disc", "ring"}));
  EXPECT_EQ(one.complexes, two.complexes);
  EXPECT_EQ(one.widths, two.widths);
  EXPECT_TRUE(torch::equal(one.labels, two.labels));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < one.features[i].size(); ++k)
      EXPECT_TRUE(torch::equal(one.features[i][k], two.features[i][k])) << i << " " << k;
  rows.remove("complexes.csv");
  rows.write("complexes.txt", "# blanks\nring 1 2\ndisc 1 2 3\nring 2 3\nring 1 3\n");
  EXPECT_EQ(open_complexes(settings_of(rows)).data.complexes, one.complexes);
}

TEST(OwnComplexRows, ErrorsNameTheFileAndTheComplex) {
  OwnSample sample;
  const auto refused = [&](std::initializer_list<std::string> words) {
    expect_error(Fault::format, words, [&] { open_complexes(settings_of(sample)); });
  };
  sample.write("complexes.csv", "complex,v0,v1\na,1,2\nb\n");
  refused({"complexes.csv:3", "name of a complex"});
  sample.write("complexes.csv", "complex,v0,v1\na,1,2\nb,1,2\n").write("features_0.csv", "x\n1\n");
  refused({"features_0.csv:1", "'complex'"});
  sample.write("features_0.csv", "complex,v0,x\na,1,1\na,2,1\n");
  refused({"complex 'b'", "features_0"});
  sample.write("features_0.csv", "complex,v0,x\na,1,1\na,2,1\nb,1,1\n");
  refused({"features_0.csv: complex 'b'", "(2)", "has no value"});
  sample.write("features_0.csv", "complex,v0,x\na,1,1\na,2,1\nb,1,1\nb,2,1\nc,1,1\n");
  refused({"features_0.csv", "no complex 'c'"});
  sample.write("features_0.csv", "complex,x\na,1\na,2\nb,1\nb,2\n").write("labels.csv", "name,label\nz,1\n");
  refused({"labels.csv:2", "no complex 'z'"});
}

}  // namespace
}  // namespace gsan
