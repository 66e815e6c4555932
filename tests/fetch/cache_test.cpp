#include "gsan/data/fetch/cache.h"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/data/fetch/fetch.h"

#include "fetch/sample_dataset.h"
#include "support/environment.h"
#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

void place(const fs::path& folder) {
  const Dataset dataset = sample_dataset();
  for (std::size_t i = 0; i < dataset.files.size(); ++i) {
    const fs::path path = folder / dataset.folder / dataset.files[i].path;
    fs::create_directories(path.parent_path());
    write_file_atomically(path, sample_contents[i]);
  }
}

TEST(DataCache, GsanDataNamesFoldersThatAreOnlyRead) {
  const TemporaryFolder home, shared, other;
  place(shared.path());
  const Dataset dataset = sample_dataset();
  const Environment of_home("GSAN_HOME", home.path().string());
  const Environment of_data("GSAN_DATA", ":" + other.path().string() + ":" + shared.path().string() + "::");
  EXPECT_EQ(DataCache::standard().require(dataset), shared.path() / dataset.folder);
  const Environment none("GSAN_DATA", std::nullopt);
  EXPECT_EQ(DataCache::standard({shared.path()}).require(dataset), shared.path() / dataset.folder);
  expect_error(Fault::io, {"gsan data fetch", home.path().string()},
               [&] { DataCache::standard().require(dataset); });
}

TEST(DataCache, TheStateOfADatasetIsThatOfItsWorstFile) {
  const TemporaryFolder folder;
  const DataCache cache(folder.path());
  const Dataset dataset = sample_dataset();
  const fs::path first = folder.path() / dataset.folder / dataset.files[0].path;
  EXPECT_STREQ(cache.inspect(dataset).state(), "missing");
  place(folder.path());
  EXPECT_STREQ(cache.inspect(dataset).state(), "verified");
  fs::remove(first);
  EXPECT_STREQ(cache.inspect(dataset).state(), "incomplete");
  write_file_atomically(first, "something else");
  EXPECT_STREQ(cache.inspect(dataset).state(), "different");
}

TEST(CacheRoot, GsanHomeThenXdgThenHome) {
  const Environment gsan("GSAN_HOME", "/g"), xdg("XDG_CACHE_HOME", "/x"), home("HOME", "/h");
  EXPECT_EQ(cache_root(), "/g");
  {
    const Environment relative("GSAN_HOME", "g");
    EXPECT_EQ(cache_root(), fs::current_path() / "g");
  }
  for (const auto& unset : {std::optional<std::string>(), std::optional<std::string>("")}) {
    const Environment no_gsan("GSAN_HOME", unset);
    EXPECT_EQ(cache_root(), "/x/gsan");
    const Environment relative("XDG_CACHE_HOME", "relative");  // ignored, as the XDG specification says
    EXPECT_EQ(cache_root(), "/h/.cache/gsan");
    const Environment no_xdg("XDG_CACHE_HOME", unset);
    EXPECT_EQ(cache_root(), "/h/.cache/gsan");
    const Environment no_home("HOME", unset);
    expect_error(Fault::argument, {"GSAN_HOME", "HOME"}, [] { cache_root(); });
  }
}

TEST(DataCache, TellsMissingDifferentAndVerified) {
  const TemporaryFolder folder;
  const Dataset dataset = sample_dataset();
  const DataCache cache(folder.path());
  EXPECT_TRUE(cache.inspect(dataset).is_absent());
  EXPECT_EQ(folder.size(), 0);  // looking makes nothing

  place(folder.path());
  DatasetReport report = cache.inspect(dataset);
  EXPECT_TRUE(report.is_complete());
  EXPECT_EQ(report.folder, folder / "group/sample");
  EXPECT_EQ(cache.require(dataset), report.folder);

  write_file_atomically(report.files[1].path, "other");
  report = cache.inspect(dataset);
  EXPECT_FALSE(report.is_complete() || report.is_absent());
  EXPECT_EQ(report.files[0].state, FileState::verified);
  EXPECT_EQ(report.files[1].state, FileState::different);
  EXPECT_EQ(report.files[1].sha256, sha256_hex("other"));
  expect_error(Fault::format, {report.files[1].path, dataset.files[1].sha256, sha256_hex("other")},
               [&] { cache.require(dataset); });

  fs::remove(report.files[1].path);
  expect_error(Fault::io,
               {report.files[1].path, dataset.files[1].sha256, dataset.files[1].url, "gsan data fetch"},
               [&] { cache.require(dataset); });
  EXPECT_EQ(how_to_place(cache.inspect(dataset)).find("a.txt\n"), std::string::npos);  // that one is there
}

TEST(DataCache, ACompleteReadOnlyPlaceServesWhereTheCacheDoesNot) {
  const TemporaryFolder own, incomplete, complete;
  const Dataset dataset = sample_dataset();
  place(incomplete.path());
  fs::remove(incomplete / "group/sample/a.txt");
  place(complete.path());
  const DataCache cache(own.path(), {incomplete.path(), complete.path()});
  EXPECT_EQ(cache.require(dataset), complete / "group/sample");
  EXPECT_EQ(DataCache(own.path(), {incomplete.path()}).inspect(dataset).folder, own / "group/sample");
  place(own.path());
  EXPECT_EQ(cache.require(dataset), own / "group/sample");
}

TEST(Fetch, TouchesNothingWhereEverythingIsThere) {
  const TemporaryFolder own, other;
  place(other.path());
  const DatasetReport report = fetch(sample_dataset(), DataCache(own.path(), {other.path()}));
  EXPECT_TRUE(report.is_complete());
  EXPECT_EQ(own.size(), 0);
}

TEST(Fetch, OnlyHttps) {
  const TemporaryFolder own;
  for (const char* from : {"http://127.0.0.1/", "ftp://x/", "file:///etc", "127.0.0.1"})
    expect_error(Fault::argument, {"https://", from},
                 [&] { fetch(sample_dataset(), DataCache(own.path()), {.from = from}); });
  EXPECT_EQ(own.size(), 0);
}

TEST(Fetch, AFailureSaysWhatToPutWhere) {
  const TemporaryFolder own;
  const Dataset dataset = sample_dataset();
  // Nobody listens on port 1.
  expect_error(Fault::io,
               {"cannot fetch https://127.0.0.1:1/a.txt", own / "group/sample/a.txt", dataset.files[0].sha256,
                dataset.files[0].url, dataset.files[1].sha256},
               [&] { fetch(dataset, DataCache(own.path()), {.from = "https://127.0.0.1:1"}); });
  EXPECT_FALSE(fs::exists(own / "group/sample/a.txt.part"));  // it would be empty
  write_file_atomically(own / "file", "");
  expect_error(Fault::io, {own / "file/group/sample"},
               [&] { fetch(dataset, DataCache(own / "file"), {.from = "https://127.0.0.1:1"}); });
}

TEST(PartFile, ContinuesWhatIsThereAndPromotesIt) {
  const TemporaryFolder folder;
  { PartFile(folder / "f").append("abc"); }
  EXPECT_FALSE(fs::exists(folder / "f"));
  {
    PartFile part(folder / "f");
    EXPECT_EQ(part.size(), 3u);
    part.append("def");
    part.promote();
  }
  EXPECT_EQ(read_file(folder / "f"), "abcdef");
  EXPECT_EQ(folder.size(), 1);
  {
    PartFile part(folder / "g");
    part.append("abc");
    part.clear();
    part.append("x");
  }
  EXPECT_EQ(read_file(folder / "g.part"), "x");
  expect_error(Fault::io, {"none/f.part"}, [&] { PartFile(folder / "none/f"); });
  // A link must not lead elsewhere.
  fs::create_symlink(folder / "f", folder / "h.part");
  expect_error(Fault::io, {"h.part"}, [&] { PartFile(folder / "h"); });
}

}  // namespace
}  // namespace gsan
