#pragma once
// From data to places on the paper: scales with round ticks, and the frame of a chart.

#include <string>
#include <vector>

#include "gsan/plot/chart_options.h"
#include "gsan/plot/svg.h"

namespace gsan {

/// The interval of the values that were shown to it.
struct Range {
  double low = 0, high = 0;
  bool is_empty = true;

  /// Widens the range; values that are not finite, or that a logarithmic axis cannot place, are passed over.
  void include(double value, bool is_log = false);
};

/// Data between low and high on paper between start and end (start > end: upwards).
class Scale {
 public:
  /// A range of a single value gets room on both sides; an empty one is 0 … 1.
  Scale(Range range, bool is_log, double start, double end);

  bool places(double value) const;  ///< finite, and positive on a logarithmic axis
  double operator()(double value) const;
  std::vector<double> ticks(int about) const;  ///< round numbers: 1, 2, 5 times a power of ten

 private:
  double low_, high_, start_, end_;
  bool is_log_;
};

/// Numbers for people: at most so many digits, "1e-7" for what is smaller or larger than a person reads.
std::string tick_text(double value, int digits = 5);

/// The rectangle that the data fill, and the height of the paper around it.
struct PlotArea {
  double left = 0, top = 0, right = 0, bottom = 0, paper_height = 0;
};

/// The area inside margins for the title and the labels of the options. `legend_rows` lines of a legend come
/// on top of the height: they take nothing from the data.
PlotArea plot_area(const ChartOptions& options, int legend_rows, double tick_width);

/// Width of the widest tick text.
double tick_width(const Scale& scale);

/// Title, grid, ticks and labels of both axes. Without `x` the horizontal axis is a plain line.
void draw_frame(Svg& svg, const ChartOptions& options, const PlotArea& area, const Scale* x, const Scale& y);

/// Who draws, and width and height that leave room for a chart; an error otherwise.
void check_size(const char* who, const ChartOptions& options);

}  // namespace gsan
