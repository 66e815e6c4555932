#include "gsan/train/checkpoint.h"

#include <fstream>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "train/file_size_limit.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

Checkpoint sample(int epoch) {
  Checkpoint checkpoint;
  checkpoint.add("model.", {{"w", torch::full({3}, epoch + 0.5)}, {"n", torch::tensor({epoch})}});
  checkpoint.add("state.", OptionMap{{"epoch", std::to_string(epoch)}});
  return checkpoint;
}

std::string epoch_of(const CheckpointFile& file) { return file.checkpoint.settings("state.").at("epoch"); }

// Not atomically: a damaged disk, a careless copy.
void overwrite(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

TEST(Checkpoint, RoundTripAndThePreviousOneIsKept) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  EXPECT_TRUE(no_checkpoint(path));
  for (int epoch = 0; epoch < 3; ++epoch) write_checkpoint(path, sample(epoch));
  EXPECT_FALSE(no_checkpoint(path));
  const CheckpointFile file = read_checkpoint(path);
  EXPECT_EQ(epoch_of(file), "2");
  EXPECT_EQ(file.remark, "");
  EXPECT_EQ(file.path, path);
  const NamedTensors model = file.checkpoint.part("model.");
  ASSERT_EQ(model.size(), 2U);
  EXPECT_EQ(model[0].first, "w");
  EXPECT_TRUE(model[0].second.equal(torch::full({3}, 2.5)));
  EXPECT_EQ(epoch_of(read_checkpoint(previous_checkpoint(path))), "1");
  EXPECT_EQ(folder.size(), 2);
}

TEST(Checkpoint, EveryDamagedByteIsNoticed) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  write_checkpoint(path, sample(1));
  const std::string sound = read_file(path);
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string damaged = sound;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    overwrite(path, damaged);
    EXPECT_THROW(read_checkpoint(path), Error) << "byte " << i << " of " << sound.size();
  }
  overwrite(path, sound);
  EXPECT_EQ(epoch_of(read_checkpoint(path)), "1");
}

TEST(Checkpoint, ATruncatedOneIsReplacedByItsPredecessorWithARemark) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  write_checkpoint(path, sample(1));
  write_checkpoint(path, sample(2));
  const std::string sound = read_file(path);
  for (std::size_t length = 0; length < sound.size(); length += 7) {
    overwrite(path, sound.substr(0, length));
    const CheckpointFile file = read_checkpoint(path);
    EXPECT_EQ(epoch_of(file), "1");
    EXPECT_NE(file.remark.find("previous"), std::string::npos);
    EXPECT_EQ(file.path, previous_checkpoint(path));
  }
}

// Killed between the two renames, where the file system has no links.
TEST(Checkpoint, AMissingOneIsReplacedByItsPredecessor) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  write_checkpoint(path, sample(1));
  write_checkpoint(path, sample(2));
  fs::remove(path);
  EXPECT_FALSE(no_checkpoint(path));
  EXPECT_EQ(epoch_of(read_checkpoint(path)), "1");
}

TEST(Checkpoint, BothDamagedIsOneErrorWithBothReasons) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  write_checkpoint(path, sample(1));
  write_checkpoint(path, sample(2));
  overwrite(path, "short");
  overwrite(previous_checkpoint(path), "");
  expect_error(Fault::format, {"no readable checkpoint", "5 bytes", "0 bytes"},
               [&] { read_checkpoint(path); });
}

// Else the damaged file would become the predecessor, and the sound one would be gone.
TEST(Checkpoint, ADamagedOneSetAsideNeverReplacesTheSoundPredecessor) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  write_checkpoint(path, sample(1));
  write_checkpoint(path, sample(2));
  overwrite(path, "short");
  set_damaged_aside(path);
  write_checkpoint(path, sample(3));
  EXPECT_EQ(epoch_of(read_checkpoint(path)), "3");
  EXPECT_EQ(epoch_of(read_checkpoint(previous_checkpoint(path))), "1");
}

TEST(Checkpoint, OtherFilesAndVersionsAreRefused) {
  const TemporaryFolder folder;
  write_safetensors(folder / "weights", {{"x", torch::ones({2})}}, {});
  expect_error(Fault::format, {"weights", "no checkpoint"}, [&] { read_checkpoint(folder / "weights"); });
  write_safetensors(folder / "later", {}, {{"gsan.checkpoint", "3"}});
  expect_error(Fault::format, {"version 3", "version 2"}, [&] { read_checkpoint(folder / "later"); });
  write_safetensors(folder / "old", {}, {{"gsan.checkpoint", "1"}});
  expect_error(Fault::format, {"version 1, which gsan 0.1 wrote", "version 2", "train the run again"},
               [&] { read_checkpoint(folder / "old"); });
  expect_error(Fault::io, {"none"}, [&] { read_checkpoint(folder / "none"); });
}

TEST(Checkpoint, AFullDiskLeavesWhatWasThere) {
  const TemporaryFolder folder;
  const fs::path path = folder / "last";
  write_checkpoint(path, sample(1));
  write_checkpoint(path, sample(2));
  const std::string last = read_file(path), previous = read_file(previous_checkpoint(path));
  {
    const FileSizeLimit full(100);
    expect_error(Fault::io, {"cannot write", "last"}, [&] { write_checkpoint(path, sample(3)); });
  }
  EXPECT_EQ(read_file(path), last);
  EXPECT_EQ(read_file(previous_checkpoint(path)), previous);
  EXPECT_EQ(folder.size(), 2);
  write_checkpoint(path, sample(3));
  EXPECT_EQ(epoch_of(read_checkpoint(path)), "3");
}

}  // namespace
}  // namespace gsan
