#pragma once
// Colours of all pictures. Each is a CSS variable with a fallback: a page around a picture may set the
// variables (theme_variables), a picture on its own follows the reader's light or dark mode.

#include <cstddef>
#include <string>
#include <string_view>

namespace gsan {

/// The style block of every picture, the same text in all of them: classes for paper, text, axes, signed
/// values (positive, negative, zero, missing) and the series s0 … s7, whose colours serve readers who cannot
/// tell red from green. Only `svg.gsan-picture` and what is in it are styled.
std::string_view picture_style();

/// Rules for the style of a page that contains pictures: the variables for light and dark mode.
std::string_view theme_variables();

/// The class of the i-th curve or bar: "s0" … "s7", then again from the start.
std::string series_class(std::size_t i);

/// A colour of the sequential map (viridis), "#rrggbb", for t in 0 … 1; values outside are taken to the ends.
std::string sequential_color(double t);

/// The picture for programs without CSS variables (converters to PNG): every var(--name, value) becomes its
/// value.
std::string with_plain_colors(std::string_view svg);

}  // namespace gsan
