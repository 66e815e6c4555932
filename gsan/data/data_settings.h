#pragma once
// Which data a run works on: the section `data` of its config. Some keys belong to every source of data, the
// others to the chosen one (data/sources); a key of another source is refused by name.

#include <string>

#include "gsan/core/any_options.h"
#include "gsan/topology/reorder.h"

namespace gsan {

struct DataSettings {
  std::string name{};
  std::string path{};
  VertexOrder reorder = VertexOrder::automatic;
  AnyOptions options{};  ///< of the source that name and path choose; what is missing has its default

  /// The keys of every source.
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("name", self.name, "a dataset; with path: any name, for the records");
    visit("path", self.path, "a folder of your own data (docs/own-data.md); empty: the dataset called name");
    visit("reorder", self.reorder,
          "models compute in an order of the simplices that keeps neighbours close in memory; automatic: on "
          "large complexes where it pays. Rows, splits and predictions keep the order of the data");
  }
};

/// The source's defaults. An unknown name, where there is no path, is an error with the nearest one.
DataSettings data_settings(const std::string& name, const std::string& path = "");

/// The same for another source, which keeps the values of the options that both have.
DataSettings with_source(const DataSettings& settings, const std::string& name, const std::string& path);

/// `start` with options by their names, those of the source included ("name", "points"). One error with every
/// unknown name and unreadable value.
DataSettings data_from_map(const OptionMap& options, const DataSettings& start = {});

/// The keys data.* of the source, with the values of the settings as defaults.
void add_data_keys(ConfigSchema& schema, const DataSettings& settings);
/// `start` with the values of the keys that add_data_keys() made for it.
DataSettings take_data(const Config& config, DataSettings start);

}  // namespace gsan
