#pragma once
// The file of a picture: what its name asks for, and how it is written.

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "apps/gsan/console/options.h"

namespace gsan::app {

enum class PictureFormat { svg, png, vtu };

/// --output, --title, --width and --json.
struct PictureOptions {
  std::string output, title;
  double width = 0;  ///< in pixels; 0: what the picture takes by itself
  ReportOptions report;

  /// `allows_vtu`: the picture is of a complex, and FILE.vtu writes it for ParaView.
  void add_to(CLI::App& command, bool allows_vtu = false);

  /// By the ending of --output: .svg, .png, .vtu where it is allowed; an error that names these for any
  /// other, and one that names the package to install for .png without a converter. Ask before the work
  /// begins.
  PictureFormat format() const;

  /// Writes an SVG or PNG file, then the report: its "files" are set, and `text` is what people read.
  void write(std::string_view svg, Json report, const std::string& text) const;
  /// The same for a file whose content is ready.
  void write_content(std::string_view content, Json report, const std::string& text) const;

 private:
  bool allows_vtu_ = false;
};

}  // namespace gsan::app
