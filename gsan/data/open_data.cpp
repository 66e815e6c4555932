#include "gsan/data/open_data.h"

#include "gsan/data/sources/source.h"

namespace gsan {
namespace {

template <class Open, class... Arguments>
auto opened(const DataSettings& settings, DataKind kind, Open DataSource::*open, Arguments... arguments) {
  const DataSource source = find_source(settings.name, settings.path, kind);
  AnyOptions options = source.options;
  options.set(settings.options.map(), concat("the data of '", source.name, "'"));
  std::vector<std::string> faults;
  options.add_faults(faults, "data.");
  options::report("the settings of the data", faults);
  return (source.*open)(options, arguments...);
}

}  // namespace

OpenedData<SignalDataset> open_signals(const DataSettings& settings, int signals) {
  return opened(settings, DataKind::signals, &DataSource::signals, signals);
}

OpenedData<ValueDataset> open_values(const DataSettings& settings, bool by_position, int order) {
  return opened(settings, DataKind::values, &DataSource::values, by_position, order);
}

OpenedData<ValueDataset> open_classes(const DataSettings& settings) {
  return opened(settings, DataKind::classes, &DataSource::classes);
}

OpenedData<ValueDataset> open_targets(const DataSettings& settings) {
  return opened(settings, DataKind::targets, &DataSource::targets);
}

OpenedData<ComplexDataset> open_complexes(const DataSettings& settings) {
  return opened(settings, DataKind::complexes, &DataSource::complexes);
}

OpenedData<CandidateDataset> open_candidates(const DataSettings& settings, int order) {
  return opened(settings, DataKind::candidates, &DataSource::candidates, order);
}

}  // namespace gsan
