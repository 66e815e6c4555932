#include "gsan/train/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include "gsan/core/check.h"
#include "gsan/core/text.h"

namespace gsan {
namespace {

constexpr int bar_columns = 20;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string metrics_text(const Metrics& metrics) {
  std::string text;
  for (const auto& [name, value] : metrics)
    text.append("  ").append(name).append(" ").append(short_number(value));
  return text;
}

std::string bar_text(double done, bool color) {
  const int full = std::clamp(static_cast<int>(std::lround(done * bar_columns)), 0, bar_columns);
  std::string bar;
  for (int i = 0; i < full; ++i) bar += "━";
  if (color) bar = "\x1b[32m" + bar + "\x1b[2m";
  for (int i = full; i < bar_columns; ++i) bar += color ? "━" : "─";
  return color ? bar + "\x1b[0m" : bar;
}

}  // namespace

ProgressOptions progress_options(int descriptor) {
  ProgressOptions options;
  options.terminal = ::isatty(descriptor) != 0;
  if (!options.terminal) return options;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  options.terminal = variable("TERM") != "dumb";
  options.color = options.terminal && variable("NO_COLOR").empty();
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.columns = size.ws_col;
  return options;
}

std::string duration_text(double seconds) {
  if (!(seconds >= 0 && seconds < 1e9)) return "?";
  const auto total = static_cast<long>(std::lround(seconds));
  char text[48];
  if (total < 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld", total / 60, total % 60);
  } else if (total < 86400) {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", total / 3600, total / 60 % 60, total % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld d %02ld h", total / 86400, total / 3600 % 24);
  }
  return text;
}

Progress::Progress(std::ostream& stream, ProgressOptions options)
    : stream_(stream), options_(std::move(options)) {
  if (!options_.clock) options_.clock = steady_seconds;
}

void Progress::on_begin(double done) {
  began_ = options_.clock();
  began_at_ = done;
  last_output_ = -std::numeric_limits<double>::infinity();
}

// The rest takes as long, per share, as this session's part did.
std::string Progress::time_left(double done) const {
  if (done <= began_at_) return "?";
  return duration_text((options_.clock() - began_) * (1 - done) / (done - began_at_));
}

void Progress::draw(double done, const std::string& text) {
  const std::string plain =
      concat(" ", std::lround(100 * done), "%  ", text, "  ", time_left(done), " left", metrics_);
  stream_ << "\r" << bar_text(done, options_.color)
          << first_characters(plain, std::max(0, options_.columns - 1 - bar_columns)) << "\x1b[K"
          << std::flush;
  bar_is_shown_ = true;
}

void Progress::clear_bar() {
  if (bar_is_shown_) stream_ << "\r\x1b[K";
  bar_is_shown_ = false;
}

void Progress::on_step(const StepReport& report) {
  if (!options_.terminal) return;
  const double now = options_.clock();
  if (now - last_output_ < options_.redraw_seconds) return;
  last_output_ = now;
  const double done =
      (static_cast<double>(report.epoch) +
       static_cast<double>(report.step + 1) / static_cast<double>(std::max<std::int64_t>(report.steps, 1))) /
      static_cast<double>(std::max<std::int64_t>(report.epochs, 1));
  draw(done, concat("epoch ", report.epoch + 1, "/", report.epochs, "  loss ", short_number(report.loss)));
}

void Progress::on_epoch(const EpochReport& report) {
  metrics_ = metrics_text(report.metrics);
  if (options_.terminal) return;
  const bool is_last = report.epoch + 1 >= report.epochs;
  const double now = options_.clock();
  if (!is_last && now - last_output_ < options_.line_seconds) return;
  last_output_ = now;
  const double done =
      static_cast<double>(report.epoch + 1) / static_cast<double>(std::max<std::int64_t>(report.epochs, 1));
  stream_ << "epoch " << report.epoch + 1 << "/" << report.epochs << metrics_
          << (report.is_best ? "  (best)" : "");
  if (!is_last) stream_ << "  " << time_left(done) << " left";
  stream_ << std::endl;
}

void Progress::on_message(const std::string& message) {
  clear_bar();
  stream_ << message << std::endl;
}

void Progress::on_end() {
  if (bar_is_shown_) stream_ << std::endl;
  bar_is_shown_ = false;
}

}  // namespace gsan
