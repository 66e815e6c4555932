#pragma once
// Which data a run works on: the section `data` of its config.

#include <string>

#include "gsan/core/options.h"
#include "gsan/topology/reorder.h"

namespace gsan {

struct DataSettings {
  std::string name = "flow";
  std::string path{};
  int points = 400;
  int signals = 0;
  int seed = 0;
  int max_order = 2;
  VertexOrder reorder = VertexOrder::given;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("name", self.name,
          "flow (generated), ocean, citation, proteins, nci1; with path: any name, for the records");
    visit("path", self.path, "a folder of your own data (docs/own-data.md); empty: the dataset called name");
    visit("points", self.points, "flow: points before the holes are cut");
    visit("signals", self.signals, "flow: how many walks; 0: as many as the protocol has");
    visit("seed", self.seed, "flow: which plane and which walks; flows of one seed live on one complex");
    visit(
        "max_order", self.max_order,
        "graphs: cliques of up to max_order + 1 nodes become simplices; citation: the highest order that is "
        "read, at least 6 and what the task needs");
    visit(
        "reorder", self.reorder,
        "one large complex: compute in an order of its vertices that keeps neighbours close in memory; rows, "
        "splits and predictions keep the order of the data");
  }
};

}  // namespace gsan
