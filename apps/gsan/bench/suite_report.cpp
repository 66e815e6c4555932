// What a suite found, as JSON and as text.

#include <cstdio>

#include "gsan/core/check.h"

#include "apps/gsan/bench/gpu.h"
#include "apps/gsan/bench/suite.h"
#include "apps/gsan/bench/suite_text.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

std::string per_cent(const Json& number) { return number.is_null() ? "" : fixed(number.get<double>(), 0); }

std::string amount(const Json& number, double unit) {
  const double value = number.get<double>() / unit;
  return value == 0 ? "" : show(std::stod(fixed(value, value < 1 ? 5 : 2)));
}

}  // namespace

std::string fixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, number);
  return text;
}

std::string milliseconds_text(double number) {
  return fixed(number, number < 1 ? 4 : number < 10 ? 3 : number < 100 ? 2 : number < 1000 ? 1 : 0);
}

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

Json BenchSuite::report() {
  roofline(threads_);
  Json rooflines = Json::array();
  for (const auto& [threads, bound] : rooflines_) {
    rooflines.push_back({{"threads", threads},
                         {"copy_bytes_per_second", bound.copy},
                         {"flops_per_second", bound.arithmetic > 0 ? Json(bound.arithmetic) : Json()}});
    if (on_gpu()) rooflines.back()["device"] = options_.place.str();
  }
  Json machine = describe_machine(options_.retains_memory());
  if (on_gpu()) machine["gpu"] = describe_gpu(options_.place);
  return {{"command", "bench"},
          {"subject", subject_},
          {"machine", machine},
          {"device", options_.place.str()},
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

std::string BenchSuite::machine_text() {
  const Json machine = describe_machine(options_.retains_memory());
  std::string text = concat(
      machine["processor"].get<std::string>(), ", ", machine["cores"].dump(), " cores, ",
      show_bytes(machine["memory_bytes"]), "; kernels ", machine["kernels"].get<std::string>(), ", torch ",
      machine["torch"].get<std::string>(), ", malloc ", machine["allocator"].get<std::string>(), "\n");
  if (on_gpu()) {
    return text + concat(options_.place.str(), " ", describe_gpu(options_.place)["name"].get<std::string>(),
                         ": copy ", fixed(roofline(threads_).copy / 1e9, 1), " GB/s\n");
  }
  for (const auto& [threads, bound] : rooflines_) {
    text += concat(threads, threads == 1 ? " thread: copy " : " threads: copy ", fixed(bound.copy / 1e9, 1),
                   " GB/s, multiply-adds ", fixed(bound.arithmetic / 1e9, 0), " GFLOP/s\n");
  }
  return text;
}

std::string BenchSuite::cases_text() const {
  std::vector<std::string> columns{"case", "ms", "min", "spread %", "runs", "MB", "MFLOP", "GB/s"};
  columns.push_back(on_gpu() ? "% of copy" : "% of bound");
  if (on_gpu()) columns.push_back("peak MiB");
  Table table(columns);
  for (const Json& entry : cases_) {
    std::vector<std::string> row{entry["name"],
                                 milliseconds_text(entry["milliseconds"]),
                                 milliseconds_text(entry["min_milliseconds"]),
                                 per_cent(entry["spread_percent"]),
                                 entry["runs"].dump(),
                                 amount(entry["bytes"], 1e6),
                                 amount(entry["flops"], 1e6),
                                 fixed(entry["bytes_per_second"].get<double>() / 1e9, 1),
                                 per_cent(entry["percent_of_bound"])};
    if (on_gpu()) row.push_back(fixed(entry["device_peak_bytes"].get<double>() / (1 << 20), 0));
    table.add(row);
  }
  return table.text();
}

std::string BenchSuite::text() {
  roofline(threads_);
  std::string text = machine_text();
  if (!cases_.empty()) text += cases_text();
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
