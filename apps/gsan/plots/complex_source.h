#pragma once
// A complex that is to be drawn: what it is, and where its vertices lie.

#include <string>
#include <vector>

#include "gsan/plot/complex_picture.h"

#include "apps/gsan/console/input.h"
#include "apps/gsan/plots/picture_output.h"

namespace gsan::app {

/// The complex with everything that its picture needs.
struct DrawnComplex {
  Input input;
  int dimension = 0;           ///< of the coordinates; 0: a layout was made
  std::vector<double> points;  ///< [N_0, dimension]
  VertexPlaces places;
  std::vector<std::string> labels;  ///< [N_0]

  const SimplicialComplex& complex() const { return input.file.listed.complex; }
};

/// A signal on one order, for a .vtu file.
struct OrderSignal {
  std::string name;
  int order = 0;
  std::vector<double> values;  ///< [N_order]
};

/// The complex, --points, --layout and --view.
struct ComplexSource {
  InputOptions input;
  std::string points, layout = "spring", view = "principal";

  void add_to(CLI::App& command);
  /// Coordinates are those of --points, else those of the file (meshes, points, examples), else a layout. The
  /// empty complex is an error.
  DrawnComplex read() const;
};

/// The complex with its signals for ParaView: the coordinates, or the layout where there are none.
std::string vtu_of(const DrawnComplex& drawn, const std::vector<OrderSignal>& signals);

/// One column of a table of values.
std::vector<double> column_of(const Signal& signal, std::size_t column);

/// The number of a column by its name, else by its number; an error that lists the columns.
std::size_t find_column(const std::vector<std::string>& columns, const std::string& name,
                        const std::string& source);

}  // namespace gsan::app
