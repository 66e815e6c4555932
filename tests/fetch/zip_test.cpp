#include "gsan/data/fetch/zip.h"

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/core/random.h"

#include "fetch/sample_dataset.h"
#include "support/expect_error.h"

namespace gsan {
namespace {

std::string content_of(const ZipArchive& archive, const std::string& name, std::uint64_t max_bytes = 1000) {
  std::string content;
  archive.extract(archive.member(name), max_bytes, [&](std::string_view bytes) { content += bytes; });
  return content;
}

TEST(Zip, GivesStoredMembers) {
  const ZipArchive archive(stored_zip({{"d/", ""}, {"d/a", "abc"}, {"b", ""}}), "z.zip");
  EXPECT_EQ(archive.members().size(), 3u);
  EXPECT_EQ(content_of(archive, "d/a"), "abc");
  EXPECT_EQ(content_of(archive, "b"), "");
  expect_error(Fault::format, {"z.zip", "'c'"}, [&] { archive.member("c"); });
  EXPECT_TRUE(ZipArchive(stored_zip({}), "z.zip").members().empty());
}

#ifdef GSAN_HAVE_ZLIB
TEST(Zip, GivesDeflatedMembers) {
  // "hello hello hello hello\n", deflated without a header.
  const std::string packed("\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00", 11);
  const std::string content = "hello hello hello hello\n";
  std::string bytes = stored_zip({{"a", packed}});
  const std::size_t directory = bytes.rfind("PK\1\2");
  bytes[directory + 10] = 8;                                  // the method
  bytes[directory + 24] = static_cast<char>(content.size());  // the size
  EXPECT_EQ(content_of(ZipArchive(bytes, "z"), "a"), content);
  for (const int stated : {23, 25, 0}) {
    bytes[directory + 24] = static_cast<char>(stated);
    expect_error(Fault::format, {"'a'"}, [&] { content_of(ZipArchive(bytes, "z"), "a"); });
  }
  bytes[directory + 24] = static_cast<char>(content.size());
  bytes[31] = '\xff';  // the content begins at 30 + 1
  expect_error(Fault::format, {"'a'"}, [&] { content_of(ZipArchive(bytes, "z"), "a"); });
}
#endif

TEST(Zip, RefusesNamesThatLeadOut) {
  for (const char* name : {"../a", "/a", "d/../../a", "..", "d\\a", "a//b", "", "/", "./a"}) {
    expect_error(Fault::format, {"z.zip", name, "leads out"}, [&] {
      ZipArchive(stored_zip({{"good", "x"}, {name, "y"}}), "z.zip");
    });
  }
  expect_error(Fault::format, {"twice"}, [] { ZipArchive(stored_zip({{"a", "x"}, {"a", "y"}}), "z.zip"); });
}

TEST(Zip, RefusesMoreThanItShouldHold) {
  const ZipArchive archive(stored_zip({{"a", "abcd"}}), "z.zip");
  expect_error(Fault::format, {"'a'", "4 bytes", "3"}, [&] { content_of(archive, "a", 3); });
}

TEST(Zip, CutAnywhereItIsAnError) {
  const std::string whole = stored_zip({{"d/a", "abc"}, {"b", "defg"}});
  for (std::size_t length = 0; length < whole.size(); ++length)
    expect_error(Fault::format, {"z.zip"}, [&] { ZipArchive(whole.substr(0, length), "z.zip"); });
}

TEST(Zip, DamagedAnywhereItIsAnErrorOrOtherContentAndNeverACrash) {
  const std::string whole = stored_zip({{"d/a", "abc"}, {"b", "defg"}});
  RandomStream stream(1, "zip damage");
  for (int trial = 0; trial < 3000; ++trial) {
    std::string damaged = whole;
    for (int i = 0; i < 1 + trial % 3; ++i)
      damaged[stream.below(damaged.size())] = static_cast<char>(stream.below(256));
    try {
      const ZipArchive archive(damaged, "z.zip");
      for (const ZipMember& member : archive.members())
        EXPECT_LE(content_of(archive, member.name).size(), 1000u);
    } catch (const Error& error) {
      // io: deflated by the damage, in a build without zlib
      EXPECT_TRUE(error.fault() == Fault::format || error.fault() == Fault::io) << error.what();
    }
  }
}

TEST(Zip, NamesOfMembersReachNoTerminalAsTheyAre) {
  try {
    ZipArchive(stored_zip({{"../\x1b[2J", "a"}}), "z.zip");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("'../\\x1b[2J'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gsan
