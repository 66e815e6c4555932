#include "apps/gsan/console/options.h"

#include <iostream>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/device.h"

namespace gsan::app {

void MachineOptions::add_to(CLI::App& command) {
  command.add_option("--device", device, "where to compute: cpu, cuda, cuda:1")->capture_default_str();
  command.add_option("--threads", threads, "threads of the CPU (default: OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, 4096));
}

torch::Device MachineOptions::apply() const {
  // Gradients and moments that fade away are slow to compute with: epochs of MPSN on the flow took four times
  // as long once it had learned it. Threads take the setting over from the one that makes them.
  at::globalContext().setFlushDenormal(true);
  if (threads > 0) at::set_num_threads(threads);
  return open_device(device);
}

void ReportOptions::add_to(CLI::App& command, bool to_file) {
  command.add_flag("--json", json, "the result as one JSON object");
  if (to_file) command.add_option("--output", file, "file for the result (default: standard output)");
}

void ReportOptions::write(const Json& report, std::string text) const {
  if (report.contains("files"))
    for (const Json& path : report["files"]) text += concat("wrote ", path.get<std::string>(), "\n");
  // A path or a column name may hold any bytes; JSON must be UTF-8.
  const auto replace = Json::error_handler_t::replace;
  const std::string content = json ? report.dump(2, ' ', false, replace) + "\n" : text;
  if (!file.empty()) return write_file_atomically(file, content);
  std::cout << content << std::flush;
  if (!std::cout) fail(Fault::io, "cannot write to the standard output");
}

void add_weights_option(CLI::App& command, std::string& weights) {
  command
      .add_option(
          "--weights", weights,
          "of the epoch that validation chose (best), of the one chosen before it (previous), or of the "
          "last epoch (last)")
      ->check(CLI::IsMember({"best", "previous", "last"}))
      ->capture_default_str();
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "seed of everything random")->capture_default_str();
}

void add_limits(CLI::App& command, Limits& limits) {
  command
      .add_option("--max-simplices", limits.max_simplices, "stop before there are more simplices than this")
      ->check(not_negative())
      ->capture_default_str();
  command
      .add_option("--max-memory", limits.max_memory,
                  "stop before more memory than this is needed: 500M, 8G, ...")
      ->transform(CLI::AsSizeValue(false))
      ->default_str(concat(limits.max_memory >> 30, "G"));
}

}  // namespace gsan::app
