#include "apps/gsan/bench/suite.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <system_error>

#include <unistd.h>

#include <ATen/Parallel.h>

#include "gsan/core/check.h"

#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

// Four digits, no exponent.
std::string milliseconds(double number) {
  return fixed(number, number < 1 ? 4 : number < 10 ? 3 : number < 100 ? 2 : number < 1000 ? 1 : 0);
}

std::string per_cent(const Json& number) { return number.is_null() ? "" : fixed(number.get<double>(), 0); }

std::string amount(const Json& number, double unit) {
  const double value = number.get<double>() / unit;
  return value == 0 ? "" : show(std::stod(fixed(value, value < 1 ? 5 : 2)));
}

// "name value, name value"
std::string facts_text(const Json& facts) {
  std::string text;
  for (const auto& [key, value] : facts.items()) {
    if (key == "name") continue;
    const bool is_bytes = key.ends_with("_bytes");
    text += concat(text.empty() ? "" : ", ", key, " ",
                   is_bytes            ? show_bytes(value.get<std::size_t>())
                   : value.is_string() ? value.get<std::string>()
                                       : value.dump());
  }
  return text;
}

}  // namespace

double Timing::median() const {
  const std::size_t n = seconds.size();
  return n % 2 == 1 ? seconds[n / 2] : (seconds[n / 2 - 1] + seconds[n / 2]) / 2;
}

Timing time_runs(const std::function<void()>& run, int repeats, double seconds) {
  using Clock = std::chrono::steady_clock;
  run();
  Timing timing;
  double total = 0;
  const std::clock_t before = std::clock();
  do {
    const auto start = Clock::now();
    run();
    timing.seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    total += timing.seconds.back();
  } while (total < most_seconds && (static_cast<int>(timing.seconds.size()) < repeats || total < seconds));
  timing.processor = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC /
                     static_cast<double>(timing.seconds.size());
  std::sort(timing.seconds.begin(), timing.seconds.end());
  return timing;
}

BenchSuite::BenchSuite(std::string subject, const BenchOptions& options)
    : subject_(std::move(subject)), options_(options) {
  if (options.threads > 0) at::set_num_threads(options.threads);
  threads_ = at::get_num_threads();
}

bool BenchSuite::wants(const std::string& name) const {
  return name.find(options_.filter) != std::string::npos;
}

bool BenchSuite::wants_any(const std::vector<std::string>& names) const {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return wants(name); });
}

double BenchSuite::time(const std::string& name, Json facts, const Work& work,
                        const std::function<void()>& run) {
  if (!wants(name)) return 0;
  const Roofline& bound = roofline(at::get_num_threads());
  const Timing timing = time_runs(run, options_.repeats, options_.seconds);
  const double moving = work.bytes / bound.copy, computing = work.flops / bound.arithmetic;
  const double least = std::max(moving, computing);
  Json entry{{"name", name}, {"threads", bound.threads}};
  entry.update(facts);
  entry.update({{"milliseconds", 1e3 * timing.median()},
                {"min_milliseconds", 1e3 * timing.least()},
                {"processor_milliseconds", 1e3 * timing.processor},
                {"spread_percent", 100 * timing.spread()},
                {"runs", timing.seconds.size()},
                {"bytes", work.bytes},
                {"flops", work.flops},
                {"bound_milliseconds", 1e3 * least},
                {"bound_by", moving >= computing ? "copy" : "arithmetic"},
                {"percent_of_bound", 100 * least / timing.median()}});
  progress(concat(name, "  ", milliseconds(1e3 * timing.median()), " ms"));
  cases_.push_back(std::move(entry));
  return timing.median();
}

void BenchSuite::tell(const std::string& name, Json facts) {
  Json entry{{"name", name}};
  entry.update(facts);
  progress(concat(name, "  ", facts_text(facts)));
  told_.push_back(std::move(entry));
}

void BenchSuite::skip(const std::string& name, const std::string& reason) {
  progress(concat(name, "  skipped: ", reason));
  skipped_.push_back({{"name", name}, {"reason", reason}});
}

void BenchSuite::result(const std::string& name, double value) { results_[name] = value; }

void BenchSuite::export_tensors(const std::string& name, const NamedTensors& tensors) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(options_.export_folder, error);
  if (error)
    fail(Fault::io, "--export: cannot make the folder ", options_.export_folder, ": ", error.message());
  std::string file = name;
  std::replace(file.begin(), file.end(), '/', '_');
  const fs::path path = fs::path(options_.export_folder) / (file + ".safetensors");
  write_safetensors(path, tensors, {{"case", name}});
  files_.push_back(path.string());
}

const Roofline& BenchSuite::roofline(int threads) {
  const auto found = rooflines_.find(threads);
  if (found != rooflines_.end()) return found->second;
  return rooflines_.emplace(threads, measure_roofline(threads)).first->second;
}

void BenchSuite::progress(const std::string& line) const {
  if (::isatty(STDERR_FILENO)) std::cerr << line << std::endl;
}

Json BenchSuite::report() {
  roofline(threads_);
  Json rooflines = Json::array();
  for (const auto& [threads, bound] : rooflines_) {
    rooflines.push_back({{"threads", threads},
                         {"copy_bytes_per_second", bound.copy},
                         {"flops_per_second", bound.arithmetic}});
  }
  return {{"command", "bench"},
          {"subject", subject_},
          {"machine", describe_machine(options_.retains_memory())},
          {"threads", threads_},
          {"repeats", options_.repeats},
          {"seconds", options_.seconds},
          {"seed", options_.seed},
          {"roofline", rooflines},
          {"cases", cases_},
          {"other", told_},
          {"results", results_},
          {"skipped", skipped_},
          {"files", files_}};
}

std::string BenchSuite::text() {
  roofline(threads_);
  const Json machine = describe_machine(options_.retains_memory());
  std::string text = concat(
      machine["processor"].get<std::string>(), ", ", machine["cores"].dump(), " cores, ",
      show_bytes(machine["memory_bytes"]), "; kernels ", machine["kernels"].get<std::string>(), ", torch ",
      machine["torch"].get<std::string>(), ", malloc ", machine["allocator"].get<std::string>(), "\n");
  for (const auto& [threads, bound] : rooflines_) {
    text += concat(threads, threads == 1 ? " thread: copy " : " threads: copy ", fixed(bound.copy / 1e9, 1),
                   " GB/s, multiply-adds ", fixed(bound.arithmetic / 1e9, 0), " GFLOP/s\n");
  }
  if (!cases_.empty()) {
    Table table({"case", "ms", "min", "spread %", "runs", "MB", "MFLOP", "% of bound"});
    for (const Json& entry : cases_) {
      table.add({entry["name"], milliseconds(entry["milliseconds"]), milliseconds(entry["min_milliseconds"]),
                 per_cent(entry["spread_percent"]), entry["runs"].dump(), amount(entry["bytes"], 1e6),
                 amount(entry["flops"], 1e6), per_cent(entry["percent_of_bound"])});
    }
    text += table.text();
  }
  for (const Json& entry : told_)
    text += concat(entry["name"].get<std::string>(), ": ", facts_text(entry), "\n");
  for (const auto& [name, value] : results_.items())
    text += concat(name, ": ", show(value.get<double>()), "\n");
  for (const Json& entry : skipped_) {
    text +=
        concat("skipped ", entry["name"].get<std::string>(), ": ", entry["reason"].get<std::string>(), "\n");
  }
  return text;
}

}  // namespace gsan::app
