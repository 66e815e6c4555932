#include "apps/gsan/plots/picture_output.h"

#include <filesystem>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/text.h"

#include "apps/gsan/plots/png_converter.h"

namespace gsan::app {

void PictureOptions::add_to(CLI::App& command, bool allows_vtu) {
  allows_vtu_ = allows_vtu;
  command
      .add_option("--output", output,
                  allows_vtu ? "file for the picture: .svg, .png (by rsvg-convert, inkscape or chromium), or "
                               ".vtu for ParaView"
                             : "file for the picture: .svg, or .png (by rsvg-convert, inkscape or chromium)")
      ->required()
      ->type_name("FILE");
  command.add_option("--title", title, "text above the picture (default: what it shows)");
  command.add_option("--width", width, "of the picture in pixels (default: depends on the kind)")
      ->check(CLI::Range(200, 10000));
  report.add_to(command, false);
}

PictureFormat PictureOptions::format() const {
  const std::string ending = lower_case(std::filesystem::path(output).extension().string());
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".vtu" && allows_vtu_) return PictureFormat::vtu;
  GSAN_CHECK(ending == ".png", "--output: '", output, "' must end with .svg",
             allows_vtu_ ? ", .png or .vtu" : " or .png",
             ending == ".vtu" ? "; .vtu is for pictures of a complex" : "");
  find_png_converter();
  return PictureFormat::png;
}

void PictureOptions::write(std::string_view svg, Json content, const std::string& text) const {
  if (format() == PictureFormat::png) return write_content(png_of(svg), std::move(content), text);
  write_content(svg, std::move(content), text);
}

void PictureOptions::write_content(std::string_view content, Json result, const std::string& text) const {
  write_file_atomically(output, content);
  result["files"] = {output};
  report.write(result, text);
}

}  // namespace gsan::app
