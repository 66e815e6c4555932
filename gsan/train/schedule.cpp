#include "gsan/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gsan/core/check.h"

namespace gsan {

std::vector<std::string> ScheduleOptions::faults() const {
  std::vector<std::string> faults;
  const auto require = [&](bool holds, const char* rule, double value) {
    if (!holds) faults.push_back(concat(rule, ", got ", value));
  };
  require(warmup_epochs >= 0 && std::isfinite(warmup_epochs), "warmup_epochs must be finite and >= 0",
          warmup_epochs);
  require(step_epochs >= 1, "step_epochs must be >= 1", step_epochs);
  require(factor > 0 && factor <= 1, "factor must be in (0, 1]", factor);
  require(minimum >= 0 && minimum <= 1, "minimum must be in [0, 1]", minimum);
  require(patience >= 0, "patience must be >= 0", patience);
  require(threshold >= 0 && std::isfinite(threshold), "threshold must be finite and >= 0", threshold);
  return faults;
}

void ScheduleOptions::validate() const { options::report("ScheduleOptions", faults()); }

Schedule::Schedule(ScheduleOptions options, std::int64_t epochs, bool more_is_better)
    : options_(options), epochs_(epochs), more_is_better_(more_is_better) {
  options_.validate();
}

double Schedule::factor(std::int64_t epoch, std::int64_t step, std::int64_t steps) const {
  // In epochs: when the step begins, and when it ends.
  const double begin = static_cast<double>(epoch) + static_cast<double>(step) / static_cast<double>(steps);
  const double end = static_cast<double>(epoch) + static_cast<double>(step + 1) / static_cast<double>(steps);
  const double warmup = options_.warmup_epochs;
  const double rise = end < warmup ? end / warmup : 1;
  switch (options_.kind) {
    case ScheduleKind::constant:
      return rise;
    case ScheduleKind::step: {
      const auto drops = static_cast<double>(epoch / options_.step_epochs);
      return rise * std::max(options_.minimum, std::pow(options_.factor, drops));
    }
    case ScheduleKind::cosine: {
      const double length = std::max(static_cast<double>(epochs_) - warmup, 1e-9);
      const double way = std::clamp((begin - warmup) / length, 0.0, 1.0);
      return rise * (options_.minimum + (1 - options_.minimum) * (1 + std::cos(std::numbers::pi * way)) / 2);
    }
    case ScheduleKind::plateau:
      return rise * state_.factor;
  }
  return rise;
}

void Schedule::observe(double metric) {
  if (options_.kind != ScheduleKind::plateau) return;
  state_.patience.observe(metric, more_is_better_, options_.threshold);
  if (state_.patience.waited <= options_.patience) return;
  state_.factor = std::max(options_.minimum, state_.factor * options_.factor);
  state_.patience.waited = 0;
}

}  // namespace gsan
