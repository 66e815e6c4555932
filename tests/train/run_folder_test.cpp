#include "gsan/train/run_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

TEST(RunFolder, HoldsWhatCreateWasGiven) {
  const TemporaryFolder folder;
  Manifest manifest = make_manifest(~std::uint64_t{0});
  manifest.data = {{"a.npy", "00ff"}, {"b", "12"}};
  { const RunFolder run = RunFolder::create(folder / "deep/run", manifest, "model: gsan\n"); }
  const RunFolder run = RunFolder::open(folder / "deep/run");
  EXPECT_EQ(read_file(run.config_file()), "model: gsan\n");
  EXPECT_EQ(run.manifest().seed, ~std::uint64_t{0});
  EXPECT_EQ(run.manifest().data, manifest.data);
  EXPECT_FALSE(run.manifest().gsan.empty());
  EXPECT_FALSE(run.manifest().torch.empty());
  EXPECT_FALSE(run.manifest().compiler.empty());
  EXPECT_GE(run.manifest().threads, 1);
  EXPECT_TRUE(differences(manifest, run.manifest()).empty());
}

TEST(RunFolder, ARunIsNeverOverwritten) {
  const TemporaryFolder folder;
  { RunFolder::create(folder / "run", make_manifest(1), ""); }
  expect_error(Fault::argument, {"holds a run already", "resume"},
               [&] { RunFolder::create(folder / "run", make_manifest(1), ""); });
  expect_error(Fault::argument, {"holds no run"}, [&] { RunFolder::open(folder / "other"); });
  write_file_atomically(folder / "file", "");
  expect_error(Fault::io, {"file"}, [&] { RunFolder::create(folder / "file", make_manifest(1), ""); });
  write_file_atomically(folder / "run/manifest.json", "{\"gsan\": 3}");
  expect_error(Fault::format, {"manifest.json"}, [&] { RunFolder::open(folder / "run"); });
}

TEST(RunFolder, ARunOfAnotherFormatIsRefusedWithTheVersionThatWroteIt) {
  const TemporaryFolder folder;
  { RunFolder::create(folder / "run", make_manifest(1), ""); }
  std::string text = read_file(folder / "run/manifest.json");
  const std::size_t at = text.find("\"format\": 2,");
  ASSERT_NE(at, std::string::npos);
  write_file_atomically(folder / "run/manifest.json", text.erase(at, 12));  // as gsan 0.1 wrote it
  expect_error(Fault::format, {"format 1", "gsan ", "train it again"},
               [&] { RunFolder::open(folder / "run"); });
}

TEST(RunFolder, OneProcessAtATime) {
  const TemporaryFolder folder;
  {
    const RunFolder held = RunFolder::create(folder / "run", make_manifest(1), "");
    expect_error(Fault::argument, {"another process"}, [&] { RunFolder::open(folder / "run"); });
  }
  RunFolder::open(folder / "run");
}

TEST(RunFolder, LeftoversOfAKilledProcessAreRemoved) {
  const TemporaryFolder folder;
  { RunFolder::create(folder / "run", make_manifest(1), ""); }
  std::ofstream(folder / "run/checkpoints/last.safetensors.77.0.tmp") << "half";
  std::ofstream(folder / "run/checkpoints/last.safetensors.new.77.1.tmp") << "half";
  std::ofstream(folder / "run/checkpoints/last.safetensors.new") << "whole";
  std::ofstream(folder / "run/checkpoints/last.safetensors") << "keep";
  RunFolder::open(folder / "run");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "run/checkpoints"))
    names.push_back(entry.path().filename().string());
  EXPECT_EQ(names, std::vector<std::string>{"last.safetensors"});
}

// A folder of a user that becomes a run folder, with files whose names end like temporary ones.
TEST(RunFolder, FilesOfTheUserAreNeverRemoved) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "run/checkpoints");
  const std::vector<std::string> names = {"thesis.tmp",        "data.new",
                                          "thesis.77.0.tmp",   "config.yaml.tmp",
                                          "checkpoints/x.tmp", "checkpoints/best.safetensors.x.0.tmp"};
  for (const std::string& name : names) std::ofstream(folder / "run" / name) << name;
  { RunFolder::create(folder / "run", make_manifest(1), ""); }
  RunFolder::open(folder / "run");
  for (const std::string& name : names) EXPECT_EQ(read_file(folder / "run" / name), name);
}

TEST(RunFolder, FilesOfTheUserAreNotOverwritten) {
  for (const char* name : {"config.yaml", "results.json", "metrics.jsonl"}) {
    const TemporaryFolder folder;
    write_file_atomically(folder / name, "mine");
    expect_error(Fault::argument, {name, "choose another folder"},
                 [&] { RunFolder::create(folder.path(), make_manifest(1), "a: 1\n"); });
    EXPECT_EQ(read_file(folder / name), "mine");
  }
  const TemporaryFolder folder;  // a run that was killed before it was one
  write_file_atomically(folder / "config.yaml", "a: 1\n");
  RunFolder::create(folder.path(), make_manifest(1), "a: 1\n");
}

// Until a folder is a run, even a name of a run is somebody else's.
TEST(RunFolder, CreateRemovesNothing) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "run/checkpoints");
  const fs::path mine = folder / "run/checkpoints/last.safetensors.new";
  std::ofstream(mine) << "mine";
  RunFolder::create(folder / "run", make_manifest(1), "");
  EXPECT_EQ(read_file(mine), "mine");
}

TEST(RunFolder, ASessionCutsOffLaterEpochsAndRecordsItsCourse) {
  const TemporaryFolder folder;
  RunFolder run = RunFolder::create(folder / "run", make_manifest(1), "");
  EXPECT_EQ(run.manifest().status, "created");
  run.begin_session(0);
  EXPECT_EQ(read_manifest(folder / "run/manifest.json").status, "running");
  for (int epoch = 0; epoch < 3; ++epoch) run.add_epoch({epoch, {{"train.loss", 1.0 / (epoch + 1)}}});
  const std::string whole = read_file(run.metrics_file());
  run.end_session("interrupted");
  run.begin_session(2);
  run.add_epoch({2, {{"train.loss", 1.0 / 3}}});
  EXPECT_EQ(read_file(run.metrics_file()), whole);
  run.end_session("finished");
  EXPECT_EQ(read_file(folder / "run/metrics.csv"), "epoch,train.loss\n1,1\n2,0.5\n3,0.3333333333333333\n");
  const Manifest manifest = read_manifest(folder / "run/manifest.json");
  EXPECT_EQ(manifest.status, "finished");
  EXPECT_EQ(manifest.sessions, 2);
  EXPECT_EQ(manifest.later_epochs, 2);  // the second session had only a first epoch
  EXPECT_GT(manifest.later_seconds, 0);
  EXPECT_LT(manifest.later_seconds, manifest.seconds);
  EXPECT_EQ(manifest.started.size(), 20U);
  EXPECT_EQ(manifest.ended.size(), 20U);
  EXPECT_GT(fs::file_size(run.events_file()), 0U);
}

TEST(RunFolder, Splits) {
  const TemporaryFolder folder;
  const RunFolder run = RunFolder::create(folder / "run", make_manifest(1), "");
  const RunFolder::Parts parts{{"train", {0, 3}}, {"test", {1}}, {"validation", {}}};
  run.write_split("fold0", parts, "by hand");
  const std::string text = read_file(folder / "run/splits/fold0.json");
  EXPECT_EQ(text, "{\"train\":[0,3],\"test\":[1],\"validation\":[],\"made\":\"by hand\"}\n");
  EXPECT_TRUE(RunFolder::is_split(text, parts));
  EXPECT_TRUE(RunFolder::is_split("{\"train\":[0,3],\"test\":[1],\"validation\":[]}", parts));
  EXPECT_FALSE(RunFolder::is_split(text, {{"train", {0, 3}}, {"test", {1}}}));
  EXPECT_FALSE(RunFolder::is_split(text, {{"train", {0}}, {"test", {1}}, {"validation", {3}}}));
  EXPECT_FALSE(RunFolder::is_split("[", parts));
  expect_error(Fault::argument, {"no file name"}, [&] { run.write_split("../x", {}, ""); });
}

TEST(Manifest, DifferencesNameBothValues) {
  Manifest then = make_manifest(1), now = make_manifest(2);
  then.data = {{"a", "00"}, {"b", "11"}};
  now.data = {{"a", "01"}};
  now.threads = then.threads + 1;
  const auto all = differences(then, now);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], "seed: 1 then, 2 now");
  EXPECT_EQ(data_differences(then, now),
            (std::vector<std::string>{"SHA-256 of a: 00 then, 01 now", "SHA-256 of b: 11 then, none now"}));
  EXPECT_EQ(data_differences(now, then)[1], "SHA-256 of b: none then, 11 now");
}

TEST(Manifest, FilesThatMovedTogetherAreTheSame) {
  Manifest then, now;
  then.data = {{"/old/d/a.csv", "00"}, {"/old/d/g/b.csv", "11"}};
  now.data = {{"/a/new/place/a.csv", "00"}, {"/a/new/place/g/b.csv", "11"}};
  EXPECT_TRUE(data_differences(then, now).empty());
  now.data[1].second = "12";
  EXPECT_EQ(data_differences(then, now),
            (std::vector<std::string>{"SHA-256 of /a/new/place/g/b.csv: 11 then, 12 now"}));
  now.data[1] = {"/a/new/place/h/b.csv", "11"};
  EXPECT_EQ(data_differences(then, now).size(), 2U);

  const TemporaryFolder folder;
  now.data_folder = "../data";
  write_manifest(folder / "manifest.json", now);
  EXPECT_EQ(read_manifest(folder / "manifest.json").data_folder, "../data");
}

}  // namespace
}  // namespace gsan
