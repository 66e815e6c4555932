#include "apps/gsan/bench/suite.h"

#include <algorithm>
#include <iostream>
#include <system_error>

#include <unistd.h>

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>

#include "gsan/core/check.h"

#include "apps/gsan/bench/gpu.h"
#include "apps/gsan/bench/suite_text.h"
#include "apps/gsan/console/out_of_memory.h"

namespace gsan::app {

torch::ScalarType BenchOptions::type() const {
  if (precision == "bf16") return torch::kBFloat16;
  return precision == "float64" ? torch::kFloat64 : torch::kFloat32;
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
  double seconds = 0;
  attempt(name, [&] {
    const Json found = timed(name, work, run);
    Json entry{{"name", name}, {"threads", found["threads"]}};
    entry.update(facts);
    entry.update(found);
    seconds = found["milliseconds"].get<double>() / 1e3;
    cases_.push_back(std::move(entry));
  });
  return seconds;
}

void BenchSuite::attempt(const std::string& name, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    const auto* const of_torch = dynamic_cast<const c10::Error*>(&error);
    if (on_gpu() && is_out_of_memory(error)) return skip(name, out_of_memory_text(error));
    if (options_.precision != "bf16" || !(of_torch || dynamic_cast<const Error*>(&error))) throw;
    skip(name, of_torch ? of_torch->what_without_backtrace() : error.what());
  }
}

Json BenchSuite::timed(const std::string& name, const Work& work, const std::function<void()>& run) {
  const Roofline& bound = roofline(at::get_num_threads());
  const Timing timing = time_runs(run, options_.repeats, options_.seconds, options_.place);
  const double moving = work.bytes / bound.copy;
  const double computing = bound.arithmetic > 0 ? work.flops / bound.arithmetic : 0;
  const double least = std::max(moving, computing);
  progress(concat(name, "  ", milliseconds_text(1e3 * timing.median()), " ms"));
  Json found{{"threads", bound.threads},
             {"milliseconds", 1e3 * timing.median()},
             {"min_milliseconds", 1e3 * timing.least()},
             {"processor_milliseconds", 1e3 * timing.processor},
             {"spread_percent", 100 * timing.spread()},
             {"runs", timing.seconds.size()},
             {"bytes", work.bytes},
             {"flops", work.flops},
             {"bytes_per_second", work.bytes / timing.median()},
             {"bound_milliseconds", 1e3 * least},
             {"bound_by", moving >= computing ? "copy" : "arithmetic"},
             {"percent_of_bound", 100 * least / timing.median()}};
  if (options_.precision != "float32") found["precision"] = options_.precision;
  if (on_gpu()) {
    const DeviceMemory memory = device_memory(options_.place, run);
    found.update({{"device", options_.place.str()},
                  {"device_before_bytes", memory.before},
                  {"device_peak_bytes", memory.peak}});
  }
  return found;
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

void BenchSuite::compare_passes(const std::string& name, double forward, double both) {
  if (forward > 0 && both > 0) result(name + ", backward over forward", (both - forward) / forward);
}

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
  if (on_gpu()) threads = threads_;  // one bound, whatever the CPU does
  const auto found = rooflines_.find(threads);
  if (found != rooflines_.end()) return found->second;
  const Roofline measured =
      on_gpu() ? Roofline{threads, gpu_copy_rate(options_.place), 0} : measure_roofline(threads);
  return rooflines_.emplace(threads, measured).first->second;
}

void BenchSuite::progress(const std::string& line) const {
  if (::isatty(STDERR_FILENO)) std::cerr << line << std::endl;
}

}  // namespace gsan::app
