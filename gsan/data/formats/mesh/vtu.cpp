#include "gsan/data/formats/mesh/vtu.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <type_traits>

#include "gsan/core/base64.h"
#include "gsan/core/check.h"
#include "gsan/core/markup.h"

namespace gsan {
namespace {

constexpr int last_order = 3;
constexpr std::array<std::uint8_t, 4> cell_types{1, 3, 5, 10};  // VTK_VERTEX, _LINE, _TRIANGLE, _TETRA

template <class Number>
constexpr const char* type_name = std::is_same_v<Number, double>         ? "Float64"
                                  : std::is_same_v<Number, std::int64_t> ? "Int64"
                                                                         : "UInt8";

// Little-endian whatever this machine is.
template <class Number>
void append_bytes(std::string& bytes, Number number) {
  std::uint64_t bits = 0;
  if constexpr (std::is_same_v<Number, double>)
    bits = std::bit_cast<std::uint64_t>(number);
  else
    bits = static_cast<std::uint64_t>(number);
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes += static_cast<char>(bits >> (8 * i) & 255);
}

template <class Number>
void add_array(std::string& text, const std::string& name, const std::vector<Number>& values,
               int components = 1) {
  std::string bytes;
  append_bytes(bytes, static_cast<std::uint64_t>(values.size() * sizeof(Number)));
  for (const Number value : values) append_bytes(bytes, value);
  text += concat("        <DataArray type=\"", type_name<Number>, "\" Name=\"", escape_markup(name),
                 "\" NumberOfComponents=\"", components, "\" format=\"binary\">", base64(bytes),
                 "</DataArray>\n");
}

void add_cells(std::string& text, const SimplicialComplex& complex) {
  std::vector<std::int64_t> connectivity, offsets;
  std::vector<std::uint8_t> types;
  for (int k = 0; k <= std::min(complex.order(), last_order); ++k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      for (const Vertex v : complex.vertices(k, i)) connectivity.push_back(v);
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
      types.push_back(cell_types[static_cast<std::size_t>(k)]);
    }
  }
  text += "      <Cells>\n";
  add_array(text, "connectivity", connectivity);
  add_array(text, "offsets", offsets);
  add_array(text, "types", types);
  text += "      </Cells>\n";
}

// One for each signal: readers find arrays by their names.
std::vector<std::string> array_names(std::span<const VtuSignal> signals) {
  std::map<std::string, int> uses{{"order", 1}};
  for (const VtuSignal& signal : signals) ++uses[signal.name];
  std::set<std::string> taken{"order"};
  std::vector<std::string> names;
  for (const VtuSignal& signal : signals) {
    const std::string plain =
        uses[signal.name] == 1 ? signal.name : concat(signal.name, " (order ", signal.order, ")");
    std::string name = plain;
    for (int n = 2; !taken.insert(name).second; ++n) name = concat(plain, " ", n);
    names.push_back(std::move(name));
  }
  return names;
}

void add_cell_data(std::string& text, const SimplicialComplex& complex, std::span<const VtuSignal> signals,
                   const std::vector<std::string>& names) {
  std::vector<std::uint8_t> orders;
  std::array<std::size_t, last_order + 2> first{};  // cell of the first simplex of each order
  for (int k = 0; k <= last_order; ++k) {
    orders.insert(orders.end(), static_cast<std::size_t>(complex.count(k)), static_cast<std::uint8_t>(k));
    first[static_cast<std::size_t>(k) + 1] = orders.size();
  }
  text += "      <CellData>\n";
  add_array(text, "order", orders);
  for (std::size_t s = 0; s < signals.size(); ++s) {
    const VtuSignal& signal = signals[s];
    std::vector<double> cells(orders.size(), std::numeric_limits<double>::quiet_NaN());
    std::copy(signal.values.begin(), signal.values.end(),
              cells.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(signal.order)]));
    add_array(text, names[s], cells);
  }
  text += "      </CellData>\n";
}

}  // namespace

std::string print_vtu(const SimplicialComplex& complex, std::span<const double> points, int dimension,
                      std::span<const VtuSignal> signals) {
  const auto vertices = static_cast<std::size_t>(complex.count(0));
  const auto d = static_cast<std::size_t>(std::max(dimension, 0));
  GSAN_CHECK(dimension >= 1 && points.size() == vertices * d, "print_vtu: ", vertices, " vertices of ",
             dimension, " coordinates need ", vertices * d, " numbers, got ", points.size());
  std::size_t cells = 0;
  for (int k = 0; k <= last_order; ++k) cells += static_cast<std::size_t>(complex.count(k));
  for (const VtuSignal& signal : signals) {
    GSAN_CHECK(signal.order >= 0 && signal.order <= last_order,
               "print_vtu: cells have orders 0 to 3, signal '", signal.name, "' is of order ", signal.order);
    GSAN_CHECK(signal.values.size() == static_cast<std::size_t>(complex.count(signal.order)),
               "print_vtu: signal '", signal.name, "' has ", signal.values.size(), " values, there are ",
               complex.count(signal.order), " simplices of order ", signal.order);
  }
  std::vector<double> places(3 * vertices);
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t c = 0; c < std::min<std::size_t>(d, 3); ++c) places[3 * v + c] = points[v * d + c];

  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "  <UnstructuredGrid>\n";
  text += concat("    <Piece NumberOfPoints=\"", vertices, "\" NumberOfCells=\"", cells,
                 "\">\n      <PointData>\n");
  const std::vector<std::string> names = array_names(signals);
  for (std::size_t s = 0; s < signals.size(); ++s)
    if (signals[s].order == 0) add_array(text, names[s], signals[s].values);
  text += "      </PointData>\n";
  add_cell_data(text, complex, signals, names);
  text += "      <Points>\n";
  add_array(text, "points", places, 3);
  text += "      </Points>\n";
  add_cells(text, complex);
  return text + "    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace gsan
