#include "gsan/report/html/run_facts.h"

#include "gsan/core/check.h"
#include "gsan/train/experiment.h"
#include "gsan/train/run_folder.h"

namespace gsan::report::html {
namespace fs = std::filesystem;
namespace {

// What `read` gives; a fault becomes a sentence.
template <class Read>
auto tried(const Read& read, const std::string& what, std::vector<std::string>& missing)
    -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    missing.push_back(concat(what, ": ", error.what()));
    return std::nullopt;
  }
}

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

std::string folder_name(const fs::path& path) {
  const fs::path plain = fs::absolute(path).lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

}  // namespace

RunFacts read_run_facts(const fs::path& run) {
  GSAN_CHECK(fs::exists(run / "manifest.json"), "report: ", run.string(),
             " holds no run: there is no manifest.json in it; `gsan train` makes one");
  RunFacts facts;
  facts.path = run;
  facts.name = folder_name(run);
  facts.manifest = read_manifest(run / "manifest.json");
  facts.settings = tried([&] { return read_run_settings(run); },
                         "The settings cannot be read, so that tables and commands made of them are left out",
                         facts.missing);
  if (fs::exists(record_file(run))) {
    facts.record =
        tried([&] { return read_record(record_file(run)); }, "The results cannot be read", facts.missing);
  } else {
    facts.missing.push_back(unfinished(facts));
  }
  if (auto curves =
          tried([&] { return read_run_curves(run); }, "There are no training curves", facts.missing))
    facts.curves = std::move(*curves);
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
