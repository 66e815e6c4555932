#include "gsan/data/open_data.h"

#include <gtest/gtest.h>

#include <torch/types.h>

#include "gsan/core/hash.h"
#include "gsan/data/sources/tu.h"
#include "gsan/data/transformed.h"

#include "data/own_sample.h"
#include "support/environment.h"
#include "support/expect_error.h"
#include "support/published_data.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

bool same(const Tensor& a, const Tensor& b) {
  return a.defined() == b.defined() &&
         (!a.defined() || (a.scalar_type() == b.scalar_type() && torch::equal(a, b)));
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same(x, y); });
}

bool same(const SimplicialComplex& a, const SimplicialComplex& b) {
  bool equal = a.order() == b.order();
  for (int k = 0; equal && k <= a.order(); ++k)
    equal = std::ranges::equal(a.vertex_table(k), b.vertex_table(k));
  return equal;
}

bool same(const ComplexDataset& a, const ComplexDataset& b) {
  bool equal = a.name == b.name && a.widths == b.widths && a.classes == b.classes &&
               same(a.labels, b.labels) && a.class_names == b.class_names && a.item_names == b.item_names &&
               a.complexes.size() == b.complexes.size();
  for (std::size_t i = 0; equal && i < a.complexes.size(); ++i)
    equal = same(a.complexes[i], b.complexes[i]) && same(a.features[i], b.features[i]);
  return equal;
}

OwnSample& with_tu(OwnSample& sample) {
  return sample.write("TINY_A.txt", "1 2\n2 3\n3 1\n4 5\n")
      .write("TINY_graph_indicator.txt", "1\n1\n1\n2\n2\n")
      .write("TINY_graph_labels.txt", "1\n-1\n")
      .write("TINY_node_labels.txt", "0\n1\n0\n1\n0\n");
}

// Opens the collection with the cache in `home`.
ComplexDataset open(const OwnSample& sample, int max_order = 2) {
  DataSettings settings = data_settings("", sample.path());
  settings.options.as<TuSettings>().max_order = max_order;
  return open_complexes(settings).data;
}

std::vector<fs::path> entries(const TemporaryFolder& home) {
  std::vector<fs::path> paths;
  if (!fs::exists(home / "transformed")) return paths;
  for (const auto& entry : fs::directory_iterator(home / "transformed")) paths.push_back(entry.path());
  return paths;
}

TEST(Transformed, TheSecondOpeningReadsTheSameBitsFromTheCache) {
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), on("GSAN_NO_CACHE", std::nullopt);
  OwnSample sample;
  const ComplexDataset first = open(with_tu(sample));
  ASSERT_EQ(entries(home).size(), 1u);
  const auto written = fs::last_write_time(entries(home)[0]);
  EXPECT_TRUE(same(first, open(sample)));
  EXPECT_EQ(fs::last_write_time(entries(home)[0]), written);
  EXPECT_TRUE(same(first, read_tu_dataset(sample.path())));
  // What is read is the entry: one with another content, but a right sum, is believed.
  ComplexDataset other = first;
  other.name = "OTHER";
  ArchiveWriter archive;
  write(archive, other);
  ASSERT_TRUE(write_transformed(entries(home)[0].filename().string(), archive.take()));
  EXPECT_EQ(open(sample).name, "OTHER");
  const Environment off("GSAN_NO_CACHE", "1");
  EXPECT_EQ(open(sample).name, "TINY");
}

TEST(Transformed, SourcesAndSettingsMakeTheKey) {
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), on("GSAN_NO_CACHE", std::nullopt);
  OwnSample sample;
  open(with_tu(sample));
  open(sample, 1);
  EXPECT_EQ(entries(home).size(), 2u);
  sample.write("TINY_node_labels.txt", "0\n1\n0\n1\n1\n");
  EXPECT_TRUE(same(open(sample), read_tu_dataset(sample.path())));
  EXPECT_EQ(entries(home).size(), 3u);
  EXPECT_NE(transformed_key("a", "b", {}), transformed_key("ab", "", {}));
}

TEST(Transformed, NamesOfFilesSayWhatTheirBytesMean) {
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), on("GSAN_NO_CACHE", std::nullopt);
  OwnSample sample;
  EXPECT_EQ(open(with_tu(sample)).widths[0], 2);  // the labels 0 and 1, one-hot
  fs::rename(sample.path() + "/TINY_node_labels.txt", sample.path() + "/TINY_node_attributes.txt");
  EXPECT_EQ(open(sample).widths[0], 1);
  for (const char* part : {"A", "graph_indicator", "graph_labels", "node_attributes"})
    fs::rename(concat(sample.path(), "/TINY_", part, ".txt"), concat(sample.path(), "/COPY_", part, ".txt"));
  EXPECT_EQ(open(sample).name, "COPY");
}

TEST(Transformed, DamageIsSurvived) {
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), on("GSAN_NO_CACHE", std::nullopt);
  OwnSample sample;
  const ComplexDataset first = open(with_tu(sample));
  const fs::path entry = entries(home).at(0);
  const std::string whole = read_file(entry);
  for (std::size_t at = 0; at < whole.size(); at += 101) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_file_atomically(entry, damaged);
    EXPECT_TRUE(same(first, open(sample))) << at;
    EXPECT_EQ(read_file(entry), whole) << at;
    write_file_atomically(entry, whole.substr(0, at));
    EXPECT_TRUE(same(first, open(sample))) << at;
  }
  // Damage below a right sum: the reader itself finds it or gives other data, and never crashes.
  const std::size_t head = whole.find('\n') + 1;
  for (std::size_t at = head; at + 64 < whole.size(); at += 7) {
    std::string content = whole.substr(head, whole.size() - head - 64);
    content[at - head] = static_cast<char>(content[at - head] ^ 0x81);
    ASSERT_TRUE(write_transformed(entry.filename().string(), content));
    EXPECT_NO_THROW(open(sample)) << at;
  }
}

TEST(Transformed, AnUnwritableCacheIsNoError) {
  OwnSample sample;
  sample.write("file", "");
  const Environment of_home("GSAN_HOME", sample.path() + "/file"), on("GSAN_NO_CACHE", std::nullopt);
  const ComplexDataset opened = open(with_tu(sample));
  EXPECT_TRUE(same(opened, read_tu_dataset(sample.path())));
  EXPECT_FALSE(write_transformed(std::string(64, '0'), "x"));
}

TEST(OpenData, UnknownNamesSayWhatThereIs) {
  DataSettings settings;
  settings.name = "oceans";
  expect_error(Fault::argument, {"'oceans'", "did you mean 'ocean'?", "flow, ocean", "data.path=FOLDER"},
               [&] { open_signals(settings, 1); });
  expect_error(Fault::argument, {"'oceans'", "citation"}, [&] { open_values(settings); });
  expect_error(Fault::argument, {"'oceans'", "proteins, nci1"}, [&] { open_complexes(settings); });
  expect_error(Fault::argument, {"'oceans'", "own-data.md"}, [&] { open_classes(settings); });
  expect_error(Fault::argument, {"'oceans'", "own-data.md"}, [&] { open_candidates(settings, 2); });
}

TEST(OpenData, MissingDataSayWhichFileToPutWhere) {
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), data("GSAN_DATA", std::nullopt);
  DataSettings settings;
  settings.name = "ocean";
  expect_error(Fault::io, {"gsan data fetch ocean", (home / "data/ocean/dataBuoys.jld2").string(), "SHA-256"},
               [&] { open_signals(settings, 1); });
}

TEST(OpenData, OwnFoldersCarryTheSumsOfTheirFiles) {
  OwnSample sample;
  sample.write("complex.txt", two_triangles).write("paths.txt", "a b\n").write("labels.csv", "up\n");
  DataSettings settings;
  settings.path = sample.path();
  const auto opened = open_signals(settings, 5);
  EXPECT_EQ(opened.data.signals.size(0), 1);
  ASSERT_EQ(opened.hashes.size(), 3u);
  EXPECT_EQ(opened.hashes[0].second, sha256_hex(two_triangles));
}

TEST(PublishedOpenData, CitationByKeyAndByPosition) {
  const auto folder = published_data("citation");
  GSAN_SKIP_WITHOUT(folder, "citation");
  const TemporaryFolder home;
  const Environment of_home("GSAN_HOME", home.path().string()), on("GSAN_NO_CACHE", std::nullopt),
      data("GSAN_DATA", folder.parent_path().string());
  DataSettings settings;
  settings.name = "citation";
  const ValueDataset first = open_values(settings).data, second = open_values(settings).data;
  EXPECT_EQ(entries(home).size(), 1u);
  EXPECT_EQ(first.complex.order(), 6);
  EXPECT_TRUE(same(first.complex, second.complex));
  EXPECT_TRUE(same(first.values, second.values) && same(first.sources, second.sources) &&
              same(first.source_offsets, second.source_offsets) &&
              same(first.source_values, second.source_values));
  EXPECT_EQ(first.source_count, 58);
  EXPECT_EQ(second.source_count, 58);
  const ValueDataset of_cofaces = open_values(settings, false, 6).data;
  EXPECT_EQ(of_cofaces.complex.order(), 7);
  EXPECT_TRUE(same(of_cofaces.values[6], first.values[6]));
  EXPECT_EQ(open_values(settings, true, 9).data.values.size(), 11u);   // all that the file has
  EXPECT_EQ(open_values(settings, true, 20).data.values.size(), 11u);  // not more
  const ValueDataset permuted = open_values(settings, true).data;
  EXPECT_TRUE(permuted.sources.empty());
  EXPECT_FALSE(torch::equal(permuted.values[2], first.values[2]));
  EXPECT_TRUE(torch::equal(std::get<0>(permuted.values[2].sort()), std::get<0>(first.values[2].sort())));
}

}  // namespace
}  // namespace gsan
