#include "gsan/topology/delaunay.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/builder.h"

#ifdef GSAN_HAVE_QHULL
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#endif

namespace gsan {

#ifndef GSAN_HAVE_QHULL

SimplicialComplex delaunay(std::span<const double>, int, Limits) {
  fail(Fault::argument,
       "delaunay: this build has no Qhull; install it (Debian: libqhull-dev) and build gsan again");
}
bool has_delaunay() { return false; }

#else

namespace {

constexpr const char* who = "delaunay";

// A stream into memory: Qhull writes its complaints there instead of to stderr.
class MessageFile {
 public:
  MessageFile() : file_(open_memstream(&text_, &size_)) {
    if (!file_) fail(Fault::resource, who, ": no memory for Qhull's messages");
  }
  ~MessageFile() {
    std::fclose(file_);
    std::free(text_);
  }
  MessageFile(const MessageFile&) = delete;
  MessageFile& operator=(const MessageFile&) = delete;

  FILE* file() { return file_; }
  std::string first_line() {
    std::fflush(file_);
    const std::string all(text_, size_);
    return all.substr(0, all.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* file_;
};

struct Qhull {
  qhT state;
  Qhull() { qh_zero(&state, nullptr); }
  ~Qhull() {
    state.NOerrexit = True;
    qh_freeqhull(&state, !qh_ALL);
    int left = 0, total = 0;
    qh_memfreeshort(&state, &left, &total);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;
};

void check_points(std::span<const double> points, int dimension) {
  GSAN_CHECK(dimension == 2 || dimension == 3, who, ": dimension must be 2 or 3, got ", dimension);
  GSAN_CHECK(points.size() % dimension == 0, who, ": ", points.size(),
             " coordinates are not a multiple of the dimension ", dimension);
  for (std::size_t i = 0; i < points.size(); ++i) {
    GSAN_CHECK(std::isfinite(points[i]), who, ": coordinates must be finite, got ", points[i], " in row ",
               i / dimension, ", column ", i % dimension);
  }
  const std::size_t count = points.size() / dimension;
  GSAN_CHECK(count > static_cast<std::size_t>(dimension), who, ": needs at least ", dimension + 1,
             " points in dimension ", dimension, ", got ", count);
  GSAN_CHECK(count < static_cast<std::size_t>(std::numeric_limits<int>::max() / 8), who, ": at most ",
             std::numeric_limits<int>::max() / 8, " points, got ", count);
}

// The points in a box of side 1 about the origin (one scale for all axes: circles stay circles).
std::vector<double> centered(std::span<const double> points, int dimension) {
  std::vector<double> low(points.begin(), points.begin() + dimension), high = low;
  for (std::size_t i = 0; i < points.size(); ++i) {
    low[i % dimension] = std::min(low[i % dimension], points[i]);
    high[i % dimension] = std::max(high[i % dimension], points[i]);
  }
  double half = 0;  // halves first: high − low may overflow
  for (int j = 0; j < dimension; ++j) half = std::max(half, high[j] / 2 - low[j] / 2);
  GSAN_CHECK(half > 0, who, ": all ", points.size() / dimension, " points coincide");
  std::vector<double> moved(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double middle = low[i % dimension] / 2 + high[i % dimension] / 2;
    moved[i] = (points[i] / 2 - middle / 2) / half;
  }
  return moved;
}

// The top simplices, [M, dimension + 1], vertices in no special order.
std::vector<Vertex> run_qhull(std::vector<double>& points, int dimension) {
  const auto count = static_cast<int>(points.size() / dimension);
  MessageFile messages;
  Qhull qhull;
  qhT* qh = &qhull.state;
  // d Delaunay; Qbb scales the lifted coordinate; Qc keeps track of coinciding points; Qz adds a
  // point at infinity, so that cocircular input works; Qt triangulates cospherical facets; Q12
  // tolerates wide facets; Pp drops notes on precision.
  const LongWork work("Delaunay triangulation");
  std::string command = "qhull d Qbb Qc Qz Q12 Qt Pp";
  const int status =
      qh_new_qhull(qh, dimension, count, points.data(), False, command.data(), nullptr, messages.file());
  if (status == qh_ERRmem) fail(Fault::resource, who, ": Qhull ran out of memory for ", count, " points");
  GSAN_CHECK(status != qh_ERRsingular, who, ": the ", count, " points lie on one ",
             dimension == 2 ? "line" : "plane",
             " up to rounding: they have no Delaunay complex of dimension ", dimension,
             "; drop a coordinate or add points");
  if (status != 0)
    fail(Fault::numeric, who, ": Qhull failed with status ", status, ": ", messages.first_line());

  std::vector<Vertex> simplices;
  facetT* facet;
  vertexT *vertex, **vertexp;
  FORALLfacets {
    if (facet->upperdelaunay) continue;
    const std::size_t before = simplices.size();
    FOREACHvertex_(facet->vertices) {
      simplices.push_back(qh_pointid(qh, vertex->point));
      if (simplices.back() < 0 || simplices.back() >= count) {
        fail(Fault::numeric, who,
             ": Qhull used its point at infinity; move points that are nearly cospherical");
      }
    }
    if (simplices.size() - before != static_cast<std::size_t>(dimension) + 1) {
      fail(Fault::numeric, who, ": Qhull left a facet of ", simplices.size() - before,
           " points; move points that are nearly cospherical");
    }
  }
  return simplices;
}

// A point in no simplex lies, up to rounding, where another one lies.
[[noreturn]] void reject_coinciding(std::span<const double> moved, int dimension, std::size_t point) {
  std::size_t nearest = point ? 0 : 1;
  const auto squared = [&](std::size_t other) {
    double sum = 0;
    for (int j = 0; j < dimension; ++j) {
      sum += std::pow(moved[other * dimension + j] - moved[point * dimension + j], 2);
    }
    return sum;
  };
  for (std::size_t other = 0; other < moved.size() / dimension; ++other) {
    if (other != point && squared(other) < squared(nearest)) nearest = other;
  }
  fail(Fault::argument, who, ": points ", std::min(point, nearest), " and ", std::max(point, nearest),
       " coincide (distance ", std::sqrt(squared(nearest)), " of the bounding box); keep one of them");
}

// Every hull of a disc or ball: characteristic 1, no face of top simplices shared by more than two.
void check_ball(const SimplicialComplex& complex, int dimension) {
  std::int64_t characteristic = 0;
  for (int k = 0; k <= complex.order(); ++k) characteristic += face_sign(k) * std::int64_t{complex.count(k)};
  std::vector<unsigned char> cofaces(complex.count(dimension - 1), 0);
  bool shared_by_two = true;
  for (const Index face : complex.face_table(dimension)) shared_by_two &= ++cofaces[face] <= 2;
  if (characteristic == 1 && shared_by_two) return;
  fail(Fault::numeric, who, ": rounding broke the triangulation (Euler characteristic ", characteristic,
       ", must be 1); the points are too nearly on one line or plane, or too close to each other: move or "
       "remove some");
}

}  // namespace

SimplicialComplex delaunay(std::span<const double> points, int dimension, Limits limits) {
  if (points.empty() && (dimension == 2 || dimension == 3)) return {};
  check_points(points, dimension);
  const std::size_t count = points.size() / dimension;
  // A triangulation of n points has at least 2 n − 3 edges and n − 2 triangles; Qhull's bytes as measured.
  check_simplices(limits, who, 4.0 * static_cast<double>(count) - 5, "in any triangulation of these points");
  check_memory(limits, who, (dimension == 2 ? 500.0 : 1500.0) * static_cast<double>(count), "Qhull's facets");

  std::vector<double> moved = centered(points, dimension);
  const std::vector<Vertex> simplices = run_qhull(moved, dimension);
  std::vector<bool> used(count, false);
  for (const Vertex v : simplices) used[v] = true;
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) reject_coinciding(moved, dimension, unused - used.begin());

  ComplexBuilder builder(limits);
  for (std::size_t i = 0; i < simplices.size(); i += dimension + 1)
    builder.add({&simplices[i], dimension + 1u});
  SimplicialComplex complex = builder.build();
  check_ball(complex, dimension);
  return complex;
}

bool has_delaunay() { return true; }

#endif

}  // namespace gsan
