#include "apps/gsan/console/dataset_report.h"

#include "gsan/core/check.h"

namespace gsan::app {

Json dataset_json(const Dataset& dataset, const DatasetReport& report) {
  Json json{{"name", dataset.name},         {"what", dataset.what},           {"terms", dataset.terms},
            {"citation", dataset.citation}, {"folder", dataset.folder},       {"size", dataset.size()},
            {"state", report.state()},      {"path", report.folder.string()}, {"files", Json::array()}};
  for (const FileReport& file : report.files) {
    Json entry{{"path", file.file.path},
               {"sha256", file.file.sha256},
               {"size", file.file.size},
               {"url", file.file.url}};
    if (!file.file.member.empty()) entry["member"] = file.file.member;
    entry["state"] = name_of(file.state);
    if (file.state == FileState::different) entry["found_sha256"] = file.sha256;
    json["files"].push_back(std::move(entry));
  }
  return json;
}

std::string dataset_notice(const Dataset& dataset) {
  std::string text = concat(dataset.name, ": ", dataset.what, "\n");
  if (!dataset.terms.empty()) text += concat("  terms: ", dataset.terms, "\n");
  if (!dataset.citation.empty()) text += concat("  cite:  ", dataset.citation, "\n");
  return text;
}

}  // namespace gsan::app
