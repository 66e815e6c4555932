#pragma once
// PNG through a program of the machine that draws SVG.

#include <string>
#include <string_view>

namespace gsan::app {

/// The first of rsvg-convert, inkscape and chromium on PATH. Fault::io with the package to install when there
/// is none.
std::string find_png_converter();

/// The picture as PNG, two pixels for each of the SVG, in the colours of light mode. The program is started
/// without a shell, on files in a folder of its own that is removed. Fault::io when it fails or
/// takes longer than a minute.
std::string png_of(std::string_view svg);

}  // namespace gsan::app
