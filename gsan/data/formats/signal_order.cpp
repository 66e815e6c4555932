#include "gsan/data/formats/signal_order.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {
namespace {

void copy_row(std::span<const double> from, std::span<double> to, int sign) {
  std::transform(from.begin(), from.end(), to.begin(),
                 [sign](double value) { return sign < 0 ? -value : value; });
}

}  // namespace

ListedSimplices list_of(const Signal& signal, const ListedComplex& listed, int order) {
  const ListedSimplices& own = listed.list(order);
  const std::size_t width = signal.vertex_columns;
  if (width == 0) return own;
  GSAN_CHECK(width == static_cast<std::size_t>(order) + 1, "a signal of order ", order, " names ", order + 1,
             " vertices per row, this one names ", width);
  std::vector<Vertex> vertices;
  vertices.reserve(signal.simplices.size());
  for (std::size_t i = 0; i < signal.simplices.size(); ++i) {
    const auto vertex = listed.labels.find(signal.simplices[i]);
    GSAN_CHECK(vertex, "row ", i / width, " of the signal names vertex ", in_quotes(signal.simplices[i]),
               ", which is not in the complex");
    vertices.push_back(*vertex);
  }
  ListedSimplices list = place_simplices(listed.complex, order, std::move(vertices));
  for (Index r = 0; r < list.size(); ++r) {
    GSAN_CHECK(list.signs[r] != 0, "row ", r, " of the signal names ", listed.labels.text(list.simplex(r)),
               ", but the vertices of a simplex must differ");
    GSAN_CHECK(list.rows[r] >= 0, "row ", r, " of the signal names ", listed.labels.text(list.simplex(r)),
               ", which is not a simplex of the complex");
  }
  return list;
}

Signal to_complex_order(const Signal& signal, const ListedSimplices& list, const ListedComplex& listed,
                        bool oriented) {
  const int k = list.order;
  const Index count = listed.complex.count(k);
  GSAN_CHECK(signal.rows == list.rows.size(), "the signal has ", signal.rows, " rows, but the list has ",
             list.rows.size(), " simplices of order ", k, " (the complex: ", count,
             "); row r belongs to the r-th listed simplex of its order",
             list.rows.empty()
                 ? ": list the simplices of this order, or name the vertices in columns v0, v1, ..."
                 : "");
  Signal placed = missing_signal(static_cast<std::size_t>(count), signal.columns, signal.names);
  std::vector<Index> taken_by(static_cast<std::size_t>(count), -1);
  for (Index r = 0; r < list.size(); ++r) {
    Index& taken = taken_by[static_cast<std::size_t>(list.rows[r])];
    GSAN_CHECK(taken < 0, "rows ", taken, " and ", r,
               " of the signal give values to the same simplex, listed as ",
               listed.labels.text(list.simplex(taken)), " and ", listed.labels.text(list.simplex(r)),
               "; a simplex has one value: list it once");
    taken = r;
    copy_row(signal.row(static_cast<std::size_t>(r)), placed.row(static_cast<std::size_t>(list.rows[r])),
             oriented ? list.signs[r] : 1);
  }
  return placed;
}

Signal to_complex_order(const Signal& signal, const ListedComplex& listed, int order, bool oriented) {
  return to_complex_order(signal, list_of(signal, listed, order), listed, oriented);
}

Signal to_listed_order(const Signal& signal, const ListedSimplices& list, const ListedComplex& listed,
                       bool oriented) {
  const Index count = listed.complex.count(list.order);
  GSAN_CHECK(signal.rows == static_cast<std::size_t>(count), "a signal in the order of the complex has ",
             count, " rows for order ", list.order, ", got ", signal.rows);
  Signal back = missing_signal(list.rows.size(), signal.columns, signal.names);
  for (Index r = 0; r < list.size(); ++r) {
    copy_row(signal.row(static_cast<std::size_t>(list.rows[r])), back.row(static_cast<std::size_t>(r)),
             oriented ? list.signs[r] : 1);
  }
  back.vertex_columns = static_cast<std::size_t>(list.order) + 1;
  back.simplices.reserve(list.vertices.size());
  for (const Vertex vertex : list.vertices) back.simplices.push_back(listed.labels.text(vertex));
  return back;
}

Signal to_listed_order(const Signal& signal, const ListedComplex& listed, int order, bool oriented) {
  return to_listed_order(signal, listed.list(order), listed, oriented);
}

std::vector<std::uint8_t> has_value(const ListedSimplices& list, const ListedComplex& listed) {
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(listed.complex.count(list.order)), 0);
  for (const Index row : list.rows) mask[static_cast<std::size_t>(row)] = 1;
  return mask;
}

}  // namespace gsan
