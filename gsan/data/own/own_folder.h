#pragma once
// A folder of the user's own data (docs/own-data.md): its files, its settings, its complex.

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gsan/data/formats/listed_complex.h"
#include "gsan/data/opened_data.h"
#include "gsan/data/own/own_settings.h"

namespace gsan {

/// It knows which files were asked for: what nobody reads is refused by name at the end.
class OwnFolder {
 public:
  /// Fault::io unless it is a folder. Reads dataset.yaml where there is one. The settings say how complexes
  /// are read.
  explicit OwnFolder(std::filesystem::path path, const OwnSettings& settings = {});

  const std::filesystem::path& path() const { return path_; }
  // Of dataset.yaml; else the name of the folder, and what the kind of data has by itself.
  const std::string& name() const { return name_; }
  int order(int otherwise) const { return order_.value_or(otherwise); }
  bool oriented(bool otherwise) const { return oriented_.value_or(otherwise); }
  std::optional<bool> declared_orientation() const { return oriented_; }

  const OwnSettings& settings() const { return settings_; }

  /// Of these names the one that is there, plain or with .gz behind it, or none. Two are Fault::format: which
  /// one counts?
  std::optional<std::string> find(const std::vector<std::string>& names);
  std::string source(const std::string& file) const { return (path_ / file).string(); }  ///< for messages
  std::string read(const std::string& file);  ///< its bytes, unpacked; the sum of the file is remembered

  /// The orders K with a file STEM_K.csv or STEM_K.npy, increasing.
  std::vector<int> orders_of(const std::string& stem);

  bool has_complex() const { return !complex_files().empty(); }
  /// The one file complex.*, in any format of data/formats, or Benson's files, or points.csv where the
  /// settings lift points; lifted by the settings.
  ListedComplex read_complex();
  /// The same; without such a file the simplices that the tables STEM_K.csv name in columns v0 … vK.
  ListedComplex read_complex_or_tables(const std::vector<std::string>& stems);

  /// Fault::format for a file that was not read, with the nearest name of those that are. Hidden files,
  /// README*, LICENSE*, *.md, split.* and sub-folders may be there.
  void refuse_unread() const;

  /// Of everything that was read, in that order.
  const DataHashes& hashes() const { return hashes_; }
  void add_hash(const std::string& file, const std::string& sha256) { hashes_.emplace_back(file, sha256); }

 private:
  std::vector<std::string> complex_files() const;
  std::vector<std::string> known_names(const std::string& like) const;
  std::string bytes_of(const std::string& file);  // unpacked, without a sum
  void read_settings();

  std::filesystem::path path_;
  OwnSettings settings_;
  std::string name_;
  std::optional<int> order_;
  std::optional<bool> oriented_;
  DataHashes hashes_;
  std::set<std::string> asked_, stems_;  // names, and stems of tables, that somebody looked for
  std::set<std::string> read_;
};

}  // namespace gsan
