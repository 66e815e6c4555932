#pragma once
// What a finished run of the tables left: a small JSON file without weights, below the folder of results.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gsan/train/manifest.h"
#include "gsan/train/run_record.h"

#include "apps/gsan/reproduce_plan.h"

namespace gsan::app {

struct TableRecord {
  std::filesystem::path file;        ///< below the folder of results
  FlatSettings settings;             ///< complete: what it is recognised by
  std::vector<std::string> foreign;  ///< what --set changed
  RunRecord result;
  Metrics last;               ///< validation of the last epoch
  std::vector<double> curve;  ///< a metric of every validation, where the table needs it
  std::string commit, version, torch, compiler, started, ended, machine;
  std::string device = "cpu";
  int threads = 1;
};

/// From the folder of a finished run. `curve`: a name of metrics.jsonl ("validation.accuracy"); empty: none.
TableRecord take_record(const std::filesystem::path& run_folder, const PlannedRun& run,
                        const std::string& curve);

/// Complete or not there.
void write_table_record(const std::filesystem::path& results, const TableRecord& record);

/// Nothing where there is none, or none that can be read.
std::optional<TableRecord> read_table_record(const std::filesystem::path& results,
                                             const std::filesystem::path& file);

/// All records of a folder, found by what the runs computed. Settings that a record does not know, because
/// they were introduced after it, do not count where the run leaves them as they are; any other difference
/// makes it another run.
class RecordStore {
 public:
  /// Files that are no records are listed in broken(), not an error: their runs are done again.
  explicit RecordStore(const std::filesystem::path& results);

  const TableRecord* find(const PlannedRun& run) const;
  /// Where the record's file of this run holds another one: what differs, "train.epochs: 50 then, 60 now".
  std::optional<std::string> stale(const PlannedRun& run) const;
  void add(TableRecord record);

  const std::map<std::filesystem::path, TableRecord>& all() const { return records_; }
  const std::vector<std::string>& broken() const { return broken_; }

 private:
  using Keys = std::vector<std::string>;
  std::map<std::filesystem::path, TableRecord> records_;                     // by file
  std::map<Keys, std::map<std::string, std::filesystem::path>> by_content_;  // keys of the settings → digest
  std::vector<std::string> broken_;
};

/// Whether the record is of this run, by the rule of RecordStore.
bool is_record_of(const TableRecord& record, const PlannedRun& run);

/// "Intel(R) Xeon(R) …, 2 cores"
std::string machine_name();

}  // namespace gsan::app
