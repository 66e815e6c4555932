#include "gsan/report/record_store.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "gsan/core/atomic_file.h"
#include "gsan/core/make_folder.h"

namespace gsan::report {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream stream(read_file(file));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::optional<RunKey> key_of(const std::string& line) {
  try {
    return parse_record_line(line).key;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

fs::path table_file(const fs::path& results, const std::string& table) {
  return results / (table + ".jsonl");
}

RecordStore::RecordStore(const fs::path& results) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(results, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".jsonl") files.push_back(at->path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::vector<std::string> lines = lines_of(file);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].empty()) continue;
      try {
        Record record = parse_record_line(lines[i]);
        record.table = file.stem().string();
        add(std::move(record));
      } catch (const Error& fault) {
        broken_.push_back(concat(file.string(), ":", i + 1, " is not a record: ", fault.what()));
      }
    }
  }
}

void RecordStore::add(Record record) {
  const auto [place, is_new] = by_key_.emplace(record.key, records_.size());
  if (is_new) {
    records_.push_back(std::move(record));
  } else {
    Record& before = records_[place->second];
    if (const auto known = by_config_.find({before.key.kind, before.resolved});
        known != by_config_.end() && known->second == place->second)
      by_config_.erase(known);
    before = std::move(record);
  }
  const Record& added = records_[place->second];
  by_config_.insert_or_assign({added.key.kind, added.resolved}, place->second);
}

const Record* RecordStore::find(const PlannedRun& run) const {
  const auto found = by_config_.find({run.key.kind, run.resolved});
  return found == by_config_.end() ? nullptr : &records_[found->second];
}

bool RecordStore::is_stale(const PlannedRun& run) const {
  return by_key_.contains(run.key) && find(run) == nullptr;
}

void store_record(const fs::path& results, const Record& record) {
  std::error_code error;
  make_folder(results);
  const fs::path file = table_file(results, record.table);
  std::string text;
  if (fs::exists(file, error))
    for (const std::string& line : lines_of(file))
      if (!line.empty() && key_of(line) != record.key) text += line + "\n";
  write_file_atomically(file, text + record_line(record) + "\n");
}

}  // namespace gsan::report
