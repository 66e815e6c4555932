#include "gsan/plot/projection.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "gsan/core/check.h"

namespace gsan {
namespace {

using Axis = std::vector<double>;

struct Axes {
  Axis x, y, depth;  // depth: empty for what is flat
};

Axis unit_axis(int dimension, int k) {
  Axis axis(static_cast<std::size_t>(dimension));
  axis[static_cast<std::size_t>(k)] = 1;
  return axis;
}

bool is_finite(std::span<const double> point) {
  for (const double value : point)
    if (!std::isfinite(value)) return false;
  return true;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Sum of (p − mean)(p − mean)ᵀ over the finite points, [dimension, dimension].
std::vector<double> scatter(std::span<const double> points, std::size_t d) {
  std::vector<double> mean(d), sum(d * d);
  double count = 0;
  const auto each = [&](const auto& act) {
    for (std::size_t i = 0; i < points.size(); i += d)
      if (is_finite(points.subspan(i, d))) act(points.subspan(i, d));
  };
  each([&](std::span<const double> p) {
    count += 1;
    for (std::size_t a = 0; a < d; ++a) mean[a] += (p[a] - mean[a]) / count;
  });
  each([&](std::span<const double> p) {
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b) sum[a * d + b] += (p[a] - mean[a]) * (p[b] - mean[b]);
  });
  return sum;
}

// The direction of largest variance that is orthogonal to those before it, by power iteration; its largest
// entry is positive.
Axis principal_axis(const std::vector<double>& sum, std::size_t d, std::span<const Axis> before) {
  Axis axis(d);
  for (std::size_t a = 0; a < d; ++a) axis[a] = 1 + 0.01 * static_cast<double>(a);
  for (int i = 0; i < 500; ++i) {
    Axis next(d);
    for (std::size_t a = 0; a < d; ++a) next[a] = dot({sum.data() + a * d, d}, axis);
    if (i == 0 || !(dot(next, next) > 1e-300)) next = axis;
    for (const Axis& other : before) {
      const double share = dot(next, other);
      for (std::size_t a = 0; a < d; ++a) next[a] -= share * other[a];
    }
    const double length = std::sqrt(dot(next, next));
    if (!(length > 1e-12)) {  // nothing is left in this direction: any one that is orthogonal will do
      next = unit_axis(static_cast<int>(d), static_cast<int>((i + before.size()) % d));
      axis = next;
      continue;
    }
    for (double& value : next) value /= length;
    axis = next;
  }
  std::size_t largest = 0;
  for (std::size_t a = 1; a < d; ++a)
    if (std::abs(axis[a]) > std::abs(axis[largest]) + 1e-9) largest = a;
  if (axis[largest] < 0)
    for (double& value : axis) value = -value;
  return axis;
}

Axes principal_axes(std::span<const double> points, int dimension) {
  if (dimension == 1) return {{1}, {0}, {}};
  if (dimension == 2) return {{1, 0}, {0, 1}, {}};
  const auto d = static_cast<std::size_t>(dimension);
  const std::vector<double> sum = scatter(points, d);
  std::array<Axis, 3> axes;
  for (std::size_t k = 0; k < 3; ++k) axes[k] = principal_axis(sum, d, std::span(axes).first(k));
  return {axes[0], axes[1], axes[2]};
}

// "AZIMUTH,ELEVATION": seen from that direction, the third coordinate upwards.
std::optional<Axes> turned_axes(std::string_view view) {
  const char* end = view.data() + view.size();
  double azimuth = 0, elevation = 0;
  const auto first = std::from_chars(view.data(), end, azimuth);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',') return {};
  const auto second = std::from_chars(first.ptr + 1, end, elevation);
  if (second.ec != std::errc() || second.ptr != end) return {};
  const double a = azimuth * std::numbers::pi / 180, e = elevation * std::numbers::pi / 180;
  return Axes{{-std::sin(a), std::cos(a), 0},
              {-std::sin(e) * std::cos(a), -std::sin(e) * std::sin(a), std::cos(e)},
              {std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e)}};
}

Axes axes_of(std::span<const double> points, int dimension, std::string_view view) {
  if (view == "principal") return principal_axes(points, dimension);
  if (view == "xy" && dimension == 2) return principal_axes(points, dimension);
  GSAN_CHECK(dimension == 3, "view: '", view, "' is for points in space, these have ", dimension,
             " coordinates; use principal");
  if (view == "xy") return {unit_axis(3, 0), unit_axis(3, 1), unit_axis(3, 2)};
  if (view == "xz") return {unit_axis(3, 0), unit_axis(3, 2), {0, -1, 0}};
  if (view == "yz") return {unit_axis(3, 1), unit_axis(3, 2), unit_axis(3, 0)};
  const std::optional<Axes> turned = turned_axes(view);
  GSAN_CHECK(turned, "view: must be principal, xy, xz, yz or AZIMUTH,ELEVATION in degrees, got '", view, "'");
  return *turned;
}

}  // namespace

VertexPlaces project_points(std::span<const double> points, int dimension, std::string_view view) {
  GSAN_CHECK(dimension >= 1 && points.size() % static_cast<std::size_t>(dimension) == 0,
             "project_points: ", points.size(), " numbers are not points of ", dimension, " coordinates");
  const Axes axes = axes_of(points, dimension, view);
  const auto d = static_cast<std::size_t>(dimension);
  VertexPlaces places;
  for (std::size_t i = 0; i < points.size(); i += d) {
    const std::span<const double> point = points.subspan(i, d);
    const bool has_place = is_finite(point);
    const auto along = [&](const Axis& axis) {
      return has_place ? dot(point, axis) : std::numeric_limits<double>::quiet_NaN();
    };
    places.xy.push_back(along(axes.x)), places.xy.push_back(along(axes.y));
    if (!axes.depth.empty()) places.depth.push_back(along(axes.depth));
  }
  return places;
}

}  // namespace gsan
