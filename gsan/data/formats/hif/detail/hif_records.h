#pragma once
// The records of a HIF file, read one by one without keeping the JSON.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gsan {

struct HifName {
  std::string text;
  bool is_string = false;  ///< else it stood there as an integer
};

/// The fields of a record that matter; attributes are passed over.
struct HifRecord {
  std::optional<HifName> node, edge;
  std::optional<double> weight;
};

struct HifSink {
  /// A record of "nodes", "edges" or "incidences" and its number in that list.
  std::function<void(std::string_view list, std::size_t number, HifRecord&& record)> record;
  /// "network-type", checked to be asc, undirected or directed.
  std::function<void(std::string_view type)> network_type;
};

/// Parses the JSON and hands its records to `sink`. Fault::format where it is no JSON, no
/// HIF, or has no `incidences`.
void read_hif_records(std::string_view bytes, std::string_view source, const HifSink& sink);

}  // namespace gsan
