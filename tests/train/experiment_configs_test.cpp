// Every config of experiments/ is a run that the command takes.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/train/run_settings.h"

#include "support/expect_error.h"

namespace gsan {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> config_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GSAN_SOURCE_DIR) / "experiments"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  return files;
}

TEST(ExperimentConfigs, EveryRowIsARunOfItsTask) {
  ASSERT_GT(config_files().size(), 10u);
  for (const fs::path& file : config_files()) {
    SCOPED_TRACE(file.string());
    const std::string text = read_file(file);
    RunSettings settings;
    ASSERT_NO_THROW(settings = parse_run_settings(text, file.string()));
    const std::string folder =
        fs::relative(file, fs::path(GSAN_SOURCE_DIR) / "experiments").begin()->string();
    const std::string stem = file.stem().string();  // TASK.yaml or TASK_ROWS.yaml
    EXPECT_EQ(settings.task.name, stem.substr(0, stem.find('_')));
    EXPECT_EQ(name_of(settings.task.protocol), folder);
  }
}

TEST(ExperimentConfigs, EveryRowAlsoRunsStrictlyUnlessItSetsALossOfThePublishedProtocol) {
  for (const fs::path& file : config_files()) {
    SCOPED_TRACE(file.string());
    const std::string text = read_file(file);
    const auto parse = [&] { return parse_run_settings(text, file.string(), {"protocol=strict"}); };
    if (text.find("imputation: {loss:") != std::string::npos) {
      expect_error(Fault::argument, {"'imputation.loss': the strict protocol does not use it"}, parse);
      continue;
    }
    RunSettings settings;
    ASSERT_NO_THROW(settings = parse());
    EXPECT_EQ(settings.task.protocol, Protocol::strict);
  }
}

// A config may differ from another one on some of its datasets only. Tuned ones begin as what is tuned.
TEST(ExperimentConfigs, NoTwoRowsAreTheSame) {
  std::set<std::string> seen;
  for (const fs::path& file : config_files()) {
    if (file.parent_path().filename() == "tuned") continue;
    const std::string text = read_file(file);
    std::string runs = to_yaml(parse_run_settings(text, file.string()));
    if (file.stem().string().starts_with("trajectory"))
      runs += to_yaml(parse_run_settings(text, file.string(), {"data.name=ocean"}));
    EXPECT_TRUE(seen.insert(runs).second) << file;
  }
}

TEST(ExperimentConfigs, PublishedTrajectoriesStartWithTheirRow) {
  const fs::path file = fs::path(GSAN_SOURCE_DIR) / "experiments" / "published" / "trajectory.yaml";
  EXPECT_EQ(to_yaml(recipe_settings("trajectory", Protocol::published)),
            to_yaml(parse_run_settings(read_file(file), file.string())));
}

}  // namespace
}  // namespace gsan
