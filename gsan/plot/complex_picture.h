#pragma once
// A complex on paper, with signals on its vertices, edges and triangles.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gsan/plot/projection.h"
#include "gsan/topology/complex.h"

namespace gsan {

struct ComplexPictureOptions {
  std::string title{}, subtitle{};
  double width = 640;
  std::vector<std::string> labels{};           ///< [N_0]; empty: the numbers of the vertices
  std::vector<std::vector<double>> signals{};  ///< by order 0, 1, 2: [N_k], or empty; NaN: no value
  bool is_oriented = true;                     ///< a value on an edge is a flow: an arrow in its direction
  double full_strength = 0;  ///< the |value| of the strongest colour, for pictures to compare; 0: the largest
  bool has_color_bar = true;
  /// The complex is one shape below the signal, without elements, vertices and labels of its own, and values
  /// near 0 are not drawn: a tenth of the bytes, for pages of many pictures. The shape has at most
  /// max_elements triangles and as many other edges, evenly spaced.
  bool is_sketch = false;
  std::size_t max_elements = 20000;  ///< of one order
  /// A simplex of order 0, 1 or 2 with a halo, whose vertices have places.
  struct Marked {
    int order;
    Index simplex;
  };
  std::optional<Marked> marked{};
};

struct ComplexPicture {
  std::string svg;
  std::vector<std::string>
      remarks;  ///< what the picture leaves out, sentences; they are in the picture as well
};

/// Elements of the classes "vertex", "edge" and "triangle" with data-simplex (labels), and data-value and a
/// <title> where the order has a signal; higher orders show through their triangles. An edge is oriented from
/// its smaller to its larger vertex, its arrow turns around where the value is negative; width and colour
/// follow the value.
///
/// Where an order has more simplices than max_elements, those of the largest |value| are drawn, evenly spaced
/// ones without a signal; a picture has at most 10 MB, and where these do not suffice, the first of them (in
/// space the farthest) are drawn. A remark says so. What contains a vertex without a
/// place (NaN) is left out with a remark. Errors: the empty complex, no vertex with a place, lengths that do
/// not match.
ComplexPicture complex_picture(const SimplicialComplex& complex, const VertexPlaces& places,
                               const ComplexPictureOptions& options);

}  // namespace gsan
