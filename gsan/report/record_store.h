#pragma once
// All records of a folder, found by what the runs computed.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gsan/report/plan.h"
#include "gsan/report/records.h"

namespace gsan::report {

class RecordStore {
 public:
  /// Reads every *.jsonl of the folder, which may be missing. Lines that are no records are listed in
  /// broken(), not an error: what they stood for is measured again.
  explicit RecordStore(const std::filesystem::path& results);

  /// The record of the same kind with the same resolved config, whichever table it was made for.
  const Record* find(const PlannedRun& run) const;
  /// There is a record by this name, but its resolved config was another one.
  bool is_stale(const PlannedRun& run) const;
  void add(Record record);

  const std::vector<Record>& all() const { return records_; }
  const std::vector<std::string>& broken() const { return broken_; }

 private:
  std::vector<Record> records_;
  std::map<std::pair<RecordKind, std::string>, std::size_t> by_config_;  // kind, hash
  std::map<RunKey, std::size_t> by_key_;
  std::vector<std::string> broken_;
};

/// The file of a table's records.
std::filesystem::path table_file(const std::filesystem::path& results, const std::string& table);

/// Adds the record to its table's file, in the place of one with the same key; all other lines stay as they
/// are. The file is complete at any time; two processes must not write the same one at once.
void store_record(const std::filesystem::path& results, const Record& record);

}  // namespace gsan::report
