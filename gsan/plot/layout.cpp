#include "gsan/plot/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/plot/detail/layout_graph.h"

namespace gsan {
namespace {

struct Box {
  double left = std::numeric_limits<double>::infinity(), bottom = left, right = -left, top = -left;
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

Box box_of(const std::vector<double>& places) {
  Box box;
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
    box.left = std::min(box.left, places[i]), box.right = std::max(box.right, places[i]);
    box.bottom = std::min(box.bottom, places[i + 1]), box.top = std::max(box.top, places[i + 1]);
  }
  return box;
}

// Longer side along x: a picture is wider than it is high.
void lay_flat(std::vector<double>& places) {
  const double n = static_cast<double>(places.size() / 2);
  double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < places.size(); i += 2) mx += places[i] / n, my += places[i + 1] / n;
  for (std::size_t i = 0; i < places.size(); i += 2) {
    const double dx = places[i] - mx, dy = places[i + 1] - my;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  const double angle = 0.5 * std::atan2(2 * xy, xx - yy), c = std::cos(angle), s = std::sin(angle);
  for (std::size_t i = 0; i < places.size(); i += 2) {
    const double dx = places[i] - mx, dy = places[i + 1] - my;
    places[i] = c * dx + s * dy, places[i + 1] = c * dy - s * dx;
  }
}

}  // namespace

LayoutKind layout_kind(std::string_view name) {
  if (name == "spring") return LayoutKind::spring;
  GSAN_CHECK(name == "spectral", "layout: must be spring or spectral, got '", name, "'");
  return LayoutKind::spectral;
}

std::vector<double> vertex_layout(const SimplicialComplex& complex, LayoutKind kind) {
  std::vector<double> all(2 * static_cast<std::size_t>(complex.count(0)));
  std::vector<std::vector<double>> parts;
  const std::vector<LayoutGraph> graphs = layout_graphs(complex);
  double area = 0, widest = 0;
  for (const LayoutGraph& graph : graphs) {
    parts.push_back(kind == LayoutKind::spring ? spring_places(graph) : spectral_places(graph));
    lay_flat(parts.back());
    const Box box = box_of(parts.back());
    area += (box.width() + 1) * (box.height() + 1);
    widest = std::max(widest, box.width() + 1);
  }
  // Shelves from the top, filled from the left, each as high as its first component.
  const double width = std::max(widest, std::sqrt(1.6 * area));
  double x = 0, top = 0, shelf = 0;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const Box box = box_of(parts[g]);
    if (x > 0 && x + box.width() + 1 > width * (1 + 1e-9)) x = 0, top -= shelf, shelf = 0;
    shelf = std::max(shelf, box.height() + 1);
    for (std::size_t i = 0; i < graphs[g].size(); ++i) {
      const auto v = static_cast<std::size_t>(graphs[g].vertices[i]);
      all[2 * v] = x + parts[g][2 * i] - box.left;
      all[2 * v + 1] = top - (box.top - parts[g][2 * i + 1]);
    }
    x += box.width() + 1;
  }
  return all;
}

}  // namespace gsan
