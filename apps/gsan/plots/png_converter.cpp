#include "apps/gsan/plots/png_converter.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <unistd.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/plot/panels.h"
#include "gsan/plot/theme.h"

#include "apps/gsan/runner/process_pool.h"

namespace gsan::app {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds time_limit{60};  // far above what a picture of 10 MB takes

// A folder of our own that is removed in the end.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "gsan-plot-XXXXXX").string()) {
    if (!mkdtemp(path_.data()))
      fail(Fault::io, "cannot make the folder ", path_, ": ", std::strerror(errno), "; set TMPDIR");
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(ScratchFolder&&) = delete;
  std::string file(const char* name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
};

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    const fs::path program = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code ignored;
    if (fs::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return program.string();
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  return "";
}

// A path as part of a URL: bytes that mean something there are written as %XX.
std::string file_url(const std::string& path) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string url = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::strchr("/-_.~", c) != nullptr;
    if (is_plain)
      url += c;
    else
      url += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return url;
}

std::vector<std::string> arguments_for(const std::string& program, std::string_view svg,
                                       const std::string& from, const std::string& to) {
  const std::string name = fs::path(program).filename().string();
  if (name == "rsvg-convert") return {"--zoom", "2", "--output", to, from};
  if (name == "inkscape") return {from, "--export-type=png", "--export-dpi=192", "--export-filename=" + to};
  const PictureSize size = picture_size(svg);
  std::vector<std::string> words{"--headless",
                                 "--disable-gpu",
                                 "--hide-scrollbars",
                                 "--force-device-scale-factor=2",
                                 concat("--window-size=", static_cast<int>(size.width + 0.999), ",",
                                        static_cast<int>(size.height + 0.999)),
                                 "--user-data-dir=" + to + ".profile",
                                 "--screenshot=" + to};
  if (geteuid() == 0)
    words.push_back("--no-sandbox");  // chromium refuses root otherwise; the picture is ours
  words.push_back(file_url(from));
  return words;
}

}  // namespace

std::string find_png_converter() {
  for (const char* name : {"rsvg-convert", "inkscape", "chromium", "chromium-browser", "google-chrome"})
    if (std::string program = find_program(name); !program.empty()) return program;
  fail(
      Fault::io,
      "a .png needs rsvg-convert, inkscape or chromium, and none is on PATH; run 'apt install librsvg2-bin', "
      "or write a .svg");
}

std::string png_of(std::string_view svg) {
  const std::string program = find_png_converter();
  const LongWork work("conversion to PNG");
  const ScratchFolder scratch;
  const std::string from = scratch.file("picture.svg"), to = scratch.file("picture.png"),
                    errors = scratch.file("errors.txt");
  write_file_atomically(from, with_plain_colors(svg));
  int code = 0;
  const bool is_done = run_children({{.arguments = arguments_for(program, svg, from, to),
                                      .errors = errors,
                                      .program = program,
                                      .most_time = time_limit}},
                                    {.on_end = [&](std::size_t, int ended) { code = ended; }});
  if (!is_done) fail(Fault::io, "the conversion by ", program, " was interrupted");
  if (code == 128 + SIGKILL)
    fail(Fault::io, program, ": killed, or not done after ", time_limit.count(), " s; write a .svg instead");
  if (code != 0 || !fs::exists(to))
    fail(Fault::io, program, " failed with code ", code, ": ", read_file(errors).substr(0, 400),
         "; write a .svg instead");
  return read_file(to);
}

}  // namespace gsan::app
