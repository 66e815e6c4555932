// gsan data: the public datasets, where they are, and how they get there.

#include <iostream>
#include <memory>
#include <optional>

#include "gsan/core/long_work.h"
#include "gsan/data/fetch/catalog_json.h"
#include "gsan/data/fetch/fetch.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/dataset_report.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

struct DataOptions {
  std::string name;                // path
  std::vector<std::string> names;  // verify, fetch
  std::string catalog_file;
  std::vector<std::string> look_in;
  std::string from, ca_file;
  int stall_timeout = 60;
  ReportOptions report;

  std::vector<Dataset> datasets() const {
    return catalog_file.empty() ? catalog() : read_catalog(catalog_file);
  }
  std::vector<Dataset> named() const { return find_datasets(names, datasets()); }
  DataCache cache() const { return DataCache::standard({look_in.begin(), look_in.end()}); }
};

Json report_named(const char* command) {
  return {{"command", concat("data ", command)}, {"datasets", Json::array()}};
}

ExitCode list(const DataOptions& options) {
  Json report = report_named("list");
  Table table({"name", "size", "state", "folder"});
  std::string notices;
  const DataCache cache = options.cache();
  for (const Dataset& dataset : options.datasets()) {
    const DatasetReport found = cache.inspect(dataset);
    report["datasets"].push_back(dataset_json(dataset, found));
    table.add({dataset.name, show_bytes(dataset.size()), found.state(), found.folder.string()});
    notices += "\n" + dataset_notice(dataset);
  }
  options.report.write(report, table.text() + notices);
  return ExitCode::success;
}

ExitCode path(const DataOptions& options) {
  const std::vector<Dataset> datasets = options.datasets();
  const Dataset& dataset = find_dataset(options.name, datasets);
  const std::string folder = options.cache().require(dataset).string();
  options.report.write({{"command", "data path"}, {"name", dataset.name}, {"path", folder}}, folder + "\n");
  return ExitCode::success;
}

// Named datasets must be complete; of all others only what is there is judged.
ExitCode verify(const DataOptions& options) {
  Json report = report_named("verify");
  Table table({"dataset", "state", "file"});
  std::string advice;
  bool damaged = false, incomplete = false;
  const DataCache cache = options.cache();
  for (const Dataset& dataset : options.names.empty() ? options.datasets() : options.named()) {
    const DatasetReport found = cache.inspect(dataset);
    report["datasets"].push_back(dataset_json(dataset, found));
    for (const FileReport& file : found.files) {
      table.add({dataset.name, name_of(file.state), file.path.string()});
      damaged = damaged || file.state == FileState::different;
    }
    if (found.is_complete() || (options.names.empty() && found.is_absent())) continue;
    incomplete = true;
    advice += concat(dataset.name, " is not complete: run 'gsan data fetch ", dataset.name, "', or ",
                     how_to_place(found), "\n");
  }
  options.report.write(report, table.text() + advice);
  return damaged ? ExitCode::format : incomplete ? ExitCode::io : ExitCode::success;
}

// Fetches what is missing of one dataset; `addresses` are those that were asked.
DatasetReport fetch_one(const Dataset& dataset, const DataOptions& options, Json& addresses) {
  std::optional<LongWork> work;
  FetchOptions fetching{.from = options.from};
  fetching.download.ca_file = options.ca_file;
  fetching.download.stall_timeout = std::chrono::seconds(options.stall_timeout);
  fetching.download.progress = [&](std::uint64_t received, std::uint64_t total) {
    if (work && total > 0) work->reach(static_cast<double>(received) / static_cast<double>(total));
  };
  fetching.starting = [&](const std::string& url) {
    work.reset();
    work.emplace(concat("downloading ", url.substr(url.rfind('/') + 1)), 1);
    addresses.push_back(url);
  };
  fetching.waiting = [&] {
    if (!options.report.json)
      std::cout << dataset.name << ": another process is fetching it; waiting" << std::endl;
  };
  return gsan::fetch(dataset, options.cache(), fetching);
}

ExitCode fetch(const DataOptions& options) {
  const std::vector<Dataset> datasets = options.named();
  if (!options.report.json) {
    for (const Dataset& dataset : datasets) std::cout << dataset_notice(dataset);
    std::cout << std::flush;
  }
  Json report = report_named("fetch");
  std::string text;
  for (const Dataset& dataset : datasets) {
    Json addresses = Json::array();
    const DatasetReport found = fetch_one(dataset, options, addresses);
    for (const Json& url : addresses) text += concat("fetched ", url.get<std::string>(), "\n");
    text +=
        concat(dataset.name, ": verified, ", show_bytes(dataset.size()), " in ", found.folder.string(), "\n");
    report["datasets"].push_back(dataset_json(dataset, found));
    report["datasets"].back()["fetched"] = std::move(addresses);
  }
  options.report.write(report, text);
  return ExitCode::success;
}

}  // namespace

Command add_data(CLI::App& app) {
  auto options = std::make_shared<DataOptions>();
  auto action = std::make_shared<std::function<ExitCode()>>();
  CLI::App* command = app.add_subcommand("data", "Public datasets: list, fetch, verify");
  command->require_subcommand(1);
  command->footer("Example:\n  gsan data list");
  const auto add = [&](const std::string& name, const std::string& help, const std::string& footer,
                       ExitCode (*run)(const DataOptions&)) {
    CLI::App* part = command->add_subcommand(name, help);
    part->footer(footer);
    part->add_option("--catalog", options->catalog_file,
                     "your own datasets: a JSON file like the output of 'gsan data list --json'");
    part->add_option("--look-in", options->look_in,
                     "another folder of datasets, only read; may be given several times\n"
                     "(environment: GSAN_DATA, several separated by colons)")
        ->allow_extra_args(false);
    options->report.add_to(*part, false);
    part->callback([=] { *action = [=] { return run(*options); }; });
    return part;
  };
  add("list", "Every dataset with its size, its terms and where it is", "Example:\n  gsan data list", list);
  add("path", "The folder of a dataset that is there and verified",
      "Where files are missing (exit code 6) or differ (4), it says which to put where:\n"
      "  gsan data path ocean",
      path)
      ->add_option("name", options->name, "the dataset")
      ->required();
  add("verify", "Compare every file with its SHA-256",
      "Example:\n  gsan data verify\n\nExit codes: 4 a file differs; 6 a file is missing.", verify)
      ->add_option("names", options->names, "datasets that must be complete (default: what is there)");
  CLI::App* part = add("fetch", "Download what is missing into the cache, over https",
                       "From the public address, or from a mirror:\n  gsan data fetch ocean proteins\n"
                       "  gsan data fetch ocean --from https://mirror.example.org/files",
                       fetch);
  part->add_option("names", options->names, "the datasets")->required();
  part->add_option("--from", options->from, "https address of a folder that holds the same files");
  part->add_option("--ca-file", options->ca_file,
                   "authorities to trust in place of the system's, PEM (environment: GSAN_CA_FILE)")
      ->envname("GSAN_CA_FILE");
  part->add_option("--stall-timeout", options->stall_timeout,
                   "give up a server that brings less than 1 KiB a second for so many seconds")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  return {command, [action] { return (*action)(); }};
}

}  // namespace gsan::app
