#include "gsan/topology/examples.h"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/topology/builder.h"
#include "gsan/topology/hex_grid.h"

namespace gsan {
namespace {

using Simplices = std::vector<std::vector<Vertex>>;

EmbeddedComplex abstract(const Simplices& simplices) { return {from_maximal_simplices(simplices), 0, {}}; }

EmbeddedComplex annulus() { return hex_grid(21, 28, std::array{Disc{8, 8.66, 3.1}, Disc{19.5, 8.66, 3.1}}); }

EmbeddedComplex punctured_plane() {
  const double h = std::numbers::sqrt3 / 2;  // height of a row
  return hex_grid(9, 12,
                  std::array{Disc{3, 4 * h, 0}, Disc{6, 2 * h, 0}, Disc{6, 6 * h, 0}, Disc{9, 4 * h, 0}});
}

EmbeddedComplex disc() { return hex_grid(7, 8); }

// The boundary of the octahedron: poles 0 and 5, equator 1 2 3 4.
EmbeddedComplex sphere() {
  EmbeddedComplex sphere =
      abstract({{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 1, 4}, {5, 1, 2}, {5, 2, 3}, {5, 3, 4}, {5, 1, 4}});
  sphere.dimension = 3;
  sphere.points = {0, 0, 1, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1};
  return sphere;
}

EmbeddedComplex three_sphere() {
  return abstract({{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 3, 4}, {0, 2, 3, 4}, {1, 2, 3, 4}});
}

// Moebius's torus: 7 vertices, all 21 edges.
EmbeddedComplex torus() {
  Simplices triangles;
  for (Vertex i = 0; i < 7; ++i) {
    triangles.push_back({i, (i + 1) % 7, (i + 3) % 7});
    triangles.push_back({i, (i + 2) % 7, (i + 3) % 7});
  }
  return abstract(triangles);
}

// A strip of `columns` squares of height `height`, each cut in two, whose ends are joined after
// a flip. `closed` also joins top and bottom.
EmbeddedComplex flipped_strip(Index columns, Index height, bool closed) {
  const Index levels = closed ? height : height + 1;
  const auto vertex = [&](Index column, Index level) {
    if (column == columns) {
      column = 0;
      level = height - level;
    }
    return column * levels + level % levels;
  };
  Simplices triangles;
  for (Index c = 0; c < columns; ++c) {
    for (Index y = 0; y < height; ++y) {
      triangles.push_back({vertex(c, y), vertex(c + 1, y), vertex(c + 1, y + 1)});
      triangles.push_back({vertex(c, y), vertex(c, y + 1), vertex(c + 1, y + 1)});
    }
  }
  return abstract(triangles);
}

EmbeddedComplex klein_bottle() { return flipped_strip(3, 3, true); }

EmbeddedComplex moebius_strip() { return flipped_strip(5, 1, false); }

// The icosahedron with opposite points joined: 6 vertices, all 15 edges.
EmbeddedComplex projective_plane() {
  return abstract({{0, 1, 2},
                   {0, 2, 3},
                   {0, 3, 4},
                   {0, 4, 5},
                   {0, 1, 5},
                   {1, 2, 4},
                   {2, 3, 5},
                   {1, 3, 4},
                   {2, 4, 5},
                   {1, 3, 5}});
}

// Three squares that share vertex 0.
EmbeddedComplex wedge_of_circles() {
  Simplices edges;
  EmbeddedComplex wedge;
  wedge.points = {0, 0};
  for (Vertex circle = 0; circle < 3; ++circle) {
    const Vertex a = 3 * circle + 1;
    edges.insert(edges.end(), {{0, a}, {a, a + 1}, {a + 1, a + 2}, {0, a + 2}});
    for (int corner = 1; corner <= 3; ++corner) {  // of a square with its diagonal along `angle`
      const double angle = 2 * std::numbers::pi * circle / 3 + (corner - 2) * std::numbers::pi / 4;
      const double radius = corner == 2 ? std::numbers::sqrt2 : 1;
      wedge.points.insert(wedge.points.end(), {radius * std::cos(angle), radius * std::sin(angle)});
    }
  }
  wedge.complex = from_maximal_simplices(edges);
  wedge.dimension = 2;
  return wedge;
}

EmbeddedComplex tetrahedron() {
  EmbeddedComplex solid = abstract({{0, 1, 2, 3}});
  solid.dimension = 3;
  solid.points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  return solid;
}

struct Entry {
  Example example;
  EmbeddedComplex (*make)();
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{"annulus", "annulus with two holes: a patch of the plane, 21 x 28 lattice points", {1, 2, 0}},
       annulus},
      {{"punctured-plane", "a patch of the plane with four points taken out", {1, 4, 0}}, punctured_plane},
      {{"disc", "a patch of the plane without holes", {1, 0, 0}}, disc},
      {{"sphere", "the surface of the octahedron", {1, 0, 1}}, sphere},
      {{"torus", "Moebius's torus with 7 vertices", {1, 2, 1}}, torus},
      {{"klein-bottle", "Klein bottle with 9 vertices (over the field of 2 elements: 1 2 1)", {1, 1, 0}},
       klein_bottle},
      {{"projective-plane",
        "projective plane with 6 vertices (over the field of 2 elements: 1 1 1)",
        {1, 0, 0}},
       projective_plane},
      {{"moebius-strip", "Moebius strip of ten triangles", {1, 1, 0}}, moebius_strip},
      {{"wedge-of-circles", "three circles that share one vertex", {1, 3}}, wedge_of_circles},
      {{"tetrahedron", "one filled tetrahedron", {1, 0, 0, 0}}, tetrahedron},
      {{"three-sphere", "the boundary of the 4-simplex", {1, 0, 0, 1}}, three_sphere},
  };
  return all;
}

}  // namespace

std::span<const Example> examples() {
  static const std::vector<Example> list = [] {
    std::vector<Example> made;
    for (const Entry& entry : entries()) made.push_back(entry.example);
    return made;
  }();
  return list;
}

EmbeddedComplex example_complex(std::string_view name) {
  for (const Entry& entry : entries()) {
    if (entry.example.name == name) return entry.make();
  }
  fail(Fault::argument, "example_complex: there is no example '", name, "'; the examples are ",
       joined(entries(), ", ", [](const Entry& entry) { return entry.example.name; }));
}

}  // namespace gsan
