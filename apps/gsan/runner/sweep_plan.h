#pragma once
// What a sweep is: the base, what is varied, which seeds. Kept in its folder, so that it goes on as the same
// one.
//
//   sweep.yaml             the plan and the list of its trials
//   base.yaml              the config file that it started from, where there was one
//   trial-0003/seed-0/     a run folder like any other (train/run_folder.h)
//   trial-0003/seed-0.log  what that run said on standard error
//   ranking.csv            the result

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gsan/train/run_settings.h"

#include "apps/gsan/runner/sweep_space.h"

namespace gsan::app {

struct SweepPlan {
  std::vector<std::string> base;      ///< key=value, what all runs share
  std::optional<std::string> config;  ///< text of the config file
  SweepSpace space;                   ///< its seed is the first one of the runs, too
  int seeds = 1;                      ///< runs of each trial: seed, seed + 1, …
  int threads = 1;                    ///< of each run

  std::uint64_t seed(int repeat) const { return space.seed + static_cast<std::uint64_t>(repeat); }
};

bool holds_sweep(const std::filesystem::path& folder);
void write_plan(const std::filesystem::path& folder, const SweepPlan& plan);
/// Fault::format when the folder holds none.
SweepPlan read_plan(const std::filesystem::path& folder);

/// The plan to go on with in a folder that holds `recorded`: more draws and seeds are welcome, anything else
/// that differs is an error that names it.
SweepPlan extend(const SweepPlan& recorded, const SweepPlan& wanted, const std::filesystem::path& folder);

/// One training of the sweep.
struct SweepRun {
  std::size_t trial = 0;
  std::uint64_t seed = 0;
  std::filesystem::path folder, log;
};

std::string trial_name(std::size_t trial);  ///< "trial-0003"

/// All seeds of the first trial, then of the second, …
std::vector<SweepRun> runs_of(const std::filesystem::path& folder, const SweepPlan& plan);

/// What changes the config in this trial, as key=value: the base, then its own keys.
std::vector<std::string> overrides_of(const SweepPlan& plan, const Assignment& trial);

/// One error unless every trial is a run that `gsan train` takes; the settings of the first.
RunSettings checked_settings(const SweepPlan& plan);

std::filesystem::path base_file(const std::filesystem::path& folder);  ///< base.yaml

}  // namespace gsan::app
