#include "gsan/report/html/run_facts.h"

#include "gsan/core/check.h"
#include "gsan/report/html/tried.h"
#include "gsan/train/experiment.h"
#include "gsan/train/run_folder.h"
#include "gsan/train/stored_run.h"

namespace gsan::report::html {
namespace fs = std::filesystem;
namespace {

std::string unfinished(const RunFacts& facts) {
  const std::string& status = facts.manifest.status;
  if (status == "running" || status == "created")
    return concat("The run is not finished (", status, ", started ",
                  facts.manifest.started.empty() ? "not yet" : facts.manifest.started,
                  "): there are no results on the test set yet.");
  return concat("The run did not finish (", status,
                "): there are no results on the test set. Resume it with "
                "`gsan train --resume ",
                facts.path.string(), "`.");
}

// Without a trailing slash; "." and ".." are looked up.
fs::path folder_path(const fs::path& given) {
  const fs::path path = given.has_filename() ? given : given.parent_path();
  return path.filename() == "." || path.filename() == ".." ? fs::canonical(path) : path;
}

}  // namespace

RunFacts read_run_facts(const fs::path& given) {
  GSAN_CHECK(fs::exists(given / "manifest.json"), "report: ", given.string(),
             " is not a run folder: there is no manifest.json in it; `gsan train` makes one");
  RunFacts facts;
  const fs::path run = folder_path(given);
  facts.path = run;
  facts.name = run.filename().string();
  facts.manifest = read_manifest(run / "manifest.json");
  tried("The settings cannot be read, so that tables and commands made of them are left out", facts.missing,
        [&] { facts.settings = read_run_settings(run); });
  tried("The results cannot be read", facts.missing, [&] {
    if (fs::exists(record_file(run)))
      facts.record = read_record(record_file(run));
    else
      facts.missing.push_back(unfinished(facts));
  });
  tried("There are no training curves", facts.missing, [&] { facts.curves = read_run_curves(run); });
  return facts;
}

std::size_t RunFacts::epochs() const {
  std::size_t most = 0;
  for (const RunCurve& curve : curves) most = std::max(most, curve.epochs.size());
  return most;
}

std::vector<std::pair<std::string, std::string>> settings_of(const RunSettings& settings) {
  std::vector<std::pair<std::string, std::string>> all;
  const ConfigSchema schema = run_schema(settings);
  for (const auto& [name, key] : schema.keys()) all.emplace_back(name, to_text(key.value));
  return all;
}

}  // namespace gsan::report::html
