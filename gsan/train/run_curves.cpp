#include "gsan/train/run_curves.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/train/metrics_log.h"

namespace gsan {

std::vector<RunCurve> read_run_curves(const std::filesystem::path& run) {
  GSAN_CHECK(std::filesystem::exists(run / "manifest.json"), run.string(),
             " is not a run folder: there is no manifest.json in it; `gsan train` makes one");
  const std::filesystem::path log = run / "metrics.jsonl";
  std::vector<EpochMetrics> epochs;
  if (std::filesystem::exists(log)) epochs = read_metrics(log);
  GSAN_CHECK(!epochs.empty(), run.string(),
             " has no epoch yet: there is no line in metrics.jsonl; resume it with ", "`gsan train --resume ",
             run.string(), "`");
  std::vector<RunCurve> curves;
  for (const EpochMetrics& epoch : epochs)
    for (const auto& [name, value] : epoch.values) {
      auto found = std::find_if(curves.begin(), curves.end(),
                                [&](const RunCurve& curve) { return curve.metric == name; });
      if (found == curves.end()) found = curves.insert(curves.end(), RunCurve{name, {}, {}});
      found->epochs.push_back(static_cast<double>(epoch.epoch) + 1);
      found->values.push_back(value);
    }
  return curves;
}

std::pair<std::string, std::string> part_and_metric(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == name.npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

}  // namespace gsan
