#include "gsan/data/fetch/catalog.h"

#include <set>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/data/fetch/catalog_json.h"

#include "fetch/sample_dataset.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

TEST(Catalog, EveryPublicDatasetIsDescribedCompletely) {
  std::set<std::string> names, folders;
  for (const Dataset& dataset : catalog()) {
    dataset.validate();
    EXPECT_TRUE(names.insert(dataset.name).second) << dataset.name;
    EXPECT_TRUE(folders.insert(dataset.folder).second) << dataset.folder;
    for (const std::string* text : {&dataset.what, &dataset.terms, &dataset.citation})
      EXPECT_FALSE(text->empty()) << dataset.name;
  }
  for (const char* name : {"ocean", "citation", "proteins", "nci1"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Catalog, NamesTakeEitherCaseAndTheNearestIsTold) {
  EXPECT_EQ(find_dataset("NCI1").name, "nci1");
  EXPECT_EQ(find_dataset("PROTEINS").folder, "tu/PROTEINS");
  expect_error(Fault::argument, {"'protein'", "did you mean 'proteins'?"}, [] { find_dataset("protein"); });
  expect_error(Fault::argument, {"'ocean'"}, [] { find_dataset("ocean", {}); });
}

TEST(Catalog, RefusesWhatCouldLeaveTheFolderOrIsNotVerified) {
  const auto refused = [](const std::string& word, const auto& change) {
    Dataset dataset = sample_dataset();
    dataset.validate();
    change(dataset);
    expect_error(Fault::format, {"Sample", word}, [&] { dataset.validate(); });
  };
  for (const char* path :
       {"", "/etc/passwd", "../a", "a/../../b", "a//b", "a/", "./a", "a\\b", "a\nb", ".."}) {
    refused(path, [&](Dataset& dataset) { dataset.folder = path; });
    refused(path, [&](Dataset& dataset) { dataset.files[0].path = path; });
    if (*path) refused(path, [&](Dataset& dataset) { dataset.files[0].member = path; });
  }
  refused(".part", [](Dataset& dataset) { dataset.files[0].path = "a.part"; });
  refused("twice", [](Dataset& dataset) { dataset.files[1].path = dataset.files[0].path; });
  refused("64 digits", [](Dataset& dataset) { dataset.files[0].sha256.pop_back(); });
  refused("64 digits", [](Dataset& dataset) { dataset.files[0].sha256[5] = 'A'; });
  refused("https://", [](Dataset& dataset) { dataset.files[0].url = "http://data.invalid/a"; });
  refused("name of a file", [](Dataset& dataset) { dataset.files[0].url = "https://data.invalid/"; });
  refused("size", [](Dataset& dataset) { dataset.files[0].size = 0; });
  refused("no files", [](Dataset& dataset) { dataset.files.clear(); });
}

TEST(Catalog, FindsEveryNamedDatasetOnce) {
  const std::vector<std::string> names{"Proteins", "ocean", "proteins"};
  const std::vector<Dataset> found = find_datasets(names);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "proteins");
  EXPECT_EQ(found[1].name, "ocean");
  const std::vector<std::string> misspelt{"ocean", "protein"};
  expect_error(Fault::argument, {"protein", "did you mean 'proteins'"}, [&] { find_datasets(misspelt); });
}

TEST(Catalog, ReadsTheCatalogOfAUser) {
  const TemporaryFolder folder;
  const std::string sum(64, 'a');
  const auto text = [&](const std::string& file) {
    return R"({"datasets": [{"name": "mine", "folder": "lab/mine", "state": "ignored", "files": [)" + file +
           "]}]}";
  };
  const std::string good = R"({"path": "a", "sha256": ")" + sum +
                           R"(", "size": 3, "url": "https://x.invalid/z.zip", "member": "z/a"})";
  write_file_atomically(folder / "good.json", text(good));
  const std::vector<Dataset> datasets = read_catalog(folder / "good.json");
  ASSERT_EQ(datasets.size(), 1u);
  EXPECT_EQ(datasets[0].folder, "lab/mine");
  EXPECT_EQ(datasets[0].files[0].member, "z/a");
  EXPECT_EQ(datasets[0].size(), 3u);

  const auto refused = [&](const std::string& content, const std::string& word) {
    write_file_atomically(folder / "bad.json", content);
    expect_error(Fault::format, {"bad.json", word}, [&] { read_catalog(folder / "bad.json"); });
  };
  refused("{", "parse error");
  refused("[]", "object");
  refused("{}", "datasets");
  refused(R"({"datasets": [3]})", "");
  refused(R"({"datasets": [{"name": 3}]})", "string");
  refused(text(R"({"path": "a"})"), "size");
  refused(text(R"({"path": "a", "size": -1})"), "-1");
  refused(text(good + "," + good), "twice");
  expect_error(Fault::io, {"none.json"}, [&] { read_catalog(folder / "none.json"); });
}

TEST(Catalog, NestedBracketsAreAnErrorAndDoNotOverflowTheStack) {
  const std::string deep = std::string(50'000, '[') + std::string(50'000, ']');
  expect_error(Fault::format, {"mine.json", "nested"}, [&] {
    parse_catalog(R"({"datasets":[{"name":"a","folder":"b","files":[{"path":"c","size":)" + deep + "}]}]}",
                  "mine.json");
  });
}

TEST(Catalog, ErrorsSpeakOfTheFileNotOfTheParser) {
  try {
    parse_catalog(R"({"datasets":[{"name":"a"}]})", "mine.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("json.exception"), std::string::npos) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with("mine.json: ")) << error.what();
  }
}

}  // namespace
}  // namespace gsan
