#include "gsan/core/atomic_file.h"

#include <fstream>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

#include "support/temporary_folder.h"

namespace gsan {
namespace {

std::string io_error_of(auto action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::io);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(AtomicFile, IsThereAfterCommitOnly) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "a.txt");
  file.stream() << "one\n" << std::string(300000, 'x');
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  file.commit();
  EXPECT_EQ(read_file(folder / "a.txt"), "one\n" + std::string(300000, 'x'));
  EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, AnExceptionLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.txt", "old");
  try {
    AtomicFile file(folder / "a.txt");
    file.stream() << "half of the n" << std::flush;
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(read_file(folder / "a.txt"), "old");
  EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, ReplacesAnExistingFileAndFollowsALink) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a.txt", "old");
  std::filesystem::create_symlink("a.txt", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_EQ(read_file(folder / "a.txt"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(folder.size(), 2);
}

TEST(AtomicFile, TheModeOfAReplacedFileIsKept) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  for (const auto mode : {fs::perms{0600}, fs::perms{0664}, fs::perms{0755}}) {
    write_file_atomically(folder / "a.txt", "old");
    fs::permissions(folder / "a.txt", mode);
    write_file_atomically(folder / "a.txt", "new");
    EXPECT_EQ(fs::status(folder / "a.txt").permissions(), mode);
    EXPECT_EQ(read_file(folder / "a.txt"), "new");
  }
}

TEST(AtomicFile, OnlyItsOwnTemporaryNamesAreTemporary) {
  EXPECT_TRUE(is_temporary_name("/x/a.json.77.0.tmp", "a.json"));
  for (const char* name : {"a.json.tmp", "a.json.7.tmp", "a.json.x.0.tmp", "a.json.7.0.tmp2", "a.json..0.tmp",
                           "b.json.77.0.tmp", "a.json77.0.tmp", "a.json", "a.json.77.0."})
    EXPECT_FALSE(is_temporary_name(name, "a.json")) << name;
}

TEST(AtomicFile, TwoWritersOfOneNameDoNotMeet) {
  const TemporaryFolder folder;
  AtomicFile first(folder / "a.txt"), second(folder / "a.txt");
  first.stream() << "first";
  second.stream() << "second";
  first.commit();
  second.commit();
  EXPECT_EQ(read_file(folder / "a.txt"), "second");
  EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, AFolderThatCannotBeWrittenIsNamedWithTheReason) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "file", "");
  const auto below_a_file = folder / "file" / "out.csv";
  const std::string message = io_error_of([&] { AtomicFile file(below_a_file); });
  EXPECT_NE(message.find(below_a_file.string()), std::string::npos);
  EXPECT_NE(message.find("Not a directory"), std::string::npos);
  EXPECT_NE(io_error_of([&] { AtomicFile file(folder / "no" / "out"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(io_error_of([&] { AtomicFile file(folder.path()); }).find("folder"), std::string::npos);
  EXPECT_EQ(folder.size(), 1);
}

TEST(AtomicFile, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const std::string message = io_error_of([] { write_file_atomically("/dev/full", "x"); });
  EXPECT_NE(message.find("No space left"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(ReadFile, MissingFilesAndFoldersAreErrors) {
  const TemporaryFolder folder;
  EXPECT_NE(io_error_of([&] { read_file(folder / "no"); }).find("No such file"), std::string::npos);
  EXPECT_NE(io_error_of([&] { read_file(folder.path()); }).find("folder"), std::string::npos);
}

}  // namespace
}  // namespace gsan
