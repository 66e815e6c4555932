#include "apps/gsan/plots/png_converter.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/long_work.h"
#include "gsan/plot/panels.h"
#include "gsan/plot/theme.h"

extern char** environ;

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
  if (name == "rsvg-convert") return {program, "--zoom", "2", "--output", to, from};
  if (name == "inkscape")
    return {program, from, "--export-type=png", "--export-dpi=192", "--export-filename=" + to};
  const PictureSize size = picture_size(svg);
  std::vector<std::string> words{program,
                                 "--headless",
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

// Waits for the child; past the limit it is ended with all that it has started (it leads a group of its own).
int wait_for(pid_t child, const std::string& program) {
  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  bool is_late = false;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, is_late ? 0 : WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) fail(Fault::io, program, ": ", std::strerror(errno));
    if (!is_late && std::chrono::steady_clock::now() > deadline) {
      is_late = true;
      kill(-child, SIGKILL);
    }
    if (!is_late) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (is_late)
    fail(Fault::io, program, ": not done after ", time_limit.count(), " s and ended; write a .svg instead");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Runs the program to its end; its exit code, its standard error in a file.
int run_program(const std::vector<std::string>& words, const std::string& errors) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&streams, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int fault = posix_spawn(&child, arguments[0], &streams, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  if (fault != 0) fail(Fault::io, words[0], ": cannot be started: ", std::strerror(fault));
  return wait_for(child, words[0]);
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
  const int code = run_program(arguments_for(program, svg, from, to), errors);
  if (code != 0 || !fs::exists(to))
    fail(Fault::io, program, " failed with code ", code, ": ", read_file(errors).substr(0, 400),
         "; write a .svg instead");
  return read_file(to);
}

}  // namespace gsan::app
