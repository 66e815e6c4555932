#include "gsan/data/formats/list_builder.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/check.h"
#include "gsan/topology/builder.h"

namespace gsan {

void ListBuilder::end_simplex(std::size_t place) {
  widths_.push_back(width_);
  places_.push_back(place);
  width_ = 0;
}

std::string ListBuilder::where(std::size_t place) const {
  return unit_ == "line" ? concat(source_, ":", place, ": ") : concat(source_, ": ", unit_, " ", place, ": ");
}

// A simplex of n vertices brings 2^n − 1 simplices with it, or its faces of order max_order, which the
// builder of the complex counts. So many are made by accident rather than on purpose: a line of 24 vertices
// takes more than a minute and 2 GiB.
void ListBuilder::check_size(std::size_t s, const ReadOptions& options) const {
  constexpr std::size_t most_vertices = 16;
  const std::size_t width = widths_[s];
  const bool is_cut = options.max_order >= 0 && width > static_cast<std::size_t>(options.max_order) + 1;
  const bool is_large = options.max_order < 0 && width > most_vertices;
  const bool is_beyond =
      std::exp2(static_cast<double>(width)) - 1 > static_cast<double>(options.limits.max_simplices);
  if (is_cut || !(is_large || is_beyond)) return;
  fail(Fault::resource, where(places_[s]), "a simplex with ", width, " vertices has 2^", width,
       " - 1 faces, ",
       is_beyond ? concat("more than max_simplices = ", options.limits.max_simplices)
                 : concat("and simplices of more than ", most_vertices,
                          " vertices are read only when max_order is given (--max-order ", width - 1,
                          ": all of its faces)"),
       "; max_order leaves out the larger ones (--max-order 2: triangles at most)");
}

std::vector<ListBuilder::Pending> ListBuilder::split_by_order(const Labels& labels,
                                                              const std::vector<Vertex>& vertices,
                                                              const ReadOptions& options) const {
  std::vector<Pending> orders;
  std::vector<Vertex> sorted;
  const Vertex* from = vertices.data();
  for (std::size_t s = 0; s < widths_.size(); from += widths_[s], ++s) {
    const std::size_t width = widths_[s];
    check_size(s, options);
    sorted.assign(from, from + width);
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      fail(Fault::format, where(places_[s]), "the vertices of a simplex must differ, got ",
           labels.text(std::span<const Vertex>(from, std::min<std::size_t>(width, 64))));
    }
    if (orders.size() < width) orders.resize(width);
    Pending& order = orders[width - 1];
    order.vertices.insert(order.vertices.end(), from, from + width);
    order.places.push_back(places_[s]);
  }
  return orders;
}

void ListBuilder::check_repeats(const ListedComplex& listed, const ListedSimplices& list,
                                const std::vector<std::size_t>& places) const {
  std::vector<Index> first(static_cast<std::size_t>(listed.complex.count(list.order)), -1);
  for (Index r = 0; r < list.size(); ++r) {
    Index& before = first[static_cast<std::size_t>(list.rows[r])];
    if (before >= 0) {
      fail(Fault::format, where(places[r]), listed.labels.text(list.simplex(r)), " repeats the simplex of ",
           unit_, " ", places[before], "; a simplex carries one value: list it once");
    }
    before = r;
  }
}

ListedComplex ListBuilder::build(Repeats repeats, const ReadOptions& options) {
  std::vector<Vertex> vertices;
  ListedComplex listed;
  listed.labels = labels_.finish(vertices);
  std::vector<Pending> orders = split_by_order(listed.labels, vertices, options);
  vertices = {};
  ComplexBuilder builder(options.limits);
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const int order = options.max_order < 0 ? static_cast<int>(k) : options.max_order;
    const std::span<const Vertex> table = orders[k].vertices;
    for (std::size_t start = 0; start < table.size(); start += k + 1)
      builder.add_skeleton(table.subspan(start, k + 1), order);
    if (order < static_cast<int>(k)) orders[k] = {};
  }
  listed.complex = builder.build();
  orders.resize(static_cast<std::size_t>(listed.complex.order() + 1));
  for (std::size_t k = 0; k < orders.size(); ++k) {
    listed.lists.push_back(
        place_simplices(listed.complex, static_cast<int>(k), std::move(orders[k].vertices)));
    if (repeats == Repeats::refuse) check_repeats(listed, listed.lists.back(), orders[k].places);
  }
  return listed;
}

}  // namespace gsan
