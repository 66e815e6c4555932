#include "apps/gsan/runner/sweep_plan.h"

#include <algorithm>

#include "gsan/core/atomic_file.h"
#include "gsan/core/config.h"
#include "gsan/core/text.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

using Texts = std::vector<std::string>;

ConfigSchema schema() {
  ConfigSchema keys;
  keys.add("base", Texts{}, "what all runs share, as key=value");
  keys.add("config", false, "whether base.yaml belongs to them");
  keys.add("grid", Texts{}, "every combination of these");
  keys.add("random", Texts{}, "drawn from these");
  keys.add("draws", std::int64_t{1}, "draws for every point of the grid", at_least(1));
  keys.add("seed", std::int64_t{0}, "of the draws, and the first one of the runs", at_least(0));
  keys.add("seeds", std::int64_t{1}, "runs of each trial", at_least(1));
  keys.add("threads", std::int64_t{1}, "of each run", at_least(1));
  keys.add("trials", Texts{}, "what follows from all this");
  return keys;
}

fs::path plan_file(const fs::path& folder) { return folder / "sweep.yaml"; }

Texts texts_of(const std::vector<SweepAxis>& axes) {
  Texts texts;
  for (const SweepAxis& axis : axes) texts.push_back(axis.text);
  return texts;
}

std::string shown(const Texts& texts) { return texts.empty() ? "nothing" : joined(texts, " "); }

}  // namespace

bool holds_sweep(const fs::path& folder) { return fs::exists(plan_file(folder)); }

void write_plan(const fs::path& folder, const SweepPlan& plan) {
  Texts trials;
  for (const Assignment& trial : plan.space.trials()) {
    trials.push_back(trial_name(trials.size()) + ":");
    for (const auto& [key, value] : trial) trials.back() += concat(" ", key, "=", value);
  }
  Config file(schema());
  file.set("base", plan.base);
  file.set("config", plan.config.has_value());
  file.set("grid", texts_of(plan.space.grid));
  file.set("random", texts_of(plan.space.random));
  file.set("draws", std::int64_t{plan.space.draws});
  file.set("seed", static_cast<std::int64_t>(plan.space.seed));
  file.set("seeds", std::int64_t{plan.seeds});
  file.set("threads", std::int64_t{plan.threads});
  file.set("trials", trials);
  if (plan.config) write_file_atomically(base_file(folder), *plan.config);
  write_file_atomically(plan_file(folder), file.to_yaml());
}

SweepPlan read_plan(const fs::path& folder) {
  try {
    const Config file = load_config(schema(), plan_file(folder));
    const auto number = [&](const char* key) { return file.get<std::int64_t>(key); };
    SweepPlan plan;
    plan.base = file.get<Texts>("base");
    if (file.get<bool>("config")) plan.config = read_file(base_file(folder));
    for (const std::string& text : file.get<Texts>("grid")) plan.space.grid.push_back(parse_grid_axis(text));
    for (const std::string& text : file.get<Texts>("random"))
      plan.space.random.push_back(parse_random_axis(text));
    plan.space.draws = static_cast<int>(number("draws"));
    plan.space.seed = static_cast<std::uint64_t>(number("seed"));
    plan.seeds = static_cast<int>(number("seeds"));
    plan.threads = static_cast<int>(number("threads"));
    return plan;
  } catch (const Error& error) {
    if (error.fault() != Fault::argument) throw;
    fail(Fault::format, plan_file(folder), " describes no sweep: ", error.what());
  }
}

SweepPlan extend(const SweepPlan& recorded, const SweepPlan& wanted, const fs::path& folder) {
  std::string differences;
  const auto compare = [&](const char* what, const std::string& then, const std::string& now) {
    if (then != now) differences += concat("\n  ", what, ": ", then, " there, ", now, " here");
  };
  compare("base", shown(recorded.base), shown(wanted.base));
  if (recorded.config != wanted.config) differences += "\n  the config file has other content";
  compare("grid", shown(texts_of(recorded.space.grid)), shown(texts_of(wanted.space.grid)));
  compare("random", shown(texts_of(recorded.space.random)), shown(texts_of(wanted.space.random)));
  compare("seed", std::to_string(recorded.space.seed), std::to_string(wanted.space.seed));
  GSAN_CHECK(differences.empty(), "sweep: ", folder,
             " holds another sweep; choose another --output:", differences);
  SweepPlan plan = wanted;
  plan.threads = recorded.threads;
  plan.space.draws = std::max(recorded.space.draws, wanted.space.draws);
  plan.seeds = std::max(recorded.seeds, wanted.seeds);
  return plan;
}

std::string trial_name(std::size_t trial) {
  const std::string digits = std::to_string(trial);
  return "trial-" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

std::vector<SweepRun> runs_of(const fs::path& folder, const SweepPlan& plan) {
  std::vector<SweepRun> runs;
  const std::size_t trials = plan.space.trials().size();
  for (std::size_t trial = 0; trial < trials; ++trial) {
    for (int repeat = 0; repeat < plan.seeds; ++repeat) {
      const std::string name = concat("seed-", plan.seed(repeat));
      const fs::path place = folder / trial_name(trial);
      runs.push_back({trial, plan.seed(repeat), place / name, place / (name + ".log")});
    }
  }
  return runs;
}

std::vector<std::string> overrides_of(const SweepPlan& plan, const Assignment& trial) {
  std::vector<std::string> overrides = plan.base;
  for (const auto& [key, value] : trial) overrides.push_back(concat(key, "=", value));
  return overrides;
}

RunSettings checked_settings(const SweepPlan& plan) {
  std::optional<RunSettings> first;
  std::size_t number = 0;
  for (const Assignment& trial : plan.space.trials()) {
    try {
      const RunSettings settings =
          parse_run_settings(plan.config.value_or(""), "base.yaml", overrides_of(plan, trial));
      if (!first) first = settings;
    } catch (const Error& error) {
      fail(error.fault(), "sweep, ", trial_name(number), ": ", error.what());
    }
    ++number;
  }
  return *first;
}

fs::path base_file(const fs::path& folder) { return folder / "base.yaml"; }

}  // namespace gsan::app
