#pragma once
// What a picture of a complex shows, and where: decided before anything is drawn.

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsan/plot/complex_picture.h"
#include "gsan/plot/svg.h"
#include "gsan/plot/value_scale.h"

namespace gsan {

/// The complex, places and options must outlive it.
class PicturePlan {
 public:
  static constexpr double margin = 24;
  static constexpr std::size_t few = 2000;  ///< elements up to which labels are written out
  static constexpr std::array names{"vertices", "edges", "triangles"};

  PicturePlan(const SimplicialComplex& complex, const VertexPlaces& places,
              const ComplexPictureOptions& options);

  const SimplicialComplex& complex() const { return complex_; }
  const ComplexPictureOptions& options() const { return options_; }
  bool is_flat() const { return places_.depth.empty(); }

  /// The signal on order k, nullptr where there is none; its scale exists where it does.
  const std::vector<double>* signal(int k) const {
    const auto at = static_cast<std::size_t>(k);
    return at < options_.signals.size() && !options_.signals[at].empty() ? &options_.signals[at] : nullptr;
  }
  double value(int k, Index i) const { return (*signal(k))[static_cast<std::size_t>(i)]; }
  const std::optional<ValueScale>& scale(int k) const { return scales_[static_cast<std::size_t>(k)]; }

  /// The simplices that are drawn, from far to near, and how many there are with a place.
  const std::vector<Index>& chosen(int k) const { return chosen_[static_cast<std::size_t>(k)]; }
  std::size_t placed(int k) const { return placed_[static_cast<std::size_t>(k)]; }
  std::vector<Index> with_places(int k) const;  ///< all of them, in the order of the complex

  // On paper.
  double x(Vertex v) const {
    return margin + (places_.xy[2 * static_cast<std::size_t>(v)] - left_) * zoom_ + shift_;
  }
  double y(Vertex v) const {
    return top_ + (upper_ - places_.xy[2 * static_cast<std::size_t>(v) + 1]) * zoom_;
  }
  std::string at(Vertex v) const { return short_number(x(v)) + " " + short_number(y(v)); }
  double bottom() const { return bottom_; }
  double edge_length() const { return length_; }  ///< of a usual edge

  std::string label(Vertex v, std::size_t limit) const;  ///< of at most so many characters
  std::string simplex_text(int k, Index i) const;        ///< the labels of its vertices

  std::vector<std::string> remarks;

 private:
  void check() const;
  void place();
  void choose(int k, std::size_t limit);
  void measure_edges();
  bool has_place(Vertex v) const {
    const auto at = static_cast<std::size_t>(v);
    return std::isfinite(places_.xy[2 * at]) && std::isfinite(places_.xy[2 * at + 1]);
  }

  const SimplicialComplex& complex_;
  const VertexPlaces& places_;
  const ComplexPictureOptions& options_;
  double left_ = 0, upper_ = 0, zoom_ = 1, shift_ = 0, top_ = 0, bottom_ = 0, length_ = 30;
  std::array<std::vector<Index>, 3> chosen_;
  std::array<std::size_t, 3> placed_{};
  std::array<std::optional<ValueScale>, 3> scales_;
};

/// At most `limit` of them, evenly spaced.
void thin_out(std::vector<Index>& simplices, std::size_t limit);

}  // namespace gsan
