#pragma once
// Where records come from: how many, when, on which machines, from which commits.

#include <map>
#include <optional>
#include <string>

#include "gsan/report/record_store.h"

namespace gsan::report {

/// Names with their number of records.
struct Sources {
  std::map<std::string, int> commits{}, machines{}, builds{};
  std::string first{}, last{};  ///< UTC
  double seconds = 0;
  int models = 0, rules = 0;
  int by_hand = 0;       ///< beside them: with changed settings (--set, --time)
  int changed_tree = 0;  ///< of a changed tree

  /// "12 runs and 30 measurements of rules, FIRST to LAST, 1.2 h of computing"
  std::string summary() const;
};

/// Of all records, or those of a table under a protocol.
Sources sources_of(const RecordStore& store, const std::string& table = {},
                   const std::optional<Protocol>& protocol = {});

/// "a (3); b (1)"
std::string counted(const std::map<std::string, int>& entries);

}  // namespace gsan::report
