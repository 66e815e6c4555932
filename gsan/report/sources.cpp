#include "gsan/report/sources.h"

#include <cstdio>

namespace gsan::report {

std::string Sources::summary() const {
  char hours[32];
  std::snprintf(hours, sizeof hours, "%.1f h", seconds / 3600);
  return concat(models, " runs and ", rules, " measurements of rules, ", first, " to ", last, ", ", hours,
                " of computing");
}

Sources sources_of(const RecordStore& store, const std::string& table,
                   const std::optional<Protocol>& protocol) {
  Sources sources;
  for (const Record& record : store.all()) {
    if (!table.empty() && record.table != table) continue;
    if (protocol && record.key.protocol != *protocol) continue;
    if (!record.key.by_hand.empty()) {
      ++sources.by_hand;
      continue;
    }
    const Origin& origin = record.origin;
    ++(record.key.kind == RecordKind::rules ? sources.rules : sources.models);
    sources.changed_tree += origin.is_changed_tree;
    sources.seconds += record.seconds;
    const std::string commit = origin.commit.empty() ? "unknown" : origin.commit.substr(0, 7);
    ++sources.commits[commit + (origin.is_changed_tree ? ", changed tree" : "")];
    ++sources.machines[origin.device == "cpu" ? origin.machine : concat(origin.machine, ", ", origin.device)];
    ++sources.builds[concat("gsan ", origin.version, ", torch ", origin.torch, ", ", origin.compiler)];
    if (sources.first.empty() || origin.started < sources.first) sources.first = origin.started;
    if (origin.ended > sources.last) sources.last = origin.ended;
  }
  return sources;
}

std::string counted(const std::map<std::string, int>& entries) {
  std::string text;
  for (const auto& [name, number] : entries)
    text += concat(text.empty() ? "" : "; ", name, " (", number, ")");
  return text;
}

}  // namespace gsan::report
