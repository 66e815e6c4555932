#include "gsan/plot/detail/picture_plan.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/plot/axes.h"

namespace gsan {

PicturePlan::PicturePlan(const SimplicialComplex& complex, const VertexPlaces& places,
                         const ComplexPictureOptions& options)
    : complex_(complex), places_(places), options_(options) {
  check();
  place();
  // A signal takes most of the bytes of its order: several of them share the limit.
  std::size_t signals = 0;
  for (int k = 0; k < 3; ++k) signals += signal(k) != nullptr;
  const std::size_t limit =
      std::max<std::size_t>(options_.max_elements / std::max<std::size_t>(signals, 1), 1);
  for (int k = 0; k < 3; ++k) choose(k, limit);
  measure_edges();
}

std::string PicturePlan::label(Vertex v, std::size_t limit) const {
  return options_.labels.empty() ? std::to_string(v)
                                 : shortened(options_.labels[static_cast<std::size_t>(v)], limit);
}

std::string PicturePlan::simplex_text(int k, Index i) const {
  std::string text;
  for (const Vertex v : complex_.vertices(k, i))
    text += (text.empty() ? "" : " ") + label(v, chosen(k).size() > few ? 16 : 60);
  return text;
}

void PicturePlan::check() const {
  const auto vertices = static_cast<std::size_t>(complex_.count(0));
  GSAN_CHECK(vertices > 0, "complex_picture: the complex is empty, there is nothing to draw");
  GSAN_CHECK(places_.xy.size() == 2 * vertices && (places_.depth.empty() || places_.depth.size() == vertices),
             "complex_picture: ", places_.xy.size() / 2, " places for ", vertices,
             " vertices; there must be one for each");
  GSAN_CHECK(options_.labels.empty() || options_.labels.size() == vertices,
             "complex_picture: ", options_.labels.size(), " labels for ", vertices,
             " vertices; give one for each, or none");
  GSAN_CHECK(options_.signals.size() <= 3, "complex_picture: signals of orders 0, 1 and 2 are drawn, got ",
             options_.signals.size(), " orders");
  GSAN_CHECK(options_.width >= 150 && options_.width <= 10000,
             "complex_picture: width must be 150 to 10000, got ", options_.width);
  for (int k = 0; k < 3; ++k)
    GSAN_CHECK(!signal(k) || signal(k)->size() == static_cast<std::size_t>(complex_.count(k)),
               "complex_picture: the signal on ", names[static_cast<std::size_t>(k)], " has ",
               signal(k)->size(), " values, the complex has ", complex_.count(k), " of them");
}

// The box of the places, as large as the width allows; neither flat nor much higher than it is wide.
void PicturePlan::place() {
  Range along, up;
  Index without = 0;
  for (Vertex v = 0; v < complex_.count(0); ++v) {
    if (!has_place(v)) {
      ++without;
      continue;
    }
    along.include(places_.xy[2 * static_cast<std::size_t>(v)]),
        up.include(places_.xy[2 * static_cast<std::size_t>(v) + 1]);
  }
  GSAN_CHECK(!along.is_empty, "complex_picture: none of the ", complex_.count(0),
             " vertices has finite coordinates; give others, or none for a layout");
  if (without > 0)
    remarks.push_back(
        concat(without, " of ", complex_.count(0), " vertices have no finite coordinates and are left out"));
  top_ = margin + (options_.title.empty() ? 0 : 22) + (options_.subtitle.empty() ? 0 : 18);
  const double room = options_.width - 2 * margin, width = along.high - along.low, height = up.high - up.low;
  GSAN_CHECK(std::isfinite(width) && std::isfinite(height), "complex_picture: coordinates from ", along.low,
             " to ", along.high, " and from ", up.low, " to ", up.high, " are too far apart to draw");
  const double high = std::clamp(width > 0 ? room * (height / width) : room, 0.0, 1.2 * room);
  zoom_ = std::min(width > 0 ? room / width : 1e300, height > 0 ? high / height : 1e300);
  if (width == 0 && height == 0) zoom_ = 0;
  left_ = along.low, upper_ = up.high;
  shift_ = (room - width * zoom_) / 2;
  bottom_ = top_ + height * zoom_;
  if (height * zoom_ < 40) top_ += 20 - height * zoom_ / 2, bottom_ = top_ + height * zoom_ / 2 + 20;
}

std::vector<Index> PicturePlan::with_places(int k) const {
  std::vector<Index> found;
  for (Index i = 0; i < complex_.count(k); ++i) {
    const auto simplex = complex_.vertices(k, i);
    if (std::all_of(simplex.begin(), simplex.end(), [&](Vertex v) { return has_place(v); }))
      found.push_back(i);
  }
  return found;
}

// Which simplices are drawn, in the order of drawing.
void PicturePlan::choose(int k, std::size_t limit) {
  std::vector<Index>& chosen = chosen_[static_cast<std::size_t>(k)];
  chosen = with_places(k);
  placed_[static_cast<std::size_t>(k)] = chosen.size();
  if (signal(k))
    scales_[static_cast<std::size_t>(k)].emplace(*signal(k), options_.full_strength,
                                                 k == 1 && options_.is_oriented);
  if (signal(k) && chosen.size() > limit) {
    const auto size = [&](Index i) { return std::isnan(value(k, i)) ? -1 : std::abs(value(k, i)); };
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(limit), chosen.end(),
                     [&](Index a, Index b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
    chosen.resize(limit);
    std::sort(chosen.begin(), chosen.end());
  }
  thin_out(chosen, limit);
  if (is_flat()) return;
  const auto depth = [&](Index i) {
    double sum = 0;
    for (const Vertex v : complex_.vertices(k, i)) sum += places_.depth[static_cast<std::size_t>(v)];
    return sum;
  };
  std::stable_sort(chosen.begin(), chosen.end(), [&](Index a, Index b) { return depth(a) < depth(b); });
}

void thin_out(std::vector<Index>& simplices, std::size_t limit) {
  if (simplices.size() <= limit) return;
  for (std::size_t i = 0; i < limit; ++i) simplices[i] = simplices[i * simplices.size() / limit];
  simplices.resize(limit);
}

void PicturePlan::measure_edges() {
  std::vector<double> lengths;
  for (const Index e : chosen_[1]) {
    const auto ends = complex_.vertices(1, e);
    lengths.push_back(std::hypot(x(ends[0]) - x(ends[1]), y(ends[0]) - y(ends[1])));
  }
  if (lengths.empty()) return;
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2),
                   lengths.end());
  length_ = lengths[lengths.size() / 2];
}

}  // namespace gsan
