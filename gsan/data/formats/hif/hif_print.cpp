#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gsan/core/check.h"
#include "gsan/data/formats/hif/hif.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

using nlohmann::json;

void append_weight(std::string& text, const ComplexFile& file, std::size_t order, Index r) {
  if (order >= file.values.size() || file.values[order].columns == 0) return;
  const Signal& values = file.values[order];
  GSAN_CHECK(values.columns == 1 && values.rows == file.listed.lists[order].rows.size(),
             "HIF holds one weight per listed simplex: order ", order, " has ",
             file.listed.lists[order].rows.size(), " simplices, its values are [", values.rows, ", ",
             values.columns, "]");
  const double weight = values.values[static_cast<std::size_t>(r)];
  if (std::isnan(weight)) return;
  GSAN_CHECK(std::isfinite(weight), "HIF weights must be finite, row ", r, " of order ", order, " is not");
  text += ",\"weight\":";
  append_number(text, weight);
}

}  // namespace

std::string print_hif(const ComplexFile& file) {
  const ListedComplex& listed = file.listed;
  const auto node = [&](Vertex vertex) {
    const std::string label = listed.labels.text(vertex);
    if (listed.labels.is_integer(vertex)) return label;
    try {
      return json(label).dump();
    } catch (const json::exception&) {
      fail(Fault::argument, "HIF holds UTF-8 only, the label ", in_quotes(label), " is not");
    }
  };
  std::string nodes, edges, incidences;
  std::vector<bool> written(static_cast<std::size_t>(listed.complex.count(0)),
                            false);  // HIF lists a node once
  std::int64_t edge = 0;
  for (std::size_t k = 0; k < listed.lists.size(); ++k) {
    const ListedSimplices& list = listed.lists[k];
    for (Index r = 0; r < list.size(); ++r) {
      if (k == 0 && written[static_cast<std::size_t>(list.rows[r])]) continue;
      if (k == 0) written[static_cast<std::size_t>(list.rows[r])] = true;
      std::string& records = k == 0 ? nodes : edges;
      records += records.empty() ? "\n    {" : ",\n    {";
      records += k == 0 ? "\"node\":" + node(list.simplex(r)[0]) : "\"edge\":" + std::to_string(edge);
      append_weight(records, file, k, r);
      records += '}';
      if (k == 0) continue;
      for (const Vertex vertex : list.simplex(r)) {
        incidences += incidences.empty() ? "\n    {" : ",\n    {";
        incidences += "\"edge\":" + std::to_string(edge) + ",\"node\":" + node(vertex) + "}";
      }
      ++edge;
    }
  }
  return "{\n  \"network-type\": \"asc\",\n  \"nodes\": [" + nodes + "],\n  \"edges\": [" + edges +
         "],\n  \"incidences\": [" + incidences + "]\n}\n";
}

}  // namespace gsan
