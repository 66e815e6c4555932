#include <algorithm>

#include "gsan/core/nearest.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/sources/own.h"
#include "gsan/data/sources/source.h"

// One row per source: NAME_sources() of NAME.cpp.
// clang-format off
#define GSAN_DATA_SOURCES(row) \
  row(islands) \
  row(flow) \
  row(ocean) \
  row(citation) \
  row(tu) \
  row(own)
// clang-format on

namespace gsan {

#define GSAN_DECLARE(name) std::vector<DataSource> name##_sources();
GSAN_DATA_SOURCES(GSAN_DECLARE)
#undef GSAN_DECLARE

namespace {

std::vector<DataSource> all_sources() {
  std::vector<DataSource> all;
#define GSAN_ADD(name) \
  for (DataSource & source : name##_sources()) all.push_back(std::move(source));
  GSAN_DATA_SOURCES(GSAN_ADD)
#undef GSAN_ADD
  return all;
}

const DataSource* source_called(const std::string& name) {
  const auto found = std::ranges::find(data_sources(), lower_case(name), &DataSource::name);
  return found != data_sources().end() ? &*found : nullptr;
}

template <class Wanted>
std::vector<std::string> names_of_sources(const Wanted& is_wanted) {
  std::vector<std::string> names;
  for (const DataSource& source : data_sources())
    if (!source.needs_path && is_wanted(source)) names.push_back(source.name);
  return names;
}

std::string choices(const std::string& of_what, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return concat(text.empty() ? "" : concat("; datasets", of_what, ": ", text),
                "; for data of your own set data.path=FOLDER, or --data FOLDER (docs/own-data.md)");
}

std::string unknown_name(const std::string& name) {
  const std::string nearest = nearest_word(lower_case(name), source_names());
  return concat("data.name: no dataset is called '", name, "'; did you mean '", nearest, "'?");
}

}  // namespace

bool DataSource::has(DataKind kind) const {
  switch (kind) {
    case DataKind::signals:
      return static_cast<bool>(signals);
    case DataKind::values:
      return static_cast<bool>(values);
    case DataKind::classes:
      return static_cast<bool>(classes);
    case DataKind::targets:
      return static_cast<bool>(targets);
    case DataKind::complexes:
      return static_cast<bool>(complexes);
    case DataKind::candidates:
      return static_cast<bool>(candidates);
  }
  return false;
}

const std::vector<DataSource>& data_sources() {
  static const std::vector<DataSource> sources = all_sources();
  return sources;
}

std::vector<std::string> source_names() {
  return names_of_sources([](const DataSource&) { return true; });
}

DataSource find_source(const std::string& name, const std::string& path) {
  if (!path.empty()) return own_source(path);
  if (const DataSource* source = source_called(name)) return *source;
  fail(Fault::argument, unknown_name(name), choices("", source_names()));
}

DataSource find_source(const std::string& name, const std::string& path, DataKind kind) {
  if (!path.empty()) return own_source(path);
  const DataSource* source = source_called(name);
  if (source != nullptr && source->has(kind)) return *source;
  fail(Fault::argument,
       source == nullptr ? unknown_name(name) : concat("data.name: '", name, "' has no ", name_of(kind)),
       choices(concat(" of ", name_of(kind)),
               names_of_sources([&](const DataSource& other) { return other.has(kind); })));
}

}  // namespace gsan
